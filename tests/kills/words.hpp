// The element types, by number, and what those with an operation of the program's look like.
#pragma once

#include <cstddef>
#include <cstdint>

namespace detour::kills {

enum class ElementNumber : std::size_t { uint64, int32, real64, real32, bits, words, spread };
constexpr std::size_t element_number_count = 7;

// Letters are ranks, the first one on top. What is put together in another order is another word.
struct Word {
  std::uint64_t letters;
  std::uint64_t length;
  std::uint64_t sum;
};

constexpr Word joined(const Word& left, const Word& right) {
  const std::uint64_t shifted = right.length < 16 ? left.letters << (4 * right.length) : 0;
  return {shifted | right.letters, left.length + right.length, left.sum + right.sum};
}

// A number with a gap after it.
constexpr std::size_t spread_bytes = 24;

}  // namespace detour::kills
