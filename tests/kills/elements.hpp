// Elements whose sums tell who is in them.
//
// Rank r of a team adds something of which every sum shows whether it is in there, and how often: one digit for each rank in
// numbers, a letter in words, which are put together in rank order. Everything is multiplied with a weight that depends
// on operation and index, so that nothing can come from elsewhere and pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace detour::kills {

// A bit for each rank of a team.
using Ranks = std::uint32_t;

// What a buffer is full of where nobody has written.
constexpr std::byte blank{0xa5};

std::size_t element_count();
std::string element_name(std::size_t number);
// From one to the next: there may be a gap between.
std::size_t element_bytes(std::size_t number);
bool is_user_defined(std::size_t number);

// Where elements are in which operation: the salt is another one in each.
struct Elements {
  std::size_t number;  // of their type
  std::uint64_t salt;
  std::size_t first;  // index of the first one
  std::size_t count;
};

// What that rank adds. Gaps are left alone.
void fill(std::byte* place, const Elements& elements, int rank);
// What the ranks together make.
void fill_with_sum(std::byte* place, const Elements& elements, Ranks ranks);
// Who is in the first one; nothing if it is no sum of any ranks, each once.
std::optional<Ranks> ranks_in(const std::byte* place, const Elements& elements);

}  // namespace detour::kills
