#include "message.hpp"

#include <sstream>

namespace detour::run {
namespace {

std::string line_of(const Hello& hello) {
  return "hello " + hello.token + " " + hello.job + " " + std::to_string(hello.rank) + " " +
         std::to_string(hello.size) + " " + hello.host;
}
std::string line_of(const Started& started) {
  return "started " + std::to_string(started.pid);
}
std::string line_of(const Exited& exited) {
  return "exited " + std::to_string(exited.status);
}
std::string line_of(const Killed& killed) {
  return "killed " + std::to_string(killed.signal);
}
std::string line_of(const Abort& abort) {
  return "abort " + std::to_string(abort.status) + " " + abort.words;
}
std::string line_of(const Bereft& bereft) {
  return "bereft " + bereft.words;
}
std::string line_of(const Awaits& awaits) {
  return "awaits " + std::to_string(awaits.id) + " " + awaits.ranks + " " + awaits.words;
}
std::string line_of(const Met& met) {
  return "met " + std::to_string(met.id);
}

std::string line_of(const Depends& depends) {
  return "depends " + depends.words;
}

std::string line_of(const Ending&) {
  return "ending";
}

std::optional<Message> read_hello(std::istringstream& words) {
  Hello hello;
  if (!(words >> hello.token >> hello.job >> hello.rank >> hello.size >> hello.host)) {
    return std::nullopt;
  }
  if (hello.rank < 0 || hello.rank >= hello.size) return std::nullopt;
  return hello;
}

std::optional<Message> read_abort(std::istringstream& words) {
  Abort abort;
  if (!(words >> abort.status)) return std::nullopt;
  std::getline(words >> std::ws, abort.words);
  return abort;
}

std::optional<Message> read_awaits(std::istringstream& words) {
  Awaits awaits;
  if (!(words >> awaits.id >> awaits.ranks)) return std::nullopt;
  std::getline(words >> std::ws, awaits.words);
  return awaits;
}

template <class Kind>
std::optional<Message> read_words(std::istringstream& words) {
  Kind message;
  std::getline(words >> std::ws, message.words);
  if (message.words.empty()) return std::nullopt;
  return message;
}

}  // namespace

std::string to_line(const Message& message) {
  return std::visit([](const auto& kind) { return line_of(kind); }, message);
}

std::optional<Message> parse_line(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string kind;
  words >> kind;
  if (kind == "hello") return read_hello(words);
  if (kind == "abort") return read_abort(words);
  if (kind == "awaits") return read_awaits(words);
  if (kind == "depends") return read_words<Depends>(words);
  if (kind == "bereft") return read_words<Bereft>(words);
  if (kind == "ending") return Ending{};
  int number = 0;
  if (!(words >> number)) return std::nullopt;
  if (kind == "started") return Started{number};
  if (kind == "exited") return Exited{number};
  if (kind == "killed") return Killed{number};
  if (kind == "met") return Met{number};
  return std::nullopt;
}

bool has_rank(std::string_view list, int rank) {
  std::istringstream ranges{std::string(list)};
  for (int first = 0; ranges >> first;) {
    int last = first;
    if (ranges.peek() == '-') ranges.ignore() >> last;
    if (first <= rank && rank <= last) return true;
    if (ranges.peek() == ',') ranges.ignore();
  }
  return false;
}

}  // namespace detour::run
