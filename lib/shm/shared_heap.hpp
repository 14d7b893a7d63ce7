// Memory that one rank owns and the other ranks of its node map. It outlives its owner: whoever has
// it mapped can go on reading what a dead rank wrote.
//
//   owner: create -> handle() --- allgather ---> peers: open(handle)
//          unlink() as soon as all peers have opened it
//
// A memfd heap has no name, so nothing is left behind however its processes end. A posix heap has
// one in /dev/shm from create to unlink(); if the owner is killed in between, the name and its
// memory stay until somebody calls remove_stale_heaps().
//
// A memfd heap is sparse: pages come into being when they are touched. If the machine itself runs
// out of memory then, the kernel ends a process, as with any other memory. A posix heap has all of
// its memory from the start, because a full /dev/shm would otherwise be noticed by a SIGBUS.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "detour/routing/outcome.hpp"
#include "shm/file_descriptor.hpp"
#include "shm/heap_handle.hpp"
#include "shm/mapping.hpp"

namespace detour {

class SharedHeap {
 public:
  // All zeros. Refuses if the system has no such backing, fails if there is no room.
  static Outcome<SharedHeap> create(std::size_t bytes, Backing backing = Backing::automatic);

  // Another process's heap. Refuses if this process can't reach it, or finds something else in its
  // place; the reason is fit for a log. The ranks can then agree on the other backing.
  static Outcome<SharedHeap> open(const HeapHandle& handle);

  ~SharedHeap();
  SharedHeap(SharedHeap&& other) noexcept;
  SharedHeap& operator=(SharedHeap&& other) noexcept;

  // For the owner's peers: a memfd heap can be opened only while its owner lives.
  const HeapHandle& handle() const { return handle_; }
  Backing backing() const { return handle_.backing; }

  // Starts at a page. Stays where it is when the heap object is moved.
  std::span<std::byte> bytes() const;

  // Whether freed pages can go back to the system. Those of a posix heap can't: there might be no
  // room in /dev/shm when they are needed again.
  bool can_release_pages() const { return backing() == Backing::memfd; }

  // In a child that the owner has forked: what it writes must not get into the owner's memory. Makes system calls only.
  void become_childs_copy() const { mapping_.keep_writes_to_itself(file_.number()); }

  // Takes the name away; those who have opened the heap keep it. The destructor does it too.
  void unlink();

 private:
  SharedHeap(Mapping mapping, const HeapHandle& handle)
      : mapping_(std::move(mapping)), handle_(handle) {}
  static Outcome<SharedHeap> create_with(std::size_t bytes, Backing backing);

  Mapping mapping_;
  HeapHandle handle_;
  FileDescriptor file_;  // the owner's only: peers need none once they have mapped it
  std::string name_;     // the owner's only, until it is unlinked
};

}  // namespace detour
