// How elements are combined: a kernel, a user's function, or a test's bookkeeping.
#pragma once

#include <cstddef>
#include <span>

namespace detour {

class Combiner {
 public:
  virtual ~Combiner() = default;
  virtual std::size_t element_bytes() const = 0;
  // result = ((inputs[0] op inputs[1]) op inputs[2]) ..., element by element. The result may be the
  // first input; it overlaps no other.
  virtual void combine(std::byte* result, std::span<const std::byte* const> inputs,
                       std::size_t element_count) const = 0;
  // The same for a result that nobody is going to look for in the caches.
  virtual void combine_past_caches(std::byte* result, std::span<const std::byte* const> inputs,
                                   std::size_t element_count) const {
    combine(result, inputs, element_count);
  }
  // The same with a copy of the result, which may be any of the inputs, that nobody is going to look for in the caches.
  virtual void combine_twofold(std::byte* result, std::byte* copy,
                               std::span<const std::byte* const> inputs,
                               std::size_t element_count) const;
  // The same with both past the caches. Neither may be one of the inputs.
  void combine_twofold_past_caches(std::byte* result, std::byte* copy,
                                   std::span<const std::byte* const> inputs,
                                   std::size_t element_count) const;
};

}  // namespace detour
