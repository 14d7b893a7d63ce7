#include "core/deaths.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/survival.hpp"
#include "failure/activity.hpp"
#include "log.hpp"
#include "shm/heap_file.hpp"

namespace detour {

Deaths& Deaths::instance() {
  // Never destroyed: its thread runs until the very end.
  static auto* const deaths = new Deaths;
  return *deaths;
}

void Deaths::add_own_heap(PeerId process, const std::shared_ptr<OwnHeap>& heap,
                          const Settings& settings) {
  DetectorPeer own{process, 0, &heap->life_record(), &heap->doorbell(), heap};
  const std::lock_guard lock(detector_mutex_);
  if (detector_) {
    detector_->add_own_record(std::move(own));
    return;
  }
  DetectorOptions options;
  if (settings.hang_timeout_ms > 0) {
    options.hang_limit = std::chrono::milliseconds(settings.hang_timeout_ms);
  }
  options.own_progress = look_at_own_progress;
  options.waits_for = waits_for;
  options.on_change = [this] { tell(); };
  options.on_note = [](std::string_view note) { log(LogLevel::warn, note); };
  auto started = FailureDetector::start(std::move(own), std::move(options));
  if (!started.ok()) {
    tell_that_deaths_end_the_job(settings, "they go unnoticed here: " + started.reason(), true);
    return;
  }
  detector_ = std::move(started).value();
  started_.store(detector_.get(), std::memory_order_release);
}

void Deaths::add_peer(PeerId process, const HeapHandle& handle, const PeerHeap& heap,
                      std::string name) {
  const std::lock_guard lock(detector_mutex_);
  if (!detector_) return;
  std::byte* const base = heap->bytes().data();
  const bool is_comparable = handle.pid_namespace == own_pid_namespace();
  detector_->add_peer({process, is_comparable ? handle.pid : 0, &OwnHeap::life_record_of(base),
                       &OwnHeap::doorbell_of(base), heap, std::move(name)});
}

void Deaths::settle() {
  if (FailureDetector* const detector = started_.load(std::memory_order_acquire))
    detector->settle();
}

// May come before start() has returned: then the next look tells.
void Deaths::tell() {
  FailureDetector* const detector = started_.load(std::memory_order_acquire);
  if (detector == nullptr) return;
  const std::lock_guard lock(observers_mutex_);
  for (const PeerChange& change : detector->take_changes()) {
    if (change.state == PeerState::confirmed) ending_.erase(change.id);
    if (change.state != PeerState::dead) continue;
    if (detector->can_be_confirmed(change.id)) ending_.insert(change.id);
    any_.store(true, std::memory_order_release);
    dead_.push_back(change.id);
    for (DeathObserver* observer : observers_) observer->on_death(change.id);
  }
}

void Deaths::add_observer(DeathObserver& observer) {
  const std::lock_guard lock(observers_mutex_);
  observers_.push_back(&observer);
  for (const PeerId process : dead_) observer.on_death(process);
}

void Deaths::remove_observer(DeathObserver& observer) {
  const std::lock_guard lock(observers_mutex_);
  std::erase(observers_, &observer);
}

bool Deaths::dead_are_quiet() {
  const std::lock_guard lock(observers_mutex_);
  return ending_.empty();
}

bool Deaths::has_died(PeerId process) {
  if (!any()) return false;
  const std::lock_guard lock(observers_mutex_);
  return std::find(dead_.begin(), dead_.end(), process) != dead_.end();
}

void Deaths::depart() {
  const std::lock_guard lock(detector_mutex_);
  if (detector_) detector_->depart();
}

}  // namespace detour
