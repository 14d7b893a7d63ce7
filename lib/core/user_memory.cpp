#include "core/user_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "core/process.hpp"

namespace detour {
namespace {

std::mutex mutex;  // guards the parts
std::map<void*, HeapPart>& parts() {
  static auto* const all = new std::map<void*, HeapPart>;
  return *all;
}

}  // namespace

void* allocate_user_memory(std::size_t bytes) {
  const auto& process = Process::instance();
  if (!process.ok()) return nullptr;
  const auto heap = process.value()->heap(SharedBy::memfd, 1);
  if (!heap.ok()) return nullptr;
  HeapPart part = allocate_part(heap.value(), std::max<std::size_t>(bytes, 1));
  if (!part) return nullptr;
  void* const memory = part.memory();
  const std::lock_guard lock(mutex);
  parts().emplace(memory, std::move(part));
  return memory;
}

bool free_user_memory(void* memory) {
  const std::lock_guard lock(mutex);
  return parts().erase(memory) == 1;
}

}  // namespace detour
