// A file's bytes in this process's address space, taken out again at the end.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "detour/routing/outcome.hpp"

namespace detour {

class Mapping {
 public:
  // Shared, for reading and writing, from the file's start. A large one starts at a huge page, if there is such a place,
  // and has huge pages where the system gives them.
  static Outcome<Mapping> of_file(int file, std::size_t bytes);

  ~Mapping();
  Mapping(Mapping&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }

  std::span<std::byte> memory() const { return memory_; }

  // From now on what this process writes there is its own. It still sees what others write to pages that it has not
  // written to itself. Where that can't be had, whoever touches the memory is ended.
  void keep_writes_to_itself(int file) const;

 private:
  explicit Mapping(std::span<std::byte> memory) : memory_(memory) {}

  std::span<std::byte> memory_;
};

std::size_t page_bytes();

// Of systems whose pages are 4 KiB. Where huge pages are larger, none are made use of.
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

// Gives the memory behind all whole pages of a part of a mapping back to the system. Every process
// that maps them reads zeros afterwards. False if the system did not take them.
bool release_pages(std::span<std::byte> part);

// The same for what is to be zero now: where the system does not take pages they are written to, as are those that are
// not whole.
void fill_with_zeros(std::span<std::byte> part);

}  // namespace detour
