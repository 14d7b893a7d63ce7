#include "collectives/renumbering.hpp"

namespace detour {

void renumber(Program& program, std::span<const Rank> numbers) {
  const auto rename = [numbers](Rank& rank) {
    if (rank != no_rank) rank = numbers[static_cast<std::size_t>(rank)];
  };
  rename(program.rank);
  for (FlowRole& role : program.roles) {
    rename(role.reduce_parent);
    rename(role.broadcast_parent);
    for (Rank& child : role.reduce_children) rename(child);
    for (Rank& child : role.broadcast_children) rename(child);
  }
  for (Link& link : program.outgoing) rename(link.peer);
  for (Link& link : program.incoming) rename(link.peer);
}

}  // namespace detour
