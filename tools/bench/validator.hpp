// Whether a call gave the right result: everywhere, or at a few places in no time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/pattern.hpp"

namespace detour::tool {

enum class Thoroughness { sampled, whole };

// For buffers of one size. A buffer still holds the right result of the call before; so what is checked
// is spoilt first.
class Validator {
 public:
  Validator(const Pattern& expected, int rank) : expected_(expected), rank_(rank) {}

  // Before the call. Places to sample differ from round to round.
  void spoil(std::span<std::byte> buffer, Thoroughness thoroughness, std::size_t round) const;

  // After it: nothing if all is well, otherwise what is wrong. `first` is the index in the pattern of
  // the buffer's first element.
  std::optional<std::string> find_defect(std::span<const std::byte> buffer, std::size_t first,
                                         Thoroughness thoroughness, std::size_t round) const;

 private:
  std::string describe(std::span<const std::byte> buffer, std::size_t first,
                       std::size_t index) const;
  std::size_t element_bytes() const { return expected_.type().bytes; }

  const Pattern& expected_;
  int rank_;
};

// Ascending, the first and the last element among them.
std::vector<std::size_t> sampled_elements(std::size_t element_count, std::size_t round);

}  // namespace detour::tool
