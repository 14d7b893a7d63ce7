// The measuring loop with one rank, and calls of the test's own.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "bench_alone.hpp"

namespace detour::test {

// What a sum of one rank's ints has to do.
inline int copy(const void* send, void* receive, int count) {
  if (send != nullptr) std::memcpy(receive, send, 4 * static_cast<std::size_t>(count));
  return 0;
}

inline tool::Contestant contestant(const std::string& name,
                                   std::function<int(const void*, void*, int)> call) {
  tool::Contestant result;
  result.series.name = name;
  result.call = std::move(call);
  result.describe = [](int error) { return "error " + std::to_string(error); };
  return result;
}

struct Bench {
  explicit Bench(bool validate = true, bool in_place = false)
      : buffers(1 << 20, in_place, tool::allocate_from_system),
        measurement(peers, buffers, input, expected, validate) {}

  tool::SizeResult run(const std::vector<tool::Contestant>& contestants, const tool::Step& step,
                       const tool::RoundCounts& rounds) {
    return measurement.run(contestants, step, rounds, notes);
  }
  tool::SizeResult run(const std::vector<tool::Contestant>& contestants, std::uint64_t bytes,
                       const tool::RoundCounts& rounds) {
    return run(contestants, tool::step_of_message(bytes), rounds);
  }

  const tool::NumberType& type = tool::find_number_type("int");
  Alone peers;
  tool::Pattern input = tool::Pattern::input(type, tool::Operation::sum, 0, 1);
  tool::Pattern expected = tool::Pattern::result(type, tool::Operation::sum, 1);
  tool::BenchBuffers buffers;
  tool::Measurement measurement;
  std::vector<std::string> notes;
};

}  // namespace detour::test
