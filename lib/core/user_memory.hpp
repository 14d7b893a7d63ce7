// Memory in this process's heap that the program has: because it has asked for that, or in place of ordinary memory.
// The other ranks of the node map it, so that operations need no copies of what is in it.
//
// A child that the program forks has a copy of its own, see SharedHeap::become_childs_copy, and gets no more of it.
//
// Any thread may call anything here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/own_heap.hpp"
#include "detour/routing/api.hpp"

namespace detour {

// Who has given it to the program, and takes it back.
enum class MemoryGiver : std::uint8_t { mpi, malloc };

// Of MPI's kind. Starts at a page, or at a cache line if it is smaller than one; at a huge page if it is as large as one
// and there is room. Null if there is not enough; never null for 0 bytes otherwise.
void* allocate_user_memory(std::size_t bytes);

// In place of ordinary memory, while MPI runs: null if the library might come to want the room itself, or if there is
// no heap that takes memory only where it is used. Starts at a page, or at a multiple of more, up to a huge page.
DETOUR_API void* lend_user_memory(MemoryGiver giver, std::size_t bytes,
                                  std::size_t alignment_bytes = 1);
// Before anything is lent in the middle of whatever the program does: children that it forks from now on share nothing with
// it. False if that can't be arranged.
bool begin_lending_user_memory(const std::shared_ptr<OwnHeap>& heap);
// From now on it is always null.
DETOUR_API void stop_lending_user_memory();

// Of what starts there, at least what was asked for; 0 if none does.
std::size_t user_memory_bytes(const void* memory);

// False if none of that kind starts there.
DETOUR_API bool free_user_memory(MemoryGiver giver, void* memory);

}  // namespace detour
