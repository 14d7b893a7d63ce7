// Memory that the other ranks of the node map too, for buffers that operations find where they are.
#pragma once

#include <memory_resource>
#include <set>

#include "calls.hpp"

namespace detour::kills {

// Gives ordinary memory where there is no such, which is nothing to complain of.
class SharedMemory final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* place = nullptr;
    if (allocate_shared(bytes, &place) != MPI_SUCCESS) {
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    pieces_.insert(place);
    return place;
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    if (pieces_.erase(place) > 0) {
      free_shared(place);
    } else {
      std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
    }
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::set<void*> pieces_;
};

}  // namespace detour::kills
