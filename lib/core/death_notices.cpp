#include "core/death_notices.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "core/own_heap.hpp"
#include "log.hpp"

namespace detour {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string name_of(int world_rank, pid_t pid, const std::string& host) {
  return fmt::format("rank {} (pid {} on host {})", world_rank, pid, host);
}

}  // namespace

DeathNotices& DeathNotices::instance() {
  // Never destroyed: the detector's thread runs until the very end.
  static auto* const notices = [] {
    auto* const made = new DeathNotices;
    Deaths::instance().add_observer(*made);
    return made;
  }();
  return *notices;
}

DeathNotices::DeathNotices() : start_(std::chrono::steady_clock::now()), host_(host_name()) {}

std::string DeathNotices::remember(PeerId process, int world_rank, pid_t pid,
                                   const PeerHeap& heap) {
  const std::lock_guard lock(mutex_);
  known_.emplace(process, Known{world_rank, pid, heap});
  return name_of(world_rank, pid, host_);
}

void DeathNotices::set_listener(Listener listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
  if (!listener_) return;
  for (const DeathNotice& notice : past_) listener_(notice);
}

// Whoever claims the note in the dead one's own memory speaks for all.
void DeathNotices::on_death(PeerId process) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(process);
  if (found == known_.end() || std::exchange(found->second.is_dead, true)) return;
  const Known& dead = found->second;
  ++dead_count_;
  auto& record = OwnHeap::life_record_of(dead.heap->bytes().data());
  log(record.claim_note(LifeNote::died) ? LogLevel::warn : LogLevel::debug, line_for(dead));
  past_.push_back({dead.world_rank, dead.pid, host_, std::chrono::system_clock::now()});
  if (listener_) listener_(past_.back());
}

std::string DeathNotices::line_for(const Known& dead) const {
  const std::chrono::duration<double> age = std::chrono::steady_clock::now() - start_;
  const std::size_t left_count = known_.size() + 1 - dead_count_;
  return fmt::format("{} has died, as was noticed {:.1f} s after the start; {} left on this host",
                     name_of(dead.world_rank, dead.pid, host_), age.count(),
                     left_count == 1 ? "1 rank is" : fmt::format("{} ranks are", left_count));
}

}  // namespace detour
