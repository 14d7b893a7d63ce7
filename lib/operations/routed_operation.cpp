#include "operations/routed_operation.hpp"

#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "fault_points.hpp"
#include "protocol_switches.hpp"

namespace detour {
namespace {

bool overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  const auto at = [](const std::byte* place) { return reinterpret_cast<std::uintptr_t>(place); };
  return at(a) < at(b) + b_bytes && at(b) < at(a) + a_bytes;
}

}  // namespace

RoutedOperation::RoutedOperation(const Means& means, const Call& call)
    : means_(means), call_(call), source_(call.header.root), verdict_{.header = call.header} {
  first_attempt_ = attempt_number();
  // What it has said in a call before may still be read: it must not be written over.
  if (means_.view != nullptr && means_.view->is_given_up()) {
    end(means_.errors.fenced());
    return;
  }
  if (call_.moves_data() && !is_root_lost()) get_room_aside();
  get_room();
}

// As long as the call is not entered the others have nothing to do with it: for them this rank is only late.
Operation::Progress RoutedOperation::get_room() {
  const bool needs_links = call_.moves_data() && !is_root_lost();
  if (needs_links && !open_links()) return Progress::stuck;
  return enter() ? Progress::moved : Progress::stuck;
}

bool RoutedOperation::is_root_lost() const {
  return means_.view != nullptr && source_ != no_rank &&
         !means_.view->has(static_cast<std::size_t>(source_));
}

// Calls and decisions both count up, so that no two attempts have the same number, and all members know it.
std::uint64_t RoutedOperation::attempt_number() const {
  return means_.view != nullptr ? means_.view->attempt_number() : means_.number;
}

// Another attempt begins from the input. And the block of whoever dies before it has been gathered by all stays as it
// was, though it may have been gathered here.
bool RoutedOperation::needs_aside() const {
  if (means_.view == nullptr || !means_.survives) return false;
  if (protocol_switches.overwrite_input) return false;
  if (call_.header.kind == CallKind::broadcast || call_.output_bytes == 0) return false;
  return call_.header.kind == CallKind::allgather ||
         overlap(call_.input, call_.header.bytes, call_.output, call_.output_bytes);
}

void RoutedOperation::get_room_aside() {
  if (!needs_aside()) return;
  aside_.reset(new (std::nothrow) std::byte[call_.output_bytes]);
  if (!aside_) verdict_.header.error = means_.errors.no_memory();
}

// Whether that is settled. What goes wrong here goes into the header: so the others learn of it.
bool RoutedOperation::open_links() {
  const bool are_open = links_ && links_->error() == 0;
  if (are_open || verdict_.header.error != 0) return true;
  const auto error = make_route();
  if (error && room_comes_later()) return false;
  if (error) verdict_.header.error = *error;
  return true;
}

std::optional<int> RoutedOperation::make_route() try {
  DETOUR_FAULT_POINT("making-route");
  auto route = means_.book.route(call_, source_);
  if (!route.ok()) return means_.errors.no_route(route.reason());
  links_.reset();  // which refer to the route
  route_ = std::move(route).value();
  links_ = means_.links.open(*route_, epoch());
  if (const int error = links_->error(); error != 0) return error;
  return std::nullopt;
} catch (const std::bad_alloc&) {
  return means_.errors.no_memory();
}

// False: there is no room for that yet.
bool RoutedOperation::enter() {
  if (means_.view == nullptr) return begin_to_agree();
  state_ = State::entering;
  CallBoard& board = means_.view->board();
  if (board.enter({.header = verdict_.header})) {
    board.post_notice();
  } else {
    end(means_.errors.fenced());
  }
  means_.bells.ring();
  return true;
}

bool RoutedOperation::begin_to_agree() {
  agreement_links_.reset();
  agreement_route_ = means_.book.small_route(sizeof(CallVerdict)).value();
  agreement_links_ = means_.links.open(*agreement_route_, 2 * attempt_number());
  if (agreement_links_->room_comes_later()) return false;
  auto* const memory = reinterpret_cast<std::byte*>(&verdict_);
  agreement_.emplace(agreement_route_->program, verdict_combiner_, agreement_links_->transport(),
                     Buffers{memory, memory});
  state_ = State::agreeing;
  return true;
}

Operation::Progress RoutedOperation::step() {
  if (means_.view == nullptr && state_ != State::ended && means_.links.has_lost_members()) {
    return end(means_.errors.members_lost({}));
  }
  const Progress progress = take_step();
  if (progress == Progress::stuck) means_.links.make_progress();
  return progress;
}

Operation::Progress RoutedOperation::take_step() {
  switch (state_) {
    case State::getting_room:
      return get_room();
    case State::entering:
      return meet();
    case State::agreeing:
      return agree_by_messages();
    case State::joining:
      return join();
    case State::preparing:
      return report();
    case State::reported:
      return check_reports();
    case State::moving:
      return move();
    case State::closing:
      return close();
    case State::ended:
      break;
  }
  return Progress::ended;
}

WaitList RoutedOperation::waits_for() const {
  return state_ == State::entering ? means_.view->entering() : WaitList{};
}

Operation::Progress RoutedOperation::meet() {
  View& view = *means_.view;
  if (!view.board().all_have_entered()) return Progress::stuck;
  const bool somebody_is_missing = view.adopt_present();
  verdict_ = view.board().verdict();
  if (view.is_given_up()) return end(means_.errors.fenced());
  if (!verdict_.all_agree() && !protocol_switches.ignore_disagreement) {
    // Somebody may have called what others read each other's memory for.
    view.say_left();
    return end(means_.errors.disagreement(verdict_));
  }
  if (is_root_lost()) return end_without_root();
  if (!call_.moves_data()) return end(0);
  return somebody_is_missing ? begin_anew() : begin_to_move();
}

Operation::Progress RoutedOperation::agree_by_messages() {
  const auto progress = agreement_->step();
  if (const int error = agreement_links_->error(); error != 0) return end(error);
  if (progress == Executor::Progress::stuck) return Progress::stuck;
  if (progress == Executor::Progress::moved) return Progress::moved;
  if (!verdict_.all_agree()) return end(means_.errors.disagreement(verdict_));
  return call_.moves_data() ? begin_to_move() : end(0);
}

Operation::Progress RoutedOperation::begin_to_move() {
  DETOUR_FAULT_POINT("moving");
  std::byte* const output = aside_ ? aside_.get() : call_.output;
  executor_.emplace(route_->program, *call_.combiner, links_->transport(),
                    Buffers{call_.input, output, call_.output_first_byte});
  state_ = State::moving;
  return Progress::moved;
}

Operation::Progress RoutedOperation::move() {
  const auto progress = executor_->step();
  if (const int error = links_->error(); error != 0) return end(error);
  if (progress == Executor::Progress::moved) return Progress::moved;
  if (progress == Executor::Progress::finished) {
    if (means_.view == nullptr || !means_.survives) return end(0);
    DETOUR_FAULT_POINT("arriving");
    state_ = State::closing;
    return raise(&MemberBlock::arrived, arrival_value()) ? Progress::moved
                                                         : end(means_.errors.fenced());
  }
  // Whoever died without having arrived may be the one that this rank waits for.
  if (means_.view == nullptr) return Progress::stuck;
  const auto stage = means_.view->stage(&MemberBlock::arrived, arrival_value());
  return stage == View::Stage::broken ? regroup(&MemberBlock::arrived, arrival_value())
                                      : Progress::stuck;
}

Operation::Progress RoutedOperation::close() {
  const auto stage = means_.view->stage(&MemberBlock::arrived, arrival_value());
  if (stage == View::Stage::waiting && !protocol_switches.return_on_arrival) return Progress::stuck;
  if (stage == View::Stage::broken) return regroup(&MemberBlock::arrived, arrival_value());
  commit();
  return end(0);
}

Operation::Progress RoutedOperation::regroup(View::CounterOf counter, std::uint64_t value) {
  DETOUR_FAULT_POINT("regrouping");
  executor_.reset();
  links_.reset();
  // Without closing, some may have ended the operation already: they can't be asked.
  if (!means_.survives) return end(means_.errors.members_lost(means_.view->lost(counter, value)));
  means_.view->agree_on_the_dead(counter, value);
  if (!means_.view->has(means_.view->rank())) return end(means_.errors.fenced());
  ++attempt_count_;
  return begin_anew();
}

// With those who are left. Nobody has anything to do with the attempt before any more, which all will know.
Operation::Progress RoutedOperation::begin_anew() {
  const View& view = *means_.view;
  for (std::size_t member = 0; member < view.members().member_count(); ++member) {
    if (!view.has(member)) means_.links.drop(member);
  }
  DETOUR_FAULT_POINT("joining");
  state_ = State::joining;
  return raise(&MemberBlock::joined, join_value()) ? Progress::moved : end(means_.errors.fenced());
}

Operation::Progress RoutedOperation::join() {
  const auto stage = means_.view->stage(&MemberBlock::joined, join_value());
  if (stage == View::Stage::waiting && !protocol_switches.dont_wait_to_join) return Progress::stuck;
  if (stage == View::Stage::broken) return regroup(&MemberBlock::joined, join_value());
  // Now, because whoever sent it may need the memory for this attempt.
  means_.links.drop_messages_before(epoch());
  return find_source() ? prepare() : end_without_root();
}

// Only a broadcast can go on without its root: from whoever had arrived in any attempt at this call.
bool RoutedOperation::find_source() {
  if (!is_root_lost()) return true;
  if (call_.header.kind != CallKind::broadcast) return false;
  const View& view = *means_.view;
  for (const std::size_t rank : view.ranks()) {
    if (view.board().members()[rank].arrived().load() <= first_attempt_) continue;
    source_ = static_cast<Rank>(rank);
    return true;
  }
  return false;
}

Operation::Progress RoutedOperation::prepare() {
  links_.reset();
  means_.book.set_living(means_.view->ranks());
  state_ = State::preparing;
  return report();
}

// While there is no room yet somebody else may die: then nobody comes past the reports, and nobody waits for this one.
Operation::Progress RoutedOperation::report() {
  const auto error = make_route();
  if (error && room_comes_later()) {
    const auto stage = means_.view->stage(&MemberBlock::joined, report_value());
    return stage == View::Stage::broken ? regroup(&MemberBlock::joined, report_value())
                                        : Progress::stuck;
  }
  own_block().report(attempt_number()) = error.value_or(0);
  DETOUR_FAULT_POINT("reporting");
  state_ = State::reported;
  return raise(&MemberBlock::joined, report_value()) ? Progress::moved
                                                     : end(means_.errors.fenced());
}

Operation::Progress RoutedOperation::check_reports() {
  const View& view = *means_.view;
  const auto stage = view.stage(&MemberBlock::joined, report_value());
  if (stage == View::Stage::waiting && !protocol_switches.dont_wait_for_reports) {
    return Progress::stuck;
  }
  if (stage == View::Stage::broken) return regroup(&MemberBlock::joined, report_value());
  for (const std::size_t rank : view.ranks()) {
    const std::int64_t error = view.board().members()[rank].report(attempt_number());
    if (error != 0) {
      return end(view.is_given_up() ? means_.errors.fenced() : static_cast<int>(error));
    }
  }
  means_.view->begin_again();
  return begin_to_move();
}

Operation::Progress RoutedOperation::end_without_root() {
  const std::array<std::size_t, 1> root{static_cast<std::size_t>(call_.header.root)};
  return end(means_.errors.members_lost(root));
}

bool RoutedOperation::raise(View::CounterOf counter, std::uint64_t value) {
  const bool raised = (own_block().*counter)().raise_to(value);
  means_.bells.ring();
  return raised;
}

void RoutedOperation::commit() {
  DETOUR_FAULT_POINT("committing");
  if (!aside_) return;
  if (call_.header.kind != CallKind::allgather) {
    std::memcpy(call_.output, aside_.get(), call_.output_bytes);
    return;
  }
  std::size_t first = 0;
  for (std::size_t rank = 0; rank < call_.block_counts.size(); ++rank) {
    const std::size_t bytes = call_.block_counts[rank] * call_.combiner->element_bytes();
    if (means_.view->has(rank)) std::memcpy(call_.output + first, aside_.get() + first, bytes);
    first += bytes;
  }
}

Operation::Progress RoutedOperation::end(int error) {
  if (means_.view != nullptr) {
    means_.view->board().leave();
    if (error == 0) means_.view->complete();
  }
  executor_.reset();
  links_.reset();
  error_ = error;
  state_ = State::ended;
  return Progress::ended;
}

}  // namespace detour
