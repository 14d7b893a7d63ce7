#include "shm/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "shm/system_error.hpp"

namespace detour {
namespace {

// Smaller mappings go without huge pages.
constexpr std::size_t huge_pages_from_bytes = std::size_t{16} << 20;

// From an address up to the next multiple of a unit.
std::size_t bytes_to_boundary(const std::byte* address, std::size_t unit) {
  return (unit - reinterpret_cast<std::uintptr_t>(address) % unit) % unit;
}

std::span<std::byte> whole_pages_of(std::span<std::byte> part) {
  const std::size_t before_first_page = bytes_to_boundary(part.data(), page_bytes());
  if (part.size() < before_first_page + page_bytes()) return {};
  const auto rest = part.subspan(before_first_page);
  return rest.first(rest.size() / page_bytes() * page_bytes());
}

std::byte* map_anywhere(int file, std::size_t bytes) {
  void* const address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

// Starts at a huge page in memory as it does in the file: otherwise none of them can be mapped whole. Null if there is no
// such place.
std::byte* map_at_huge_page(int file, std::size_t bytes) {
  const std::size_t place_bytes = bytes + huge_page_bytes;
  void* const place =
      ::mmap(nullptr, place_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(place);
  const std::size_t before_bytes = bytes_to_boundary(begin, huge_page_bytes);
  std::byte* const wanted = begin + before_bytes;
  if (::mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
      MAP_FAILED) {
    ::munmap(begin, place_bytes);
    return nullptr;
  }
  if (before_bytes > 0) ::munmap(begin, before_bytes);
  std::byte* const end = wanted + bytes + bytes_to_boundary(wanted + bytes, page_bytes());
  if (end < begin + place_bytes) {
    ::munmap(end, static_cast<std::size_t>(begin + place_bytes - end));
  }
  return wanted;
}

// Changes something only where the system is set to give huge pages of shared memory to those who ask, and nothing depends
// on it. Not for the first one: processes that need little have it there, and there may be many. Not for one that the file
// has not all of, which would be more than was allowed.
void ask_for_huge_pages(std::byte* memory, std::size_t bytes) {
  const std::size_t end = bytes / huge_page_bytes * huge_page_bytes;
  ::madvise(memory + huge_page_bytes, end - huge_page_bytes, MADV_HUGEPAGE);
}

}  // namespace

Outcome<Mapping> Mapping::of_file(int file, std::size_t bytes) {
  std::byte* memory = bytes < huge_pages_from_bytes ? nullptr : map_at_huge_page(file, bytes);
  if (memory != nullptr) {
    ask_for_huge_pages(memory, bytes);
  } else {
    memory = map_anywhere(file, bytes);
  }
  if (memory == nullptr) {
    return Failure{system_error("can't map " + std::to_string(bytes) + " bytes of shared memory")};
  }
  return Mapping({memory, bytes});
}

Mapping::~Mapping() {
  if (!memory_.empty()) ::munmap(memory_.data(), memory_.size());
}

void Mapping::keep_writes_to_itself(int file) const {
  const void* const address = ::mmap(memory_.data(), memory_.size(), PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0);
  if (address == MAP_FAILED) ::mprotect(memory_.data(), memory_.size(), PROT_NONE);
}

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

bool release_pages(std::span<std::byte> part) {
  const auto pages = whole_pages_of(part);
  return pages.empty() || ::madvise(pages.data(), pages.size(), MADV_REMOVE) == 0;
}

void fill_with_zeros(std::span<std::byte> part) {
  const auto pages = whole_pages_of(part);
  if (pages.empty() || !release_pages(pages)) {
    std::memset(part.data(), 0, part.size());
    return;
  }
  const std::byte* const end = part.data() + part.size();
  std::byte* const pages_end = pages.data() + pages.size();
  std::memset(part.data(), 0, static_cast<std::size_t>(pages.data() - part.data()));
  std::memset(pages_end, 0, static_cast<std::size_t>(end - pages_end));
}

}  // namespace detour
