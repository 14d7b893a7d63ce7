// What one member of a node's group has in its shared heap, for the others to read.
//
//   counters | two notices | two entries | two reports |                    the block, there as long as the communicator
//   two ledgers | two posted slots | two small slots | two sum slots
//   two staging slots | two result slots                                    the pipeline, there when large data is reduced
//   two wide result slots                                                   the same, where nothing is staged
//
// Everything but the ledgers is written by its owner alone. There are two of each slot, used in turns: see
// direct_operation.hpp for why two are enough.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "collectives/call_header.hpp"
#include "node/notice.hpp"
#include "node/work_ledger.hpp"
#include "protocol_switches.hpp"
#include "shm/counter.hpp"

namespace detour {

struct MemberBlockLayout {
  std::size_t small_bytes = 0;         // of one small slot, and of one sum slot
  std::size_t piece_bytes = 0;         // of one staging slot, and of one result slot
  std::size_t piece_bytes_min = 4096;  // below, a piece costs more in waiting than in work
  std::size_t part_bytes_min = 4096;   // of what one rank forms for all
  // Below, data that others can read where it lies is copied for them all the same: that saves synchronisations.
  std::size_t read_in_place_bytes_min = std::size_t{256} << 10;
  // From these sizes on outputs are written past the caches, where they save reading what is overwritten: those that
  // are not in the caches yet, and those that replace inputs, which were read not long ago.
  std::size_t streamed_bytes_min = std::size_t{64} << 10;
  std::size_t streamed_in_place_bytes_min = std::size_t{8} << 20;
  // From this size on slots are written in the way that measures better: see operations/slot_writing.hpp.
  std::size_t measured_write_bytes_min = std::size_t{1} << 10;

  std::size_t block_bytes() const;
  // Data of so many bytes at most has one synchronisation, if the table does not want more, is not read in place, and its
  // header fits into a notice.
  constexpr std::size_t short_bytes_max() const {
    return std::min({piece_bytes, read_in_place_bytes_min - 1, std::size_t{brief_bytes_max}});
  }
  std::size_t pipeline_bytes() const { return 4 * piece_bytes; }
  std::size_t wide_result_bytes() const { return wide_result_bytes(piece_bytes); }
  // As much of one as stays in caches, with the inputs, until it is read.
  std::size_t cached_result_bytes() const { return piece_bytes / 2; }
  static std::size_t wide_result_bytes(std::size_t piece_bytes) { return 2 * piece_bytes; }
};

class MemberBlock {
 public:
  // The block begins at an offset in its owner's heap, as it is mapped here.
  MemberBlock(std::byte* heap, std::size_t offset, const MemberBlockLayout& layout)
      : heap_(heap),
        place_(heap + offset),
        small_bytes_(layout.small_bytes),
        piece_bytes_(layout.piece_bytes) {}

  // By the owner, before the others look: counters at 0.
  void create() const;

  // The number of calls that the owner has entered. Its header and, for a small message, its data are
  // in the slot of the last one.
  Counter& entered() const { return counter(0); }
  // The numbers of pieces, over all calls, that the owner has staged, reduced its slice of, and copied
  // the result of. What is shared whole counts as a piece in the last of them alone.
  Counter& staged() const { return counter(1); }
  Counter& reduced() const { return counter(2); }
  Counter& copied() const { return counter(3); }
  // The number after that of the last attempt in which the owner got its whole result, if it was routed, or after which it
  // has left a call whose members may have read each other's memory. And of routed operations twice that of the attempt it
  // has joined after a broken one, plus 1, or 2 when its report is there.
  Counter& arrived() const { return counter(4); }
  Counter& joined() const { return counter(5); }
  static constexpr std::size_t counter_count = 6;
  std::array<Counter*, counter_count> counters() const {
    return {&entered(), &staged(), &reduced(), &copied(), &arrived(), &joined()};
  }

  // Whether the owner is ready for an attempt: 0, or an error. Written again two attempts later, when everybody has
  // joined that one and so has done with this one.
  std::int64_t& report(std::uint64_t attempt) const {
    return at<std::int64_t>(reports_at + (attempt % 2) * sizeof(std::int64_t));
  }

  // Where in its heap the owner has what others read, which may have moved since the last call.
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  struct Places {
    std::uint64_t pipeline_offset = 0;
    std::uint64_t results_offset = 0;  // of kept results
    std::uint64_t results_bytes = 0;   // the room for them
    std::uint64_t input_offset = nowhere;
    std::uint64_t output_offset = nowhere;
  };
  // Of data, if all of it lies there.
  static std::uint64_t place_in(std::span<const std::byte> heap, std::span<const std::byte> data);

  // What the owner says as it enters a call.
  struct Entry {
    CallHeader header;
    Places places = {};
    std::uint64_t is_in_place = 0;  // its output is its input
  };
  Entry& entry(std::uint64_t call) const { return at<Entry>(entries_at + slot(call) * entry_room); }
  Notice& notice(std::uint64_t call) const {
    return at<Notice>(notices_at + slot(call) * sizeof(Notice));
  }
  // Who has formed what of a call's result: that of the first member in it is the one that counts.
  WorkLedger& ledger(std::uint64_t call) const {
    return at<WorkLedger>(ledgers_at + slot(call) * sizeof(WorkLedger));
  }
  std::byte* heap() const { return heap_; }
  // A copy of what is in the small slot, for those who have seen the notice, if it is too long for that but no longer than
  // this. Nobody else reads the small slot then, so that it stays in its owner's cache and the call is entered sooner.
  static constexpr std::size_t posted_bytes_max = 512;
  std::byte* posted(std::uint64_t call) const {
    return place_ + posted_at + slot(call) * posted_bytes_max;
  }
  std::byte* small(std::uint64_t call) const {
    return place_ + small_at + slot(call) * small_bytes_;
  }
  // The result of a small call that its owner has formed for all.
  std::byte* sum(std::uint64_t call) const { return small(call) + 2 * small_bytes_; }

  // In the pipeline at this offset of the heap.
  std::byte* staging(std::uint64_t pipeline_offset, std::uint64_t piece) const;
  std::byte* result(std::uint64_t pipeline_offset, std::uint64_t piece) const;
  // Where nothing is staged: two slots, each as large as two of the others.
  std::byte* wide_result(std::uint64_t pipeline_offset, std::uint64_t piece) const;

 private:
  friend struct MemberBlockLayout;

  static constexpr std::size_t entry_room = 128;  // cache lines of their own
  static constexpr std::size_t notices_at = counter_count * sizeof(Counter);
  static constexpr std::size_t entries_at = notices_at + 2 * sizeof(Notice);
  static constexpr std::size_t reports_at = entries_at + 2 * entry_room;
  static constexpr std::size_t ledgers_at = reports_at + 128;
  static constexpr std::size_t posted_at = ledgers_at + 2 * sizeof(WorkLedger);
  static constexpr std::size_t small_at = posted_at + 2 * posted_bytes_max;
  static_assert(sizeof(Entry) <= entry_room);

  static std::size_t slot(std::uint64_t call) {
    return protocol_switches.reuse_slots_at_once ? 0 : call % 2;
  }
  template <class T>
  T& at(std::size_t offset) const {
    return *reinterpret_cast<T*>(place_ + offset);
  }
  Counter& counter(std::size_t index) const {
    return Counter::at(place_ + index * sizeof(Counter));
  }

  std::byte* heap_;
  std::byte* place_;
  // All that is needed of the layout here: half a cache line is what a short call looks at for each member.
  std::size_t small_bytes_;
  std::size_t piece_bytes_;
};

}  // namespace detour
