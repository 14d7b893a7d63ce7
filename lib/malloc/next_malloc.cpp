#include "malloc/next_malloc.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <functional>

namespace detour {
namespace {

// Everything here is as it has to be before any constructor runs: the first call may come from the dynamic linker.
enum class Search { not_begun, under_way, done };
constinit std::atomic<Search> search{Search::not_begun};
constinit NextMalloc found{};

template <class Function>
void find(Function& function, const char* name) noexcept {
  function = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

void find_all() noexcept {
  find(found.malloc, "malloc");
  find(found.calloc, "calloc");
  find(found.realloc, "realloc");
  find(found.free, "free");
  find(found.aligned_alloc, "aligned_alloc");
  find(found.posix_memalign, "posix_memalign");
  find(found.memalign, "memalign");
  find(found.malloc_usable_size, "malloc_usable_size");
}

// A search takes some hundred bytes, if any.
constexpr std::size_t unit_bytes = 64;
constexpr std::size_t store_bytes = 64 * 1024;
alignas(unit_bytes) constinit std::array<std::byte, store_bytes> store{};
constinit std::atomic<std::size_t> taken_bytes{0};

// In the unit before each piece.
std::size_t& size_of_piece(std::byte* piece) noexcept {
  return *reinterpret_cast<std::size_t*>(piece - unit_bytes);
}

}  // namespace

const NextMalloc* next_malloc() noexcept {
  if (search.load(std::memory_order_acquire) == Search::done) return &found;
  auto expected = Search::not_begun;
  if (!search.compare_exchange_strong(expected, Search::under_way)) {
    return expected == Search::done ? &found : nullptr;
  }
  find_all();
  search.store(Search::done, std::memory_order_release);
  return &found;
}

void* take_from_store(std::size_t bytes) noexcept {
  if (bytes > store_bytes) return nullptr;
  const std::size_t piece_bytes = (bytes + unit_bytes - 1) / unit_bytes * unit_bytes + unit_bytes;
  const std::size_t begin = taken_bytes.fetch_add(piece_bytes);
  if (begin > store_bytes || piece_bytes > store_bytes - begin) return nullptr;
  std::byte* const piece = store.data() + begin + unit_bytes;
  size_of_piece(piece) = bytes;
  return piece;
}

bool is_in_store(const void* memory) noexcept {
  const std::less<const void*> before;
  return !before(memory, store.data()) && before(memory, store.data() + store_bytes);
}

std::size_t bytes_in_store(const void* memory) noexcept {
  return size_of_piece(static_cast<std::byte*>(const_cast<void*>(memory)));
}

}  // namespace detour
