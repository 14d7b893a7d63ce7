#include "node/direct_group.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace detour {

DirectGroup::DirectGroup(CallBoard& board, DecisionStore& decisions,
                         const MemberBlockLayout& layout, Waiter waiter)
    : board_(board),
      decisions_(decisions),
      layout_(layout),
      waiter_(std::move(waiter)),
      contributors_(MemberSet::all(board.members().size())),
      contributor_count_(board.members().size()) {}

void DirectGroup::set_results(std::uint64_t offset, std::uint64_t bytes) {
  results_offset_ = offset;
  results_bytes_ = bytes;
}

std::size_t DirectGroup::kept_bytes(const Combiner& combiner, std::size_t bytes) const {
  const Pieces cut = pieces(combiner, bytes);
  return cut.count() * cut.slice_bytes_max(board_.present().size());
}

bool DirectGroup::is_idle() const {
  return std::all_of(board_.present().begin(), board_.present().end(), [this](std::size_t rank) {
    const Counter& copied = board_.members()[rank].copied();
    return copied.load() >= piece_count_ || copied.is_sealed();
  });
}

// Waits for everybody, so that all compare the same headers and come to the same verdict.
CallResult DirectGroup::enter(const CallHeader& header, bool is_in_place) {
  attempt_count_ = 1;
  if (!board_.enter({header, pipeline_offset_, results_offset_, results_bytes_, is_in_place})) {
    return CallResult::fenced;
  }
  if (board_.wait_for_all(waiter_) != WaitResult::reached) return CallResult::stopped;
  // Members only go: as many as before are the same ones.
  if (board_.present().size() != contributor_count_) {
    contributors_ = present();
    contributor_count_ = board_.present().size();
  }
  verdict_ = board_.verdict();
  return verdict_.all_agree() ? CallResult::done : CallResult::mismatch;
}

MemberSet DirectGroup::present() const {
  MemberSet set(board_.members().size());
  for (const std::size_t rank : board_.present()) set.add(rank);
  return set;
}

CallResult DirectGroup::meet(const CallHeader& header) {
  const CallResult result = enter(header, false);
  board_.leave();
  return result;
}

CallResult DirectGroup::allreduce(const CallHeader& header, const Combiner& combiner,
                                  const std::byte* input, std::byte* output) {
  const CallResult result = needs_pipeline(header.bytes)
                                ? allreduce_large(header, combiner, input, output)
                                : allreduce_small(header, combiner, input, output);
  board_.leave();
  return result;
}

CallResult DirectGroup::allreduce_small(const CallHeader& header, const Combiner& combiner,
                                        const std::byte* input, std::byte* output) {
  if (header.bytes > 0) {  // a null buffer is fine for nothing
    std::memcpy(board_.own().small(board_.call_number()), input, header.bytes);
  }
  const CallResult result = enter(header, false);
  if (result != CallResult::done || header.bytes == 0) return result;
  inputs_.clear();
  for (const std::size_t rank : board_.present()) {
    inputs_.push_back(board_.members()[rank].small(board_.call_number()));
  }
  combiner.combine(output, inputs_, header.bytes / combiner.element_bytes());
  return result;
}

// The first piece is staged while the others are still to come, as if nobody was going to be missing.
CallResult DirectGroup::allreduce_large(const CallHeader& header, const Combiner& combiner,
                                        const std::byte* input, std::byte* output) {
  has_undo_ = false;
  const std::size_t expected_count = contributor_count_;
  const Pieces first_cut = pieces(combiner, header.bytes);
  DirectAttempt first = prepare(contributors_, first_cut, combiner);
  first.stage_first(input);
  if (const CallResult result = enter(header, input == output); result != CallResult::done) {
    return result;
  }
  const auto& present = board_.present();
  last_was_in_place_ = std::any_of(present.begin(), present.end(), [this](std::size_t rank) {
    return board_.entry(rank).is_in_place != 0;
  });
  for (bool is_begun = contributor_count_ == expected_count;; is_begun = false) {
    const Pieces cut = pieces(combiner, header.bytes);
    const auto result =
        is_begun ? run(first, cut, input, output) : attempt_anew(cut, combiner, input, output);
    piece_count_ += cut.count();
    if (result == DirectAttempt::Result::done) return CallResult::done;
    if (result == DirectAttempt::Result::fenced) return CallResult::fenced;
    if (result == DirectAttempt::Result::stopped) return CallResult::stopped;
    contributors_ = agree_on_the_dead(contributors_, cut.end_number());
    contributor_count_ = contributors_.members().size();
    if (!contributors_.has(board_.rank())) return CallResult::fenced;
    ++attempt_count_;
  }
}

DirectAttempt::Result DirectGroup::attempt_anew(const Pieces& cut, const Combiner& combiner,
                                                const std::byte* input, std::byte* output) {
  DirectAttempt attempt = prepare(contributors_, cut, combiner);
  attempt.stage_first(has_undo_ ? undo_.data() : input);
  return run(attempt, cut, input, output);
}

DirectAttempt::Result DirectGroup::run(DirectAttempt& attempt, const Pieces& cut,
                                       const std::byte* input, std::byte* output) {
  const auto ranks = contributors_.members();
  for (std::size_t position = 0; position < ranks.size(); ++position) {
    const auto& entry = board_.entry(ranks[position]);
    attempt.set_slots(position, entry.pipeline_offset, entry.results_offset);
  }
  const auto mode = results_mode(ranks, cut);
  if (input == output && (has_undo_ || mode == DirectAttempt::Results::in_turns)) {
    if (!has_undo_) save_input(input);
    input = undo_.data();
  }
  return attempt.run(input, output, mode);
}

// Before the first attempt that overwrites anything, and not again: the next one would save what that one wrote.
void DirectGroup::save_input(const std::byte* input) {
  const std::size_t bytes = verdict_.header.bytes;
  if (undo_.size() < bytes) undo_.resize(bytes);
  std::memcpy(undo_.data(), input, bytes);
  has_undo_ = true;
}

// The others' slots are known only once all have entered.
DirectAttempt DirectGroup::prepare(const MemberSet& members, const Pieces& cut,
                                   const Combiner& combiner) const {
  std::vector<DirectAttempt::Member> list;
  std::size_t position = 0;
  for (const std::size_t rank : members.members()) {
    list.push_back({.block = &board_.members()[rank]});
    if (rank != board_.rank()) continue;
    position = list.size() - 1;
    list.back().pipeline_offset = pipeline_offset_;
  }
  return DirectAttempt(std::move(list), position, cut, combiner, waiter_);
}

// The same on all: made of what all have said when they entered.
DirectAttempt::Results DirectGroup::results_mode(const std::vector<std::size_t>& ranks,
                                                 const Pieces& cut) const {
  const std::size_t needed_bytes = cut.count() * cut.slice_bytes_max(ranks.size());
  const bool any_in_place = std::any_of(ranks.begin(), ranks.end(), [this](std::size_t rank) {
    return board_.entry(rank).is_in_place != 0;
  });
  const bool all_have_room = std::all_of(ranks.begin(), ranks.end(), [&](std::size_t rank) {
    return board_.entry(rank).results_bytes >= needed_bytes;
  });
  return any_in_place && all_have_room ? DirectAttempt::Results::kept
                                       : DirectAttempt::Results::in_turns;
}

// All who took part in a broken attempt come here, and each proposes those that it knows to have broken it:
// so whichever proposal is first has at least one of them.
MemberSet DirectGroup::agree_on_the_dead(const MemberSet& members, std::uint64_t end_number) {
  MemberSet dead(members.member_count());
  for (const std::size_t rank : members.members()) {
    const MemberBlock& member = board_.members()[rank];
    if (is_sealed(member) && member.reduced().load() < end_number) dead.add(rank);
  }
  const MemberSet decided = decisions_.decide(epoch_++, dead);
  MemberSet left = members;
  for (const std::size_t rank : decided.members()) left.remove(rank);
  return left;
}

Pieces DirectGroup::pieces(const Combiner& combiner, std::size_t bytes) const {
  return {piece_count_, layout_.piece_bytes, combiner.element_bytes(), bytes};
}

}  // namespace detour
