#include "demo/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "exit_status.hpp"

namespace detour::demo {
namespace {

// Ranks may be so many steps ahead of what has been read of them (see job.hpp), so a rank that is
// to be killed has to have more than that before it.
constexpr int steps_after_kill_min = 80;
constexpr int step_count_max = 100'000;

// In the middle, in a corner, and the one that many programs can't do without. What is left has
// several ways from everywhere to everywhere, which is where detours have something to choose.
std::vector<Kill> default_kills(int step_count) {
  return {{5, step_count / 5}, {12, step_count * 2 / 5}, {0, step_count * 3 / 5}};
}

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

void check(const Options& options) {
  if (options.step_count < 1 || options.step_count > step_count_max) {
    throw tool::BadInput("--steps is a number from 1 to " + std::to_string(step_count_max));
  }
  for (const Kill& kill : options.kills) {
    const auto count = std::count_if(options.kills.begin(), options.kills.end(),
                                     [&](const Kill& other) { return other.rank == kill.rank; });
    if (count > 1) throw tool::BadInput("rank " + std::to_string(kill.rank) + " can die only once");
    if (kill.step + steps_after_kill_min > options.step_count) {
      throw tool::BadInput("a rank that is killed at step " + std::to_string(kill.step) +
                           " needs at least " + std::to_string(kill.step + steps_after_kill_min) +
                           " --steps");
    }
  }
  if (options.kills.size() >= static_cast<std::size_t>(rank_count)) {
    throw tool::BadInput("somebody has to survive");
  }
}

}  // namespace

Kill parse_kill(const std::string& text) {
  const auto at = text.find('@');
  const auto rank = parse_number(std::string_view(text).substr(0, at));
  const auto step =
      at == std::string::npos ? std::nullopt : parse_number(std::string_view(text).substr(at + 1));
  if (!rank || !step || *rank < 0 || *rank >= rank_count || *step < 1) {
    throw tool::BadInput("--kill is RANK@STEP, for example 5@120, with ranks from 0 to " +
                         std::to_string(rank_count - 1) + "; not '" + text + "'");
  }
  return {*rank, *step};
}

Options parse_options(int argc, char** argv) {
  Options options;
  std::vector<std::string> kills;
  CLI::App app("Trains a net with 16 ranks, kills some of them, and shows how the others go on",
               "detour_demo");
  app.add_option("--steps", options.step_count, "How long to train")->capture_default_str();
  app.add_option("--kill", kills,
                 "RANK@STEP: kill that rank after that step; may be repeated "
                 "[three at a fifth, two and three fifths of the steps]")
      ->type_name("RANK@STEP");
  app.add_option("--policy", options.policy, "How sums are routed: trees, tree or direct")
      ->check(CLI::IsMember({"trees", "tree", "direct"}))
      ->capture_default_str();
  app.add_flag("--plain", options.plain, "Lines instead of a picture, on a terminal too");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) std::exit(app.exit(error));
    throw tool::BadInput(error.what());
  }
  for (const std::string& kill : kills) options.kills.push_back(parse_kill(kill));
  if (kills.empty()) options.kills = default_kills(options.step_count);
  check(options);
  return options;
}

}  // namespace detour::demo
