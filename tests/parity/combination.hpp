// One of the cases to try, as a value and as a word that stands for it on the command line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subjects.hpp"

namespace detour::parity {

enum class Kind {
  allreduce,
  iallreduce,
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  bcast,
  allgather,
  allgatherv,
  barrier,
};
inline constexpr std::array<std::string_view, 9> kind_names{
    "allreduce", "iallreduce", "reduce",     "reduce_scatter", "reduce_scatter_block",
    "bcast",     "allgather",  "allgatherv", "barrier"};

// Who takes part: all ranks, those of even and of odd number apart, or all in the reverse order.
enum class Group { world, halves, reversed };
inline constexpr std::array<std::string_view, 3> group_names{"world", "halves", "reversed"};

inline constexpr std::array<std::size_t, 8> counts{0, 1, 2, 3, 17, 1000, 65537, 1 << 20};

struct Combination {
  Kind kind = Kind::allreduce;
  std::size_t subject = 0;
  std::size_t operation = 0;
  std::size_t count = 0;
  bool in_place = false;
  std::size_t policy = 0;
  Group group = Group::world;
  int root = 0;            // taken modulo the number of ranks
  std::uint64_t seed = 0;  // of the data
};

// What combinations refer to by number.
struct Universe {
  const std::vector<Subject>& subjects;
  std::size_t predefined_count;  // of subjects: they are the first
  std::vector<std::string> policies;

  const Subject& subject(const Combination& of) const { return subjects[of.subject]; }
  const Operation& operation(const Combination& of) const {
    return subject(of).operations[of.operation];
  }
};

std::string text_of(const Combination& combination, const Universe& universe);
std::optional<Combination> combination_of(std::string_view text, const Universe& universe);

}  // namespace detour::parity
