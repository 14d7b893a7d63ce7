#include "operations/direct_operation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "fault_points.hpp"
#include "protocol_switches.hpp"

namespace detour {

DirectOperation::DirectOperation(View& view, const MemberBlockLayout& layout, DirectMemory& memory,
                                 const Bells& bells, const OperationErrors& errors)
    : view_(view), layout_(layout), memory_(memory), bells_(bells), errors_(errors) {}

// The dead are sealed. If one of them is still at it, it reads what nobody will ever ask it for.
std::vector<std::size_t> DirectOperation::readers() const {
  std::vector<std::size_t> result;
  for (const std::size_t rank : view_.ranks()) {
    const Counter& copied = view_.board().members()[rank].copied();
    if (copied.load() < piece_count_ && !copied.is_sealed()) result.push_back(rank);
  }
  return result;
}

void DirectOperation::begin(const Call& call, Survives survives) {
  call_ = &call;
  survives_ = survives;
  state_ = State::entering;
  attempt_count_ = 1;
  has_undo_ = false;
  results_ = {};  // what there was for the call before may have been given back
  attempt_.reset();
  rings_ = call.header.kind == CallKind::nonblocking_allreduce;
  aside_.reset();
  // Slots are written again every other call, because to get there all have left the one before: not so who was given
  // up, and whose data in a call that it had entered others may still be reading.
  if (view_.is_given_up()) {
    end(errors_.fenced());
    return;
  }
  header_ = call.header;
  if (call.moves_data() && !call.gets_everything()) {
    aside_.reset(new (std::nothrow) std::byte[header_.bytes]);
    if (!aside_) header_.error = errors_.no_memory();
  }
  const bool moves_data = header_.error == 0 && header_.bytes > 0;
  if (moves_data && !is_small()) {
    state_ = State::getting_room;
    get_room();
    return;
  }
  if (moves_data) {
    std::memcpy(view_.board().own().small(view_.board().call_number()), call.input, header_.bytes);
  }
  enter();
}

// As long as the call is not entered the others have nothing to do with it: for them this rank is only late.
Operation::Progress DirectOperation::get_room() {
  const auto pipeline = memory_.pipeline(layout_.pipeline_bytes());
  if (!pipeline && memory_.room_comes_later()) return Progress::stuck;
  state_ = State::entering;
  if (pipeline) {
    pipeline_offset_ = *pipeline;
    prepare_large();
  } else {
    header_.error = errors_.no_memory();
  }
  enter();
  return Progress::moved;
}

// The first piece is staged while the others are still to come, as if nobody was going to be missing.
void DirectOperation::prepare_large() {
  // Room for results is wanted if anybody works in place: most calls are like the one before.
  if (is_in_place() || last_was_in_place_) {
    const Pieces cut = pieces();
    results_ = memory_.results(cut.count() * cut.slice_bytes_max(view_.ranks().size()));
  }
  attempt_.emplace(make_attempt());
  attempt_->stage_first(call_->input);
}

void DirectOperation::enter() {
  moves_data_ = header_.error == 0 && header_.bytes > 0;
  const std::uint64_t in_place = moves_data_ && is_in_place() ? 1 : 0;
  if (!view_.board().enter(
          {header_, pipeline_offset_, results_.offset, results_.bytes, in_place})) {
    end(errors_.fenced());
    return;
  }
  if (rings_) bells_.ring();
}

Operation::Progress DirectOperation::step() {
  if (state_ == State::getting_room) return get_room();
  if (state_ == State::entering) return meet();
  if (state_ == State::reducing) return reduce_large();
  return Progress::ended;
}

WaitList DirectOperation::waits_for() const {
  if (state_ == State::entering) return view_.entering();
  return attempt_ ? attempt_->waits_for() : WaitList{};
}

// Waits for everybody, so that all compare the same headers and come to the same verdict.
Operation::Progress DirectOperation::meet() {
  CallBoard& board = view_.board();
  if (!board.all_have_entered()) return Progress::stuck;
  memory_.all_have_entered();
  const bool somebody_is_missing = view_.adopt_present();
  const CallVerdict verdict = board.verdict();
  if (view_.is_given_up()) return end(errors_.fenced());
  if (!verdict.all_agree() && !protocol_switches.ignore_disagreement) {
    return end(errors_.disagreement(verdict));
  }
  if (is_root_lost()) return end_without_root();
  if (!moves_data_) return end(0);
  if (!is_small()) {
    begin_first_attempt(somebody_is_missing);
    return Progress::moved;
  }
  reduce_small();
  if (view_.is_given_up()) return end(errors_.fenced());
  return deliver();
}

bool DirectOperation::is_root_lost() const {
  return call_->header.root >= 0 && !view_.has(static_cast<std::size_t>(call_->header.root));
}

Operation::Progress DirectOperation::end_without_root() {
  const std::array<std::size_t, 1> root{static_cast<std::size_t>(call_->header.root)};
  return end(errors_.members_lost(root));
}

void DirectOperation::reduce_small() {
  DETOUR_FAULT_POINT("reducing-small");
  const CallBoard& board = view_.board();
  inputs_.clear();
  for (const std::size_t rank : board.present()) {
    inputs_.push_back(board.members()[rank].small(board.call_number()));
  }
  call_->combiner->combine(result(), inputs_,
                           call_->header.bytes / call_->combiner->element_bytes());
}

void DirectOperation::begin_first_attempt(bool somebody_is_missing) {
  last_was_in_place_ = any_in_place();
  state_ = State::reducing;
  if (somebody_is_missing) {
    begin_attempt();
  } else {
    start(*attempt_);
  }
}

void DirectOperation::begin_attempt() {
  DETOUR_FAULT_POINT("attempting-anew");
  attempt_.emplace(make_attempt());
  view_.begin_again();
  attempt_->stage_first(saved_input());
  start(*attempt_);
}

Operation::Progress DirectOperation::reduce_large() {
  const auto progress = attempt_->step();
  if (progress == DirectAttempt::Progress::moved) return Progress::moved;
  if (progress == DirectAttempt::Progress::stuck) return Progress::stuck;
  const std::uint64_t end_number = attempt_->pieces().end_number();
  piece_count_ = end_number;
  if (progress == DirectAttempt::Progress::done) return deliver();
  if (progress == DirectAttempt::Progress::fenced) return end(errors_.fenced());
  if (survives_ == Survives::no) {
    return end(errors_.members_lost(view_.lost(&MemberBlock::reduced, end_number)));
  }
  view_.agree_on_the_dead(&MemberBlock::reduced, end_number);
  if (!view_.has(view_.rank())) return end(errors_.fenced());
  if (is_root_lost()) return end_without_root();
  ++attempt_count_;
  begin_attempt();
  return Progress::moved;
}

// What the members have said as they entered, so that all come to the same mode.
void DirectOperation::start(DirectAttempt& attempt) {
  const auto& ranks = view_.ranks();
  for (std::size_t position = 0; position < ranks.size(); ++position) {
    const auto& entry = view_.board().entry(ranks[position]);
    attempt.set_slots(position, entry.pipeline_offset, entry.results_offset);
  }
  const auto mode = results_mode(attempt.pieces());
  const std::byte* input = call_->input;
  if (is_in_place() && (has_undo_ || mode == DirectAttempt::Results::in_turns)) {
    if (!has_undo_) save_input();
    input = saved_input();
  }
  attempt.begin(input, result(), mode);
}

// Before the first attempt that overwrites anything, and not again: the next one would save what that one wrote.
void DirectOperation::save_input() {
  const std::size_t bytes = call_->header.bytes;
  if (undo_bytes_ < bytes) {
    undo_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    undo_bytes_ = bytes;
  }
  std::memcpy(undo_.get(), call_->input, bytes);
  has_undo_ = true;
}

// What the call came with, whatever an attempt has overwritten.
const std::byte* DirectOperation::saved_input() const {
  return has_undo_ && !protocol_switches.forget_saved_input ? undo_.get() : call_->input;
}

// The others' slots are known only once all have entered.
DirectAttempt DirectOperation::make_attempt() const {
  std::vector<DirectAttempt::Member> list;
  std::size_t position = 0;
  for (const std::size_t rank : view_.ranks()) {
    list.push_back({.block = &view_.board().members()[rank]});
    if (rank != view_.rank()) continue;
    position = list.size() - 1;
    list.back().pipeline_offset = pipeline_offset_;
  }
  return DirectAttempt(std::move(list), position, pieces(), *call_->combiner,
                       rings_ ? &bells_ : nullptr);
}

bool DirectOperation::any_in_place() const {
  return std::any_of(view_.ranks().begin(), view_.ranks().end(), [this](std::size_t rank) {
    return view_.board().entry(rank).is_in_place != 0;
  });
}

DirectAttempt::Results DirectOperation::results_mode(const Pieces& cut) const {
  const auto& ranks = view_.ranks();
  const std::size_t needed_bytes = cut.count() * cut.slice_bytes_max(ranks.size());
  const bool all_have_room = std::all_of(ranks.begin(), ranks.end(), [&](std::size_t rank) {
    return view_.board().entry(rank).results_bytes >= needed_bytes;
  });
  return any_in_place() && all_have_room ? DirectAttempt::Results::kept
                                         : DirectAttempt::Results::in_turns;
}

Pieces DirectOperation::pieces() const {
  return {piece_count_, layout_.piece_bytes, call_->combiner->element_bytes(), call_->header.bytes};
}

Operation::Progress DirectOperation::deliver() {
  if (aside_ && call_->output_bytes > 0) {
    std::memcpy(call_->output, aside_.get() + call_->output_first_byte, call_->output_bytes);
  }
  return end(0);
}

Operation::Progress DirectOperation::end(int error) {
  error_ = error;
  state_ = State::ended;
  if (error == 0) view_.complete();
  view_.board().leave();
  return Progress::ended;
}

}  // namespace detour
