// What a process has once, however many communicators it works with.
//
// Made by the first call that needs it. Several threads may ask for things at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "core/own_heap.hpp"
#include "core/peer_heaps.hpp"
#include "selection/selection_table.hpp"
#include "settings.hpp"

namespace detour {

// Ways to share memory, in the order in which they are tried.
enum class SharedBy : std::int32_t {
  memfd,
  posix,      // the heap in /dev/shm that there is already, or a new one
  new_posix,  // a new one: the old one's name is gone, and somebody has to open it
  nothing,
};

class Process {
 public:
  // Made by the first who asks, when MPI runs. Fails if the environment has settings that make no sense;
  // always with the same words.
  static const Outcome<Process*>& instance();

  const Settings& settings() const { return settings_; }
  const SelectionTable& table() const { return table_; }
  PeerHeaps& peer_heaps() { return peer_heaps_; }

  // The same for this process whatever the heap, and for no other.
  std::uint64_t id() const { return id_; }

  // The way that worked last; where to begin.
  SharedBy shared_by();
  void set_shared_by(SharedBy way);

  // This process's heap of that kind, made if need be. Up to `sharer_count` ranks take from one /dev/shm.
  Outcome<std::shared_ptr<OwnHeap>> heap(SharedBy way, std::size_t sharer_count);

  // The heap that other ranks have opened, or will; none if there is none yet or none of a kind that takes memory only
  // where it is used.
  std::shared_ptr<OwnHeap> sparse_heap();

  // Of all heaps.
  std::size_t used_bytes();
  std::size_t memory_limit_bytes() const;

 private:
  Process(Settings settings, SelectionTable table);
  static Outcome<Process*> create();
  Outcome<std::shared_ptr<OwnHeap>> make_heap(SharedBy way, std::size_t sharer_count);

  const Settings settings_;
  const SelectionTable table_;
  const std::uint64_t id_;
  PeerHeaps peer_heaps_;
  std::mutex mutex_;  // guards what follows
  SharedBy shared_by_ = SharedBy::memfd;
  std::shared_ptr<OwnHeap> memfd_heap_;
  std::shared_ptr<OwnHeap> posix_heap_;
};

}  // namespace detour
