#include "shm/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "shm/system_error.hpp"

namespace detour {
namespace {

// Below this a huge page could be mostly empty: heaps of many ranks would add up.
constexpr std::size_t huge_pages_from_bytes = std::size_t{16} << 20;

}  // namespace

Outcome<Mapping> Mapping::of_file(int file, std::size_t bytes) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (address == MAP_FAILED) {
    return Failure{system_error("can't map " + std::to_string(bytes) + " bytes of shared memory")};
  }
  // Only where shmem_enabled is set to advise does it change anything, and nothing depends on it.
  if (bytes >= huge_pages_from_bytes) ::madvise(address, bytes, MADV_HUGEPAGE);
  return Mapping({static_cast<std::byte*>(address), bytes});
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
  const auto address = reinterpret_cast<std::uintptr_t>(part.data());
  const std::size_t page = page_bytes();
  const std::size_t before_first_page = (page - address % page) % page;
  if (part.size() < before_first_page + page) return true;
  const std::size_t whole_pages_bytes = (part.size() - before_first_page) / page * page;
  return ::madvise(part.data() + before_first_page, whole_pages_bytes, MADV_REMOVE) == 0;
}

}  // namespace detour
