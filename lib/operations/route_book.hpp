// The programs of one communicator: made when they are first needed, and kept while they are used.
//
// Programs depend only on what is the same on all ranks (placement, settings, what a call's header says, who is
// left), so that all ranks run parts of the same one without a word.
//
// When members die their cells become holes, and plans lead round them.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/call.hpp"
#include "collectives/program.hpp"
#include "detour/routing/outcome.hpp"
#include "operations/direct_way.hpp"
#include "placement/placement.hpp"
#include "selection/selection_table.hpp"
#include "settings.hpp"

namespace detour {

struct Route {
  std::string policy;  // whose plan it is
  std::size_t message_bytes_max = 0;
  Program program;
};
using RouteRef = std::shared_ptr<const Route>;

class RouteBook {
 public:
  // The table has to live longer. Chunks are at most so large, whatever the table says: memory for those under
  // way may be short.
  RouteBook(Rank rank, Placement placement, Settings settings, const SelectionTable& table,
            std::uint64_t chunk_bytes_max);

  // Only these take part from now on, in ascending order; all at first. Members never come back.
  [[gnu::hot]] void set_living(const std::vector<std::size_t>& ranks);

  // For a call that has a combiner and moves data, from or to this root. Fails if no policy has a plan: on all ranks
  // alike.
  Outcome<RouteRef> route(const Call& call, Rank root);

  // Whether `direct` is what the table, or a setting, wants for an allreduce of that size.
  bool prefers_direct(std::uint64_t bytes) { return choice(bytes).prefers_direct; }
  // How that is done directly, as is all else that has to be.
  const DirectWay& direct_way(std::uint64_t bytes) { return choice(bytes).way; }

  // For an exchange of one element of so many bytes, as an allreduce: the way in which ranks agree.
  Outcome<RouteRef> small_route(std::size_t element_bytes);

  const Placement& placement() const { return placement_; }
  const Settings& settings() const { return settings_; }

 private:
  struct Key {
    CallKind kind;
    Rank root;
    std::uint64_t element_count;
    std::size_t element_bytes;
    std::vector<std::uint64_t> block_counts;
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    RouteRef route;
  };
  // Those who are left, numbered as if there had never been others.
  struct Living {
    std::vector<Rank> ranks;  // by number
    CellMap cells;
    FaultSet holes;
  };

  struct DirectChoice {
    std::uint64_t bytes;
    bool prefers_direct;
    DirectWay way;
  };

  const DirectChoice& choice(std::uint64_t bytes) {
    if (!last_choice_ || last_choice_->bytes != bytes) last_choice_ = choose(bytes);
    return *last_choice_;
  }
  DirectChoice choose(std::uint64_t bytes) const;
  Situation situation(CallKind kind, std::uint64_t bytes) const;
  Selection select(CallKind kind, std::uint64_t bytes) const {
    return table_.select(situation(kind, bytes), settings_);
  }
  Outcome<RouteRef> find_or_make(Key key);
  Outcome<RouteRef> make_route(const Key& key) const;
  Outcome<Plan> plan_by(const std::string& policy, std::uint64_t payload_bytes) const;
  Outcome<RouteRef> lay_out(const Key& key, const Plan& plan, const std::string& policy,
                            std::uint64_t chunk_bytes) const;
  std::vector<RankFlow> flows_for(const Key& key, const Plan& plan) const;
  std::vector<std::uint64_t> living_counts(const Key& key) const;
  void restore_places(const Key& key, std::vector<RankFlow>& flows) const;
  Rank number_of(Rank rank) const;
  bool anybody_is_missing() const;

  static constexpr std::size_t kept_count = 16;

  const Rank rank_;
  const Placement placement_;
  const Settings settings_;
  const SelectionTable& table_;
  const std::uint64_t chunk_bytes_max_;
  Living living_;
  std::list<Entry> entries_;  // the last used first
  // The last one: most calls ask the same again.
  std::optional<DirectChoice> last_choice_;
};

}  // namespace detour
