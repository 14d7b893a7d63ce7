#include "operations/gathering.hpp"

#include <sched.h>

#include <cstring>

namespace detour {

void Gathering::begin(bool may_be_told) {
  ledger_ = counts() ? &ledger_of_call() : nullptr;
  tells_ = ledger_ != nullptr && may_be_told;
}

// Two look at each other sooner.
bool Gathering::counts() const {
  const std::size_t count = board_.present().size();
  return node_ == Node::crowded && count > 2 && count <= Arrivals::count_max;
}

// All see the same first member, but for those who have not yet noticed that it was lost: they are told nothing, and look
// for themselves.
WorkLedger& Gathering::ledger_of_call() const {
  return board_.members()[board_.present()[0]].ledger(board_.call_number());
}

// The notice comes first: so whoever is the last to arrive finds those of all.
bool Gathering::post(std::span<const std::byte> small) {
  board_.post_notice(small);
  if (ledger_ == nullptr) return board_.all_have_posted();
  const auto comers = ledger_->arrivals().arrive(board_.call_number(), ::sched_getcpu());
  return comers.all() >= board_.present().size();
}

void Gathering::copy_told(std::size_t teller, std::byte* result, std::size_t bytes) const {
  if (bytes > 0) std::memcpy(result, board_.members()[teller].sum(board_.call_number()), bytes);
}

void Gathering::tell(const std::byte* result, std::size_t bytes) const {
  if (!tells_) return;
  const std::uint64_t call = board_.call_number();
  if (bytes > 0) std::memcpy(board_.own().sum(call), result, bytes);
  ledger_->set_done(call, 0, board_.rank());
}

WaitList::Shortcut Gathering::news() const {
  const std::uint64_t call = board_.call_number();
  if (tells_) return {&ledger_->done_word(0), WorkLedger::done_value(call)};
  const std::size_t count = board_.present().size();
  return {&ledger_->arrivals().word(), Arrivals::value(call, count), Arrivals::span(count)};
}

WaitList::Comers Gathering::comers() const {
  if (ledger_ == nullptr) return {};
  return {&ledger_->arrivals(), board_.call_number(), board_.present().size(), last_comers_};
}

void Gathering::add_to(WaitList& awaited) const {
  awaited.signs = board_.stamps();
  if (ledger_ == nullptr) return;
  awaited.comers = comers();
  awaited.shortcut = news();
}

void Gathering::end() {
  if (ledger_ != nullptr) last_comers_ = ledger_->arrivals().tally(board_.call_number());
  ledger_ = nullptr;
  tells_ = false;
}

}  // namespace detour
