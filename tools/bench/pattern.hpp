// Inputs whose result is known exactly, whatever the order in which it is computed.
//
// Numbers repeat with a period that is prime, so that no block or page of one place looks like that of
// another. A repeating pattern is filled in and compared by whole periods, at the speed of memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/number_type.hpp"

namespace detour::tool {

class Pattern {
 public:
  static constexpr std::size_t period_count = 1021;

  // The input of one rank.
  static Pattern input(const NumberType& type, Operation operation, int rank, int rank_count);
  // What the operation makes of the inputs of all ranks.
  static Pattern result(const NumberType& type, Operation operation, int rank_count);

  const NumberType& type() const { return type_; }
  // The bytes of the element at `index` of an endless array.
  std::span<const std::byte> element(std::size_t index) const;
  // `first` is the index of the buffer's first element.
  void fill(std::span<std::byte> buffer, std::size_t first) const;
  // The first element in the buffer that differs.
  std::optional<std::size_t> find_difference(std::span<const std::byte> buffer,
                                             std::size_t first) const;

 private:
  Pattern(const NumberType& type, const std::vector<std::uint64_t>& values);

  NumberType type_;
  std::vector<std::byte> bytes_;  // of one period
};

}  // namespace detour::tool
