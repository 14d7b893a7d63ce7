// In which of the ways that there are an operation goes on, once all members have said what they come with.
#include <algorithm>

#include "operations/direct_operation.hpp"

namespace detour {

bool DirectOperation::streams() const {
  return way_.streams(layout_, header_.bytes, replaces_input());
}

// What few ranks replace is still in their caches: they have read it for the same piece.
bool DirectOperation::keeps_mapped_in_caches() const {
  constexpr std::size_t few = 4;
  return view_.workers().size() <= few;
}

bool DirectOperation::streams_mapped() const {
  return streams() && !(replaces_input() && keeps_mapped_in_caches());
}

// Slots are so large, and elements are not cut up.
std::size_t DirectOperation::piece_bytes() const {
  const std::size_t wanted = std::max({static_cast<std::size_t>(way_.piece_bytes),
                                       layout_.piece_bytes_min, call_->combiner->element_bytes()});
  return std::min(wanted, layout_.piece_bytes);
}

// Larger than what is staged, because each piece costs a synchronisation: slices fill slots, if the table does not want
// less, and if they had not better stay in caches together with what they are going to replace. Where there are no slots,
// what somebody who dies costs the others is a piece.
Pieces DirectOperation::mapped_pieces() const {
  const std::size_t rest_bytes = header_.bytes - committed_bytes_;
  if (mapped_results_ == MappedReduction::Results::in_outputs) {
    return cut(16 * piece_bytes(), rest_bytes);
  }
  const std::size_t element_bytes = call_->combiner->element_bytes();
  const std::size_t slot_bytes =
      std::min(2 * piece_bytes(), keeps_mapped_in_caches() ? layout_.cached_result_bytes()
                                                           : layout_.wide_result_bytes());
  const std::size_t slice_bytes = slot_bytes / element_bytes * element_bytes;
  return cut(view_.workers().size() * slice_bytes, rest_bytes);
}

// Who has nothing staged is seen by all: its input and output lie where they can read them.
bool DirectOperation::all_share() const {
  return is_shared() && all_entries([this](const MemberBlock::Entry& entry) {
           return !is_better_read_in_place(entry.places);
         });
}

bool DirectOperation::keeps_inputs() const {
  return saves_inputs() && any_in_place();
}

bool DirectOperation::any_in_place() const {
  return !all_entries([](const MemberBlock::Entry& entry) { return entry.is_in_place == 0; });
}

bool DirectOperation::all_have_room_for(const Pieces& cut) const {
  const std::size_t needed_bytes = results_bytes(cut);
  return all_entries([needed_bytes](const MemberBlock::Entry& entry) {
    return entry.places.results_bytes >= needed_bytes;
  });
}

bool DirectOperation::all_inputs_are_mapped() const {
  return all_entries([](const MemberBlock::Entry& entry) {
    return entry.places.input_offset != MemberBlock::nowhere;
  });
}

// From what the members have said as they entered, so that all come to the same.
DirectAttempt::Results DirectOperation::choose_results() const {
  return keeps_inputs() && all_have_room_for(pieces()) ? DirectAttempt::Results::kept
                                                       : DirectAttempt::Results::in_turns;
}

MappedReduction::Results DirectOperation::choose_mapped_results() const {
  const bool all_outputs_are_mapped = all_entries([](const MemberBlock::Entry& entry) {
    return entry.places.output_offset != MemberBlock::nowhere;
  });
  return all_outputs_are_mapped && !any_in_place() ? MappedReduction::Results::in_outputs
                                                   : MappedReduction::Results::in_slots;
}

}  // namespace detour
