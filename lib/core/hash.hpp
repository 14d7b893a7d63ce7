// One number for a series of numbers, the same in every process.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

namespace detour {

// The finisher of splitmix64, over and over: no secrets here, only accidents.
inline std::uint64_t hash_of(std::span<const std::uint64_t> numbers) {
  std::uint64_t value = 0x9e3779b97f4a7c15;
  for (const std::uint64_t number : numbers) {
    value = (value ^ number) + 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    value ^= value >> 31;
  }
  return value;
}

inline std::uint64_t hash_of(std::initializer_list<std::uint64_t> numbers) {
  return hash_of(std::span(numbers.begin(), numbers.size()));
}

}  // namespace detour
