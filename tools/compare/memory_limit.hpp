// The fastest that an allreduce could be: every input is read once and every output written once.
#pragma once

#include <cstddef>

namespace detour::tool {

// Each rank reads its input and writes its output, which is as much as they have to together. With stores that go
// through the caches, or past them.
void move_through_caches(std::byte* output, const std::byte* input, std::size_t bytes);
void move_past_caches(std::byte* output, const std::byte* input, std::size_t bytes);
// The same in place.
void pass_over(std::byte* data, std::size_t bytes);

}  // namespace detour::tool
