// Carries out scenarios, of each some operations one after the other, and prints a line for each: its name, how many ranks
// took part, how many operations were counted, and, of one of them, the bytes that were copied and combined and the waits.
//
//   count_operations [SCENARIO | --compiler]
//
// All of them, or one; or says what compiled it. tests/counts/check runs it under callgrind, which counts the rest.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "counts/scenarios.hpp"
#include "operations/direct_rank.hpp"

namespace {

using namespace detour;
using namespace detour::counts;

// What ctest is told to take for one.
constexpr int skip_status = 77;
// Until memory has been taken, routes have been made, and both slots of everything have been used.
constexpr int warm_up_count = 6;
constexpr int counted_count = 4;

struct alignas(64) Line {
  float values[16];
};

// What is not in the node's memory is the program's own.
class Buffer {
 public:
  Buffer(std::size_t bytes, std::byte* place)
      : lines_(place == nullptr ? bytes / sizeof(Line) + 1 : 0),
        values_(place == nullptr ? lines_.front().values : reinterpret_cast<float*>(place),
                bytes / sizeof(float)) {}
  std::span<float> values() { return values_; }

 private:
  std::vector<Line> lines_;
  std::span<float> values_;
};

// What one rank has. Its numbers are whole, so that sums are exact in any order.
class RankBuffers {
 public:
  // Of the so many-th of those who live.
  RankBuffers(std::size_t position, const Scenario& scenario, OneThreadNode& node)
      : rank_(static_cast<std::size_t>(node.ranks()[position])),
        input_(scenario.bytes, place(position, scenario, node)),
        output_(scenario.bytes, place(position, scenario, node)),
        scenario_(scenario) {
    fill();
  }

  Call next_call(const Combiner& combiner) {
    if (scenario_.bytes == 0) return {};
    if (scenario_.is_in_place) fill();
    return allreduce_call(combiner, input().data(), output_.values().data(), scenario_.bytes);
  }
  bool has_sum_over(const std::vector<Rank>& ranks) {
    const auto rank_sum = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
    for (std::size_t at = 0; at < output_.values().size(); ++at) {
      const std::size_t sum = rank_sum * rank_factor + ranks.size() * (at % period);
      if (output_.values()[at] != static_cast<float>(sum)) return false;
    }
    return true;
  }

 private:
  // A rank has its number times this, plus the place, counted up to this.
  static constexpr std::size_t rank_factor = 1021, period = 1009;
  static std::byte* place(std::size_t position, const Scenario& scenario, OneThreadNode& node) {
    return scenario.is_mapped ? node.allocate(position, scenario.bytes) : nullptr;
  }
  void fill() {
    for (std::size_t at = 0; at < input().size(); ++at) {
      input()[at] = static_cast<float>(rank_ * rank_factor + at % period);
    }
  }
  std::span<float> input() { return scenario_.is_in_place ? output_.values() : input_.values(); }

  std::size_t rank_;
  Buffer input_;
  Buffer output_;
  const Scenario& scenario_;
};

Tally count(const Scenario& scenario, OneThreadNode& node) {
  const CountedSum combiner;
  std::vector<RankBuffers> buffers;
  buffers.reserve(node.ranks().size());
  for (std::size_t at = 0; at < node.ranks().size(); ++at) buffers.emplace_back(at, scenario, node);
  const auto run = [&](Tally* tally) {
    std::vector<Call> calls;
    for (RankBuffers& each : buffers) calls.push_back(each.next_call(combiner));
    node.run(calls, tally);
  };
  for (int number = 0; number < warm_up_count; ++number) run(nullptr);
  Tally first;
  run(&first);
  for (int number = 1; number < counted_count; ++number) {
    Tally next;
    run(&next);
    if (next != first) throw std::runtime_error("the same operation does not cost the same again");
  }
  name_what_was_counted(scenario.name.c_str());
  for (RankBuffers& each : buffers) {
    if (!each.has_sum_over(node.ranks())) throw std::runtime_error("a sum is wrong");
  }
  return first;
}

void print(const Scenario& scenario) {
  OneThreadNode node(scenario.node);
  const Tally found = count(scenario, node);
  fmt::print("{} {} {} {} {} {}\n", scenario.name, node.ranks().size(), counted_count,
             found.copied_bytes, found.reduced_bytes, found.wait_count);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view argument = argc > 1 ? argv[1] : "";
  if (argument == "--compiler") {
    fmt::print("{}\n", COUNTS_COMPILER);
    return EXIT_SUCCESS;
  }
  if (isa_in_use() < Isa::avx2) {
    fmt::print("skipped: this machine has no AVX2, and those are the kernels that are counted\n");
    return skip_status;
  }
  std::vector<Scenario> scenarios = all_scenarios();
  if (!argument.empty()) {
    std::erase_if(scenarios, [&](const Scenario& each) { return each.name != argument; });
  }
  if (scenarios.empty()) {
    fmt::print(stderr, "there is no scenario \"{}\"\n", argument);
    return EXIT_FAILURE;
  }
  for (const Scenario& scenario : scenarios) {
    try {
      print(scenario);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}: {}\n", scenario.name, error.what());
      return EXIT_FAILURE;
    }
  }
}
