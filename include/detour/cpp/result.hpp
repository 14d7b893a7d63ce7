// Who is in the result of an operation.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "detour/detour.h"

namespace detour {
inline namespace cpp {

struct Result {
  std::vector<int> contributors;  // ranks, ascending
  int attempts = 1;               // how often the operation was begun
  std::uint64_t epoch = 0;        // how often the set of members had changed
};

inline Result result_of(const Detour_Result& result) {
  std::vector<int> ranks;
  for (int index = 0; index < result.word_count; ++index) {
    for (std::uint64_t word = result.contributors[index]; word != 0; word &= word - 1) {
      ranks.push_back(64 * index + std::countr_zero(word));
    }
  }
  return {std::move(ranks), result.attempts, result.epoch};
}

}  // namespace cpp
}  // namespace detour
