// Runs scenarios, seed after seed, and says which of them the library does not get through as it promises.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>

#include "protocol_switches.hpp"
#include "sim/world.hpp"

namespace {

using namespace detour;
using namespace detour::sim;

struct Options {
  std::uint64_t first_seed = 0;
  std::uint64_t seed_count = 1000;
  std::uint64_t seconds = 0;
  std::optional<std::uint64_t> traced_seed;
  std::uint64_t cut_off_processes = 0;
  std::string broken_rule;
};

std::deque<SharedHeap>& heaps() {
  static std::deque<SharedHeap> all = [] {
    std::deque<SharedHeap> made;
    for (int process = 0; process < process_count_max; ++process) {
      made.push_back(SharedHeap::create(std::size_t{96} << 10).value());
    }
    return made;
  }();
  return all;
}

RunResult run(const Options& options, std::uint64_t seed, bool traces, ResultBits& bits) {
  const Scenario scenario = make_scenario(seed);
  World world(scenario, heaps(), traces);
  world.cut_off(options.cut_off_processes);
  try {
    return world.run(bits);
  } catch (const std::exception& error) {
    return {fmt::format("the library throws \"{}\"", error.what()), 0};
  }
}

// The seeds before it that make the same calls come first: results are compared with theirs.
int replay(const Options& options, std::uint64_t seed) {
  ResultBits bits;
  for (std::uint64_t before = seed / variant_count * variant_count; before < seed; ++before) {
    run(options, before, false, bits);
  }
  const RunResult result = run(options, seed, true, bits);
  fmt::print("seed {}: {}\n", seed, result.violation.value_or("no violation"));
  return result.violation && options.broken_rule.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}

void report(const Options& options, std::uint64_t seed, const std::string& violation,
            const char* program) {
  const std::string broken = options.broken_rule.empty() ? "" : " --break " + options.broken_rule;
  fmt::print("seed {}: {}\nreplay: {}{} --trace {}\n", seed, violation, program, broken, seed);
}

int run_all(const Options& options, const char* program) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::uint64_t seed = options.first_seed;
  std::uint64_t step_count = 0;
  ResultBits bits;
  for (;; ++seed) {
    const std::chrono::duration<double> passed = Clock::now() - start;
    const bool is_over = options.seconds > 0
                             ? passed.count() >= static_cast<double>(options.seconds)
                             : seed == options.first_seed + options.seed_count;
    if (is_over) {
      fmt::print("{} seeds from {} on, {} steps, {:.1f} s: no violation\n",
                 seed - options.first_seed, options.first_seed, step_count, passed.count());
      return options.broken_rule.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (seed % variant_count == 0) bits.clear();
    const RunResult result = run(options, seed, false, bits);
    step_count += result.step_count;
    if (!result.violation) continue;
    report(options, seed, *result.violation, program);
    return options.broken_rule.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs the library's operations in a simulation that kills and stops processes.");
  app.add_option("--first", options.first_seed, "the first seed; a multiple of 4");
  app.add_option("--seeds", options.seed_count, "how many seeds");
  app.add_option("--seconds", options.seconds, "for so long, instead of a number of seeds");
  app.add_option("--trace", options.traced_seed, "runs this seed and tells every step");
  app.add_option("--cut-off", options.cut_off_processes,
                 "no message passes between these processes, by bits, and the others");
  if (has_protocol_switches) {
    app.add_option("--break", options.broken_rule,
                   "breaks this rule of the protocol: a violation has to be found");
  }
  CLI11_PARSE(app, argc, argv);
  if (!options.broken_rule.empty() && !break_rule(options.broken_rule)) {
    fmt::print(stderr, "{}: there is no rule \"{}\"; see lib/protocol_switches.hpp\n", argv[0],
               options.broken_rule);
    return 2;
  }
  return options.traced_seed ? replay(options, *options.traced_seed) : run_all(options, argv[0]);
}
