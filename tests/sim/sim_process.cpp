#include "sim/sim_process.hpp"

#include <cstring>

namespace detour::sim {

SimProcess::SimProcess(int number, const SharedHeap& heap)
    : number_(number), heap_(heap), arena_(heap) {
  std::memset(heap.bytes().data(), 0, heap.bytes().size());
  bell_ = &Counter::create_at(heap.bytes().data() + allocate(sizeof(Counter)).value().offset);
}

std::optional<HeapBlock> SimProcess::allocate(std::size_t bytes) {
  return arena_.allocate(bytes, alignof(Counter));
}

}  // namespace detour::sim
