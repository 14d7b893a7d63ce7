// Deaths of the other processes of this node, and who wants to know of them.
//
// Any thread may call anything here. Observers are told in the detector's thread: what they do there has to be
// quick, and may not wait for anybody.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/own_heap.hpp"
#include "core/peer_heaps.hpp"
#include "failure/failure_detector.hpp"
#include "settings.hpp"

namespace detour {

class DeathObserver {
 public:
  virtual ~DeathObserver() = default;
  // Maybe more than once, and of processes that don't matter to this one.
  virtual void on_death(PeerId process) = 0;
};

class Deaths {
 public:
  static Deaths& instance();

  // A heap of this process, which others find it by; before they hear of it. Without a detector, because the
  // kernel does not offer what it takes, deaths go unnoticed: the log says so.
  void add_own_heap(PeerId process, const std::shared_ptr<OwnHeap>& heap, const Settings& settings);
  // `name` is what people call it.
  void add_peer(PeerId process, const HeapHandle& handle, const PeerHeap& heap, std::string name);
  // After the last of those that are added together.
  void settle();

  // Told of all deaths, past ones too.
  void add_observer(DeathObserver& observer);
  void remove_observer(DeathObserver& observer);

  // Whether there is a detector.
  bool is_noticing() const { return started_.load(std::memory_order_acquire) != nullptr; }
  bool any() const { return any_.load(std::memory_order_acquire); }
  bool has_died(PeerId process);

  // Whether all threads of all the dead have ended, so that they change nothing any more. A process of another PID
  // namespace can't be seen to end, and does not count.
  bool dead_are_quiet();

  // This process leaves: for the others that is no death.
  void depart();

 private:
  Deaths() = default;
  void tell();

  std::mutex detector_mutex_;  // guards the making of the detector
  std::unique_ptr<FailureDetector> detector_;
  std::atomic<FailureDetector*> started_{nullptr};
  std::atomic<bool> any_{false};

  std::mutex observers_mutex_;  // guards what follows; held while observers are told
  std::vector<DeathObserver*> observers_;
  std::vector<PeerId> dead_;
  std::set<PeerId> ending_;  // dead, and will be seen to have ended
};

}  // namespace detour
