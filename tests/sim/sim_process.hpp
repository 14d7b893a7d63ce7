// A process of the simulated node: its heap, its bell, its end.
#pragma once

#include <mutex>
#include <optional>

#include "shm/counter.hpp"
#include "shm/heap_arena.hpp"
#include "sim/surroundings.hpp"

namespace detour::sim {

class SimProcess {
 public:
  // The heap is used again from run to run: made as new here.
  SimProcess(int number, const SharedHeap& heap);
  SimProcess(const SimProcess&) = delete;
  SimProcess& operator=(const SimProcess&) = delete;

  int number() const { return number_; }
  Counter& bell() const { return *bell_; }
  Fate& fate() { return fate_; }
  std::span<std::byte> heap() const { return heap_.bytes(); }
  HeapArena& arena() { return arena_; }
  std::mutex& arena_mutex() { return mutex_; }

  std::optional<HeapBlock> allocate(std::size_t bytes);

 private:
  const int number_;
  const SharedHeap& heap_;
  HeapArena arena_;
  std::mutex mutex_;
  Counter* bell_ = nullptr;
  Fate fate_;
};

}  // namespace detour::sim
