// In which of the ways that there are an operation goes on, once all members have said what they come with.
#include <algorithm>

#include "operations/direct_operation.hpp"

namespace detour {

bool DirectOperation::streams() const {
  const bool replaces_input = call_->input == result();
  switch (way_.stores) {
    case StoreChoice::automatic:
      return header_.bytes >=
             (replaces_input ? layout_.streamed_in_place_bytes_min : layout_.streamed_bytes_min);
    case StoreChoice::cached:
      return false;
    case StoreChoice::apart:
      return !replaces_input;
    case StoreChoice::streamed:
      return true;
  }
  return false;
}

// Slots are so large, and elements are not cut up.
std::size_t DirectOperation::piece_bytes() const {
  const std::size_t wanted = std::max({static_cast<std::size_t>(way_.piece_bytes),
                                       layout_.piece_bytes_min, call_->combiner->element_bytes()});
  return std::min(wanted, layout_.piece_bytes);
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

// From what the members have said as they entered, and what became of attempts before, so that all come to the same.
DirectAttempt::Mode DirectOperation::choose_mode() const {
  using enum DirectAttempt::Inputs;
  using enum DirectAttempt::Results;
  const bool all_inputs_are_mapped = all_entries([](const MemberBlock::Entry& entry) {
    return entry.places.input_offset != MemberBlock::nowhere;
  });
  const bool all_outputs_are_mapped = all_entries([](const MemberBlock::Entry& entry) {
    return entry.places.output_offset != MemberBlock::nowhere;
  });
  if (all_inputs_are_mapped && inputs_are_intact_) {
    if (all_outputs_are_mapped && !any_in_place()) {
      return {.inputs = mapped, .results = in_outputs};
    }
    if (all_have_room_for(mapped_pieces())) {
      return {.inputs = mapped, .results = kept, .copies_at_end = any_in_place()};
    }
  }
  const bool keeps = keeps_inputs() && all_have_room_for(pieces());
  return {.inputs = staged, .results = keeps ? kept : in_turns, .copies_at_end = keeps};
}

}  // namespace detour
