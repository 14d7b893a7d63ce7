#include "compare/mapped_pages.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <new>
#include <utility>

namespace detour::tool {
namespace {

constexpr std::size_t page_bytes = BenchBuffers::page_bytes;

// MPI does not promise parts that begin with a page. Memory is mapped by pages, so all ranks come to the same byte.
std::byte* first_page(const NodeWindow& window, std::size_t rank) {
  std::byte* const part = window.part(rank);
  return part + (page_bytes - reinterpret_cast<std::uintptr_t>(part) % page_bytes) % page_bytes;
}

void read_every_page(const std::byte* begin, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += page_bytes) {
    static_cast<void>(*static_cast<const volatile std::byte*>(begin + at));
  }
}

// Of those that begin at or before this address the one that begins last.
template <class Windows>
auto find_window(Windows& windows, const std::byte* address) {
  auto found = windows.end();
  const std::less_equal<const std::byte*> is_not_after;
  const auto begin = [](const NodeWindow& window) { return first_page(window, window.rank()); };
  for (auto at = windows.begin(); at != windows.end(); ++at) {
    if (!is_not_after(begin(**at), address)) continue;
    if (found == windows.end() || is_not_after(begin(**found), begin(**at))) found = at;
  }
  return found;
}

}  // namespace

PageMemory MappedPages::allocate(std::size_t bytes) {
  const std::size_t part_bytes = whole_pages(bytes) + page_bytes;
  auto window = NodeWindow::make(comm_, part_bytes);
  if (!window) throw std::bad_alloc();
  for (std::size_t rank = 0; rank < window->rank_count(); ++rank) {
    read_every_page(first_page(*window, rank), whole_pages(bytes));
  }
  std::byte* const begin = first_page(*window, window->rank());
  windows_.push_back(std::move(window));
  return {begin, [this](std::byte* memory) { give_back(memory); }};
}

const std::byte* MappedPages::of_rank(std::size_t rank, const std::byte* own) const {
  const NodeWindow& window = **find_window(windows_, own);
  return first_page(window, rank) + (own - first_page(window, window.rank()));
}

void MappedPages::give_back(const std::byte* begin) {
  windows_.erase(find_window(windows_, begin));
}

}  // namespace detour::tool
