#include "operations/engine.hpp"

#include <utility>

#include "protocol_switches.hpp"

namespace detour {

Engine::Engine(std::size_t member_count, const Means& means, RouteBook book)
    : means_(means), book_(std::move(book)), everybody_(MemberSet::all(member_count)) {
  if (means_.view != nullptr) {
    direct_.emplace(*means_.view, means_.layout, *means_.memory, means_.bells, means_.errors,
                    means_.node);
  }
}

bool Engine::can_go_direct(const Call& call) const {
  return direct_ &&
         (!call.moves_data() || direct_->holds_elements_of(call.combiner->element_bytes()));
}

bool Engine::can_do(const Call& call) const {
  return call.is_commutative || !call.moves_data() || can_go_direct(call);
}

bool Engine::goes_direct(const Call& call) {
  if (!can_go_direct(call)) return false;
  const CallKind kind = call.header.kind;
  if (!call.is_commutative || kind == CallKind::barrier) return true;
  const bool is_allreduce = kind == CallKind::allreduce || kind == CallKind::nonblocking_allreduce;
  return is_allreduce && book_->prefers_direct(call.header.bytes);
}

void Engine::set_book(RouteBook book) {
  book_.emplace(std::move(book));
  if (direct_) direct_->short_sums().dismiss();
}

// The next call is most likely like this one. Nothing is left to be decided then: not so if this one goes directly for a
// reason that that one need not have.
void Engine::admit_short_sums(const Call& call, const DirectWay& way) {
  const bool is_plain = call.header.kind == CallKind::allreduce && call.is_commutative &&
                        call.moves_data() && book_->settings().rescaling == Rescaling::none;
  if (is_plain && direct_->short_sums().are_for(call.header.bytes, way)) {
    direct_->short_sums().admit(call.header.bytes, way);
  }
}

Operation& Engine::take_over(const Call& call) noexcept {
  last_was_direct_ = true;
  direct_->take_over(call, survival(), direct_->short_sums().way());
  return *direct_;
}

Operation& Engine::begin(const Call& call) {
  if (means_.view != nullptr) book_->set_living(means_.view->ranks());
  last_was_direct_ = goes_direct(call);
  if (last_was_direct_) {
    const DirectWay way = call.moves_data() ? book_->direct_way(call.header.bytes) : DirectWay{};
    admit_short_sums(call, way);
    direct_->begin(call, survival(), way);
    return *direct_;
  }
  routed_.emplace(RoutedOperation::Means{.view = means_.view,
                                         .book = *book_,
                                         .links = means_.links,
                                         .bells = means_.bells,
                                         .errors = means_.errors,
                                         .number = routed_count_++,
                                         .survives = survives_},
                  call);
  return *routed_;
}

const MemberSet& Engine::contributors() const {
  return means_.view != nullptr ? means_.view->members() : everybody_;
}

int Engine::attempt_count() const {
  if (last_was_direct_) return direct_->attempt_count();
  return routed_ ? routed_->attempt_count() : 1;
}

Operation* Engine::abandon(int error) {
  return last_was_direct_ && direct_->abandon(error) ? &*direct_ : nullptr;
}

void Engine::withdraw() {
  if (means_.view == nullptr) return;
  means_.view->withdraw();
  // Sealing wakes who waits for a counter of this rank's; in routed operations the others wait for their bells.
  if (!protocol_switches.withdraw_silently) means_.bells.ring();
}

}  // namespace detour
