// What the ranks of a job do: a sequence of operations that all of them, and the harness, draw from the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detour::kills {

enum class Kind {
  allreduce,
  iallreduce,
  reduce,
  bcast,
  barrier,
  allgather,
  allgatherv,
  reduce_scatter,
  reduce_scatter_block,
};

// The communicators that a job has, most of the time made before anybody dies: all ranks, all of them in a duplicate, and two halves whose
// ranks are numbered backwards.
enum class Team { world, twin, half };

// Which ranks' buffers are in memory that the others map.
enum class SharedBuffers { none, all, every_other };

struct Step {
  Kind kind = Kind::barrier;
  Team team = Team::world;
  std::size_t element = 0;  // number in the list of element types
  std::size_t count = 0;    // of elements: of a block, where the operation has blocks
  bool is_in_place = false;
  SharedBuffers shared_buffers = SharedBuffers::none;
  unsigned root = 0;          // modulo the size of the team
  bool waits_for_all = true;  // whether all nonblocking ones so far are completed after it
};

struct ScriptOptions {
  std::uint64_t seed = 1;
  std::uint32_t step_count = 60;
  int rank_count = 2;
  std::vector<Kind> kinds;
  std::vector<Team> teams;
};

std::vector<Step> draw_script(const ScriptOptions& options);

// Comma between them; throws std::invalid_argument for a name that does not exist.
std::vector<Kind> parse_kinds(std::string_view text);
std::string kinds_text(const std::vector<Kind>& kinds);
std::vector<Team> parse_teams(std::string_view text);
std::string teams_text(const std::vector<Team>& teams);
const std::vector<Kind>& all_kinds();

std::string text_of(const Step& step);

bool has_root(Kind kind);

// The ranks of MPI_COMM_WORLD with a bit in the set, in the order of their numbers in such a team.
std::vector<int> team_members(Team team, std::uint64_t ranks);

}  // namespace detour::kills
