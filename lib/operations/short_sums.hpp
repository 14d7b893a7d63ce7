// The short way of an allreduce on little data: what DirectOperation does with it (see there), step by step, but in one go and
// with few things to look at.
//
// The time of a short call goes into fetching what it needs. Through all of the library that is some 240 cache lines, which
// other calls have pushed out of the first cache by then, or, where ranks share cores, other ranks; this way it is a third.
//
// It is taken where nothing has to be decided any more: a call of the same size went directly before, among the same
// members, and if it was not small, shared (shared_reduction.hpp). Who has begun this way may have to wait, or find that
// something is wrong; then DirectOperation goes on where this has come to (take_over), which needs no memory: others read what
// this rank has entered with. So there are no errors here, and whether a rank goes this way makes no difference to the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "collectives/call_header.hpp"
#include "collectives/combiner.hpp"
#include "operations/direct_memory.hpp"
#include "operations/direct_way.hpp"
#include "operations/gathering.hpp"
#include "operations/shared_reduction.hpp"
#include "operations/slot_writing.hpp"
#include "operations/view.hpp"

namespace detour {

struct ShortSum {
  CallHeader header;
  const Combiner* combiner = nullptr;
  std::size_t element_count = 0;
  const std::byte* input = nullptr;  // may be the output
  std::byte* output = nullptr;
};

class ShortSums {
 public:
  // All have to live longer; they are those of the communicator's other direct calls.
  struct Means {
    View& view;
    Gathering& gathering;
    SlotWriting& writing;
    SharedReduction& sharing;
    const MemberBlockLayout& layout;
    DirectMemory& memory;
    std::uint64_t& piece_count;  // how many there have been
  };
  explicit ShortSums(const Means& means);

  // Whether calls of so many bytes could go this way, if they go that way otherwise.
  bool are_for(std::uint64_t bytes, const DirectWay& way) const {
    return is_small(bytes) || (way.is_whole() && bytes <= means_.layout.short_bytes_max());
  }
  // Allreduces of so many bytes, at least one, go directly, until it is said otherwise or members are lost.
  void admit(std::uint64_t bytes, const DirectWay& way) {
    admitted_bytes_ = bytes;
    way_ = way;
    rank_count_ = means_.view.ranks().size();
  }
  // Of what is admitted.
  const DirectWay& way() const { return way_; }
  void dismiss() { admitted_bytes_ = none; }
  bool take(std::uint64_t bytes) const {
    return bytes == admitted_bytes_ && rank_count_ == means_.view.ranks().size();
  }

  enum class Progress { not_begun, under_way, done };
  // If it takes so many bytes. What is not begun has left no trace.
  [[gnu::hot]] Progress begin(const ShortSum& sum);
  // Of what is under way: whether to go on with it.
  bool has_news() const { return means_.gathering.has_news(); }
  WaitList::Comers comers() const { return means_.gathering.comers(); }
  [[gnu::hot]] Progress go_on(const ShortSum& sum);

 private:
  bool is_small(std::uint64_t bytes) const { return bytes <= means_.layout.small_bytes; }
  [[gnu::hot]] bool enter(const ShortSum& sum);
  [[gnu::hot]] bool enter_with_small_data(const ShortSum& sum);
  [[gnu::hot]] bool enter_with_staged_data(const ShortSum& sum);
  [[gnu::hot]] bool get_small(const ShortSum& sum);
  [[gnu::hot]] bool form_small(const ShortSum& sum);
  [[gnu::hot]] bool share(const ShortSum& sum);

  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  const Means means_;
  std::uint64_t admitted_bytes_ = none;
  DirectWay way_;
  std::size_t rank_count_ = 0;
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
