#include "operations/direct_operation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "fault_points.hpp"
#include "protocol_switches.hpp"
#include "shm/fetching.hpp"

namespace detour {

DirectOperation::DirectOperation(View& view, const MemberBlockLayout& layout, DirectMemory& memory,
                                 const Bells& bells, const OperationErrors& errors, Node node)
    : view_(view),
      layout_(layout),
      memory_(memory),
      bells_(bells),
      errors_(errors),
      sharing_(view.ranks().size(), writing_),
      gathering_(view.board(), node),
      short_sums_({view, gathering_, writing_, sharing_, layout_, memory, piece_count_}) {}

// The dead are sealed. If one of them is still at it, it reads what nobody will ever ask it for.
std::vector<std::size_t> DirectOperation::readers() const {
  std::vector<std::size_t> result;
  for (const std::size_t rank : view_.ranks()) {
    const Counter& copied = view_.board().members()[rank].copied();
    if (copied.load() < piece_count_ && !copied.is_sealed()) result.push_back(rank);
  }
  return result;
}

void DirectOperation::begin(const Call& call, Survives survives, const DirectWay& way) {
  start_anew(call, survives, way);
  // Slots are written again every other call, because to get there all have left the one before: not so who was given
  // up, and whose data in a call that it had entered others may still be reading.
  if (view_.is_given_up()) {
    end(errors_.fenced());
    return;
  }
  if (gathering_.is_roomy() && is_small()) view_.board().fetch_slots(header_.bytes);
  if (call.moves_data() && !call.gets_everything()) {
    aside_.reset(new (std::nothrow) std::byte[header_.bytes]);
    if (!aside_) header_.error = errors_.no_memory();
  }
  if (header_.error == 0 && header_.bytes > 0 && !is_small()) {
    state_ = State::getting_room;
    get_room();
    return;
  }
  enter();
}

// All that enter() and the first step do is done.
void DirectOperation::take_over(const Call& call, Survives survives, const DirectWay& way) {
  start_anew(call, survives, way);
  moves_data_ = true;
  if (!is_small()) places_ = view_.board().entry(view_.rank()).places;
  entered_attempt_ = view_.attempt_number();
  state_ = State::meeting;
}

void DirectOperation::start_anew(const Call& call, Survives survives, const DirectWay& way) {
  call_ = &call;
  header_ = call.header;
  survives_ = survives;
  way_ = way;
  attempt_count_ = 1;
  saved_input_.forget();
  places_ = {};  // what there was for the call before may have been given back
  attempt_.reset();
  mapped_.reset();
  rings_ = call.header.kind == CallKind::nonblocking_allreduce;
  aside_.reset();
}

// While the others' data is still to come.
void DirectOperation::fetch_output() const {
  if (gathering_.is_roomy() && moves_data_ && is_small() && !replaces_input()) {
    fetch_for_writing(result(), header_.bytes);
  }
}

// As long as the call is not entered the others have nothing to do with it: for them this rank is only late.
Operation::Progress DirectOperation::get_room() {
  const auto pipeline = memory_.pipeline(layout_.pipeline_bytes());
  if (!pipeline && memory_.room_comes_later()) return Progress::stuck;
  if (pipeline) {
    places_.pipeline_offset = *pipeline;
    places_.input_offset = memory_.place_of({call_->input, header_.bytes});
    places_.output_offset = memory_.place_of({result(), header_.bytes});
    if (is_shared()) {
      SharedReduction::stage({view_.rank(), &view_.board().own(), *pipeline}, piece_count_,
                             call_->input, header_.bytes, writing_);
    } else {
      prepare_large();
    }
  } else {
    header_.error = errors_.no_memory();
  }
  enter();
  return Progress::moved;
}

// The first piece is staged while the others are still to come, as if nobody was going to be missing. Not so if it can be
// read where it is: most likely the others' can, too.
void DirectOperation::prepare_large() {
  if (places_.input_offset != MemberBlock::nowhere) return;
  // Most calls are like the one before.
  if (is_in_place() || last_kept_results_) {
    const auto room = memory_.results(results_bytes(pieces()));
    places_.results_offset = room.offset;
    places_.results_bytes = room.bytes;
  }
  stage_first();
}

void DirectOperation::stage_first() {
  attempt_.emplace(make_attempt());
  attempt_->stage_first(original_input());
}

void DirectOperation::enter() {
  state_ = State::entered;
  moves_data_ = header_.error == 0 && header_.bytes > 0;
  entered_attempt_ = view_.attempt_number();
  gathering_.begin(header_.error == 0 && (!moves_data_ || is_small()));
  const std::uint64_t in_place = moves_data_ && replaces_input() ? 1 : 0;
  CallBoard& board = view_.board();
  if (const auto small = small_input(); !small.empty()) {
    writing_.copy(board.own().small(board.call_number()), small.data(), small.size());
  }
  if (!board.enter({header_, places_, in_place})) {
    end(errors_.fenced());
    return;
  }
  if (rings_) bells_.ring();
}

std::span<const std::byte> DirectOperation::small_input() const {
  if (!moves_data_ || !is_small()) return {};
  return {call_->input, header_.bytes};
}

Operation::Progress DirectOperation::step() {
  if (state_ == State::getting_room) return get_room();
  if (state_ == State::entered) {
    const bool all_seem_there = gathering_.post(small_input());
    state_ = State::meeting;
    fetch_output();
    // Those who are still to come had better find their counters in their own caches, so nobody looks at them yet. But
    // whoever is told by a bell that there is something to look at has to.
    if (!all_seem_there && !rings_) return Progress::stuck;
  }
  if (state_ == State::meeting) {
    const auto teller = gathering_.teller();
    return teller ? hear(*teller) : meet();
  }
  if (state_ == State::sharing) return share();
  if (state_ == State::reducing) return reduce_large();
  if (state_ == State::reducing_mapped) return reduce_mapped();
  if (state_ == State::leaving) return wait_for_readers();
  return Progress::ended;
}

WaitList DirectOperation::waits_for() const {
  if (state_ == State::meeting) {
    WaitList awaited = view_.entering();
    gathering_.add_to(awaited);
    return awaited;
  }
  if (state_ == State::leaving) return {readers_left_, entered_attempt_ + 1};
  if (state_ == State::reducing_mapped) return mapped_->waits_for();
  return attempt_ ? attempt_->waits_for() : WaitList{};
}

// Waits for everybody, so that all compare the same headers and come to the same verdict.
Operation::Progress DirectOperation::meet() {
  CallBoard& board = view_.board();
  if (board.notices_agree()) return go_on_together();
  if (!board.all_have_entered()) return Progress::stuck;
  const CallVerdict verdict = board.verdict();
  if (!verdict.all_agree() && !view_.is_given_up() && !protocol_switches.ignore_disagreement) {
    view_.adopt_present();
    return end(errors_.disagreement(verdict));
  }
  return go_on_together();
}

// All have entered who are going to, and agree: unless this rank was given up, and has read what they said later.
Operation::Progress DirectOperation::go_on_together() {
  memory_.all_have_entered();
  const bool somebody_is_missing = view_.adopt_present();
  if (moves_data_ && is_small() && !is_root_lost()) {
    reduce_small();
    if (view_.is_given_up()) return end(errors_.fenced());
    if (!somebody_is_missing) gathering_.tell(result(), header_.bytes);
    return deliver();
  }
  if (view_.is_given_up()) return leave(errors_.fenced());
  if (is_root_lost()) return end_without_root();
  if (!moves_data_) {
    if (!somebody_is_missing) gathering_.tell(result(), 0);
    return deliver();
  }
  if (!all_share()) return begin_first_attempt(somebody_is_missing);
  begin_sharing();
  return view_.is_given_up() ? leave(errors_.fenced()) : Progress::moved;
}

Operation::Progress DirectOperation::hear(std::size_t teller) {
  memory_.all_have_entered();
  gathering_.copy_told(teller, result(), header_.bytes);
  return view_.is_given_up() ? end(errors_.fenced()) : deliver();
}

bool DirectOperation::is_root_lost() const {
  return call_->header.root >= 0 && !view_.has_worker(static_cast<std::size_t>(call_->header.root));
}

Operation::Progress DirectOperation::end_without_root() {
  const std::array<std::size_t, 1> root{static_cast<std::size_t>(call_->header.root)};
  return end(errors_.members_lost(root));
}

void DirectOperation::reduce_small() {
  DETOUR_FAULT_POINT("reducing-small");
  view_.board().collect_small_data(header_.bytes, inputs_);
  call_->combiner->combine(result(), inputs_, header_.bytes / call_->combiner->element_bytes());
}

void DirectOperation::begin_sharing() {
  state_ = State::sharing;
  const SharedReduction::Job job{.call = view_.board().call_number(),
                                 .piece = piece_count_,
                                 .bytes = header_.bytes,
                                 .part_bytes_min = layout_.part_bytes_min,
                                 .streams = streams(),
                                 .forms_all = gathering_.is_among_few(),
                                 .input = call_->input};
  sharing_.begin(view_.board(), job, *call_->combiner);
}

// That it has done with the piece is told to those who want to know whether somebody still reads. A rank that was given up
// may have read anything, and what it says is not heard.
Operation::Progress DirectOperation::share() {
  if (sharing_.step(result())) return Progress::moved;
  ++piece_count_;
  const bool is_heard = view_.board().own().copied().raise_to(piece_count_);
  return is_heard && !view_.is_given_up() ? deliver() : end(errors_.fenced());
}

Operation::Progress DirectOperation::begin_first_attempt(bool somebody_is_missing) {
  if (all_inputs_are_mapped()) return begin_mapped();
  state_ = State::reducing;
  last_kept_results_ = keeps_inputs();
  if (somebody_is_missing) return begin_attempt();
  const bool all_have_staged = all_entries([](const MemberBlock::Entry& entry) {
    return entry.places.input_offset == MemberBlock::nowhere;
  });
  if (!attempt_) stage_first();
  return start(*attempt_, {.all_have_staged = all_have_staged, .results = choose_results()});
}

Operation::Progress DirectOperation::begin_attempt() {
  DETOUR_FAULT_POINT("attempting-anew");
  view_.begin_again();
  stage_first();
  return start(*attempt_, {.results = choose_results()});
}

Operation::Progress DirectOperation::reduce_large() {
  const auto progress = attempt_->step();
  if (progress == DirectAttempt::Progress::moved) return Progress::moved;
  if (progress == DirectAttempt::Progress::stuck) return Progress::stuck;
  const std::uint64_t end_number = attempt_->pieces().end_number();
  piece_count_ = end_number;
  if (progress == DirectAttempt::Progress::done) return deliver();
  if (progress == DirectAttempt::Progress::fenced) return leave(errors_.fenced());
  if (survives_ == Survives::no) {
    return end(errors_.members_lost(view_.lost(&MemberBlock::reduced, end_number)));
  }
  view_.agree_on_the_dead(&MemberBlock::reduced, end_number);
  if (!view_.has(view_.rank())) return end(errors_.fenced());
  if (is_root_lost()) return end_without_root();
  ++attempt_count_;
  return begin_attempt();
}

Operation::Progress DirectOperation::start(DirectAttempt& attempt, DirectAttempt::Mode mode) {
  const auto& ranks = view_.ranks();
  for (std::size_t position = 0; position < ranks.size(); ++position) {
    attempt.set_places(position, view_.board().entry(ranks[position]).places);
  }
  const std::byte* input = call_->input;
  if (is_in_place() &&
      (saved_input_.is_there() || mode.results == DirectAttempt::Results::in_turns)) {
    if (!saved_input_.is_there()) saved_input_.save(call_->input, call_->header.bytes);
    input = original_input();
  }
  mode.streams = streams();
  attempt.begin(input, result(), mode);
  // Then what the entries said, for the mode and for the places, was of another call.
  return view_.is_given_up() ? end(errors_.fenced()) : Progress::moved;
}

// What the call came with, whatever an attempt has overwritten.
const std::byte* DirectOperation::original_input() const {
  const bool is_saved = saved_input_.is_there() && !protocol_switches.forget_saved_input;
  return is_saved ? saved_input_.data() : call_->input;
}

// The others' places are known only once all have entered.
DirectAttempt DirectOperation::make_attempt() {
  std::vector<DirectAttempt::Member> list;
  std::size_t position = 0;
  for (const std::size_t rank : view_.ranks()) {
    list.push_back({.block = &view_.board().members()[rank]});
    if (rank != view_.rank()) continue;
    position = list.size() - 1;
    list.back().places = places_;
  }
  return DirectAttempt(std::move(list), position, pieces(), *call_->combiner, writing_,
                       rings_ ? &bells_ : nullptr);
}

Pieces DirectOperation::cut(std::size_t piece_bytes, std::size_t payload_bytes) const {
  return {piece_count_, piece_bytes, call_->combiner->element_bytes(), payload_bytes};
}

Operation::Progress DirectOperation::deliver() {
  if (aside_ && call_->output_bytes > 0) {
    std::memcpy(call_->output, aside_.get() + call_->output_first_byte, call_->output_bytes);
  }
  return end(0);
}

bool DirectOperation::abandon(int error) {
  return state_ != State::ended && leave(error) != Progress::ended;
}

// Even if this rank has staged all of it: whether the others make use of that depends on what they have, too.
bool DirectOperation::has_entered_with_mapped_input() const {
  return state_ >= State::entered && state_ != State::ended && moves_data_ && !is_small() &&
         places_.input_offset != MemberBlock::nowhere;
}

// This rank's slots are in use as long as the others have not done with the pieces that it has entered with. The program
// gets its memory back when nobody reads what is in it any more.
Operation::Progress DirectOperation::leave(int error) {
  if (attempt_) piece_count_ = attempt_->pieces().end_number();
  if (mapped_) piece_count_ = mapped_->pieces().end_number();
  if (has_entered_with_whole_data()) ++piece_count_;
  if (!has_entered_with_mapped_input() || protocol_switches.leave_while_read) return end(error);
  error_ = error;
  state_ = State::leaving;
  return wait_for_readers();
}

Operation::Progress DirectOperation::wait_for_readers() {
  readers_left_.clear();
  for (const MemberBlock& member : view_.board().members()) {
    if (!View::has_left(member, entered_attempt_)) readers_left_.push_back(&member.arrived());
  }
  return readers_left_.empty() ? end(error_) : Progress::stuck;
}

// Whoever waits for that was given up.
void DirectOperation::say_left() const {
  view_.say_left();
  if (rings_ && view_.workers().size() < view_.board().members().size()) bells_.ring();
}

Operation::Progress DirectOperation::end(int error) {
  error_ = error;
  state_ = State::ended;
  if (error == 0) view_.complete();
  // Whoever disagrees about the call may have called something else that others might have read.
  if (error != 0 || !is_small()) say_left();
  gathering_.end();
  view_.board().leave();
  return Progress::ended;
}

}  // namespace detour
