#include "script.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "elements.hpp"
#include "name_list.hpp"

namespace detour::kills {
namespace {

constexpr std::array<std::string_view, 9> kind_names{
    "allreduce",  "iallreduce",     "reduce",
    "bcast",      "barrier",        "allgather",
    "allgatherv", "reduce_scatter", "reduce_scatter_block"};
constexpr std::array<std::string_view, 3> team_names{"world", "twin", "half"};

class Draw {
 public:
  explicit Draw(const ScriptOptions& options) : options_(options), random_(options.seed) {}

  Step step() {
    Step step;
    step.kind = options_.kinds[below(options_.kinds.size())];
    step.team = options_.teams[below(options_.teams.size())];
    step.element = below(element_count());
    // Operations of the program's are MPI's business where nobody waits.
    while (step.kind == Kind::iallreduce && is_user_defined(step.element)) {
      step.element = below(element_count());
    }
    step.count = count(step);
    step.is_in_place = below(2) == 0;
    step.root = static_cast<unsigned>(below(rank_count_drawn));
    step.waits_for_all = below(3) == 0;
    constexpr std::array buffers{SharedBuffers::none, SharedBuffers::none, SharedBuffers::all,
                                 SharedBuffers::every_other};
    step.shared_buffers = buffers[below(buffers.size())];
    return step;
  }

 private:
  static constexpr std::size_t rank_count_drawn = 1000;

  std::size_t below(std::size_t end) { return random_() % end; }

  // Around the sizes where the library changes its ways; large ones are rare, because sixteen ranks share two cores.
  std::size_t bytes() {
    constexpr std::size_t small_max = 4096;
    constexpr std::size_t piece_bytes = 256 * 1024;
    switch (below(16)) {
      case 0:
        return 0;
      case 1:
      case 2:
      case 3:
        return 4 + below(60);
      case 4:
      case 5:
        return below(small_max);
      case 6:
      case 7:
      case 8:
        return small_max - 1 + below(3);
      case 9:
      case 10:
      case 11:
        return 64 * 1024;
      case 12:
      case 13:
        return piece_bytes - 64 + below(128);
      case 14:
        return 1024 * 1024 + below(1024);
      default:
        return below(4) == 0 ? 4 * 1024 * 1024 : below(piece_bytes);
    }
  }

  // Never less than one element unless it is to be nothing at all.
  std::size_t count(const Step& step) {
    std::size_t wanted = bytes();
    const bool has_blocks = step.kind == Kind::allgather || step.kind == Kind::allgatherv ||
                            step.kind == Kind::reduce_scatter ||
                            step.kind == Kind::reduce_scatter_block;
    if (has_blocks) wanted /= static_cast<std::size_t>(options_.rank_count);
    if (wanted == 0) return 0;
    return std::max<std::size_t>(wanted / element_bytes(step.element), 1);
  }

  const ScriptOptions& options_;
  std::mt19937_64 random_;
};

}  // namespace

std::vector<Step> draw_script(const ScriptOptions& options) {
  Draw draw(options);
  std::vector<Step> script;
  for (std::uint32_t at = 0; at < options.step_count; ++at) script.push_back(draw.step());
  if (!script.empty()) script.back().waits_for_all = true;
  return script;
}

std::vector<Kind> parse_kinds(std::string_view text) {
  return parse_names<Kind>(text, kind_names, "operation");
}

std::string kinds_text(const std::vector<Kind>& kinds) {
  return names_text(kinds, kind_names);
}

std::vector<Team> parse_teams(std::string_view text) {
  return parse_names<Team>(text, team_names, "team");
}

std::string teams_text(const std::vector<Team>& teams) {
  return names_text(teams, team_names);
}

const std::vector<Kind>& all_kinds() {
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> all;
    for (std::size_t at = 0; at < kind_names.size(); ++at) all.push_back(static_cast<Kind>(at));
    return all;
  }();
  return kinds;
}

std::string text_of(const Step& step) {
  std::string text(kind_names[static_cast<std::size_t>(step.kind)]);
  text += " of " + std::to_string(step.count) + " " + element_name(step.element);
  if (step.is_in_place) text += " in place";
  if (step.shared_buffers == SharedBuffers::all) text += " in shared memory";
  if (step.shared_buffers == SharedBuffers::every_other) text += " partly in shared memory";
  text += " on " + std::string(team_names[static_cast<std::size_t>(step.team)]);
  if (has_root(step.kind)) text += ", root " + std::to_string(step.root) + " modulo size";
  return text;
}

bool has_root(Kind kind) {
  return kind == Kind::reduce || kind == Kind::bcast;
}

std::vector<int> team_members(Team team, std::uint64_t ranks) {
  std::vector<int> members;
  for (; ranks != 0; ranks &= ranks - 1) members.push_back(std::countr_zero(ranks));
  if (team == Team::half) std::reverse(members.begin(), members.end());
  return members;
}

}  // namespace detour::kills
