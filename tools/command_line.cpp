#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <set>

#include "exit_status.hpp"
#include "suggestion.hpp"

namespace detour::tool {
namespace {

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string suggest(std::string_view word, const std::vector<std::string>& names) {
  return suggestion(word, std::vector<std::string_view>(names.begin(), names.end()));
}

// CLI11 takes words like -1 for values, and so do we.
bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->check_name(name)) return option;
  }
  return nullptr;
}

[[noreturn]] void complain_of_option(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
  }
  throw BadInput("unknown option " + in_quotes(name) + suggest(name, names));
}

[[noreturn]] void complain_of_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  throw BadInput("unknown command " + in_quotes(word) + suggest(word, names));
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_min() > 0;
}

bool may_take_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

bool may_repeat(const CLI::Option& option) {
  return !may_take_value(option) ||
         option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

// The words after the name of a command, one by one.
class OptionCheck {
 public:
  OptionCheck(const CLI::App& command, const std::vector<std::string>& words)
      : command_(command), words_(words) {}

  void run() {
    for (at_ = 1; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (!looks_like_option(word)) throw BadInput("unexpected word " + in_quotes(word));
      const auto equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const CLI::Option* option = find_option(command_, name);
      if (option == nullptr) complain_of_option(command_, name);
      if (option == command_.get_help_ptr()) return;
      check(*option, name, equals != std::string::npos);
    }
  }

 private:
  void check(const CLI::Option& option, const std::string& name, bool has_equals) {
    if (!seen_.insert(&option).second && !may_repeat(option)) {
      throw BadInput(name + " is given twice");
    }
    if (!may_take_value(option)) {
      if (has_equals) throw BadInput(name + " takes no value");
      return;
    }
    if (has_equals ? !words_[at_].ends_with('=') : take_value()) return;
    if (!takes_value(option) && !has_equals) return;
    throw BadInput(name + " needs a value: " + name + " " + option.get_type_name());
  }

  bool take_value() {
    if (at_ + 1 == words_.size() || looks_like_option(words_[at_ + 1])) return false;
    ++at_;
    return true;
  }

  const CLI::App& command_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::set<const CLI::Option*> seen_;
};

}  // namespace

std::vector<std::string> with_help_as_option(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

void check_command_line(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) {
    throw BadInput(
        "say what to do: 'detour plan', 'detour policies', 'detour info', 'detour bench' or "
        "'detour tune'; 'detour --help' tells more");
  }
  const std::string& first = words.front();
  if (looks_like_option(first)) {
    if (find_option(app, first) == nullptr) complain_of_option(app, first);
    return;
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == first) return OptionCheck(*command, words).run();
  }
  complain_of_command(app, first);
}

// Callbacks get the words as they are: conversions make nothing of an empty one.
CLI::Option* add_text_option(CLI::App& command, const std::string& name,
                             const std::string& value_name, std::optional<std::string>& target,
                             const std::string& help) {
  const CLI::callback_t keep = [&target](const CLI::results_t& words) {
    target = words.front();
    return true;
  };
  return command.add_option(name, keep, help)->type_name(value_name);
}

CLI::Option* add_optional_text_option(CLI::App& command, const std::string& name,
                                      const std::string& value_name,
                                      const std::string& default_value,
                                      std::optional<std::string>& target, const std::string& help) {
  return add_text_option(command, name, value_name, target, help)
      ->expected(0, 1)
      ->default_str(default_value)
      ->option_text("[" + value_name + "]");
}

CLI::Option* add_text_list_option(CLI::App& command, const std::string& name,
                                  const std::string& value_name, std::vector<std::string>& target,
                                  const std::string& help) {
  const CLI::callback_t keep = [&target](const CLI::results_t& words) {
    target = words;
    return true;
  };
  return command.add_option(name, keep, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->type_name(value_name);
}

}  // namespace detour::tool
