#include "shim/staging.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace detour::shim {
namespace {

// Through a number: MPI_BOTTOM is a null pointer, on which arithmetic is undefined.
void* address(const void* base, std::ptrdiff_t offset_bytes) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(base) +
                                 static_cast<std::uintptr_t>(offset_bytes));
}

void copy_block(const Layout& layout, const void* from, void* to) {
  if (layout.packed_bytes() == 0) return;
  if (layout.is_contiguous()) {
    std::memcpy(layout.first_byte(to), layout.first_byte(from), layout.packed_bytes());
    return;
  }
  std::vector<std::byte> packed(layout.packed_bytes());
  layout.pack(from, packed.data());
  layout.unpack(packed.data(), to);
}

}  // namespace

void Blocks::add(MPI_Aint displacement_bytes, MPI_Count count, MPI_Datatype type) {
  if (count < 0 || type == MPI_DATATYPE_NULL) {
    set_wrong();
    return;
  }
  if (count == 0) return;
  Block block{displacement_bytes, layout_of(type, count)};
  if (block.layout.packed_bytes() == 0) return;
  const std::ptrdiff_t lowest = displacement_bytes + block.layout.lowest_bytes();
  const std::ptrdiff_t end = displacement_bytes + block.layout.end_bytes();
  lowest_bytes_ = list_.empty() ? lowest : std::min(lowest_bytes_, lowest);
  end_bytes_ = list_.empty() ? end : std::max(end_bytes_, end);
  list_.push_back(std::move(block));
}

void Blocks::copy(const void* from, void* to) const {
  for (const Block& block : list_) {
    copy_block(block.layout, address(from, block.displacement_bytes),
               address(to, block.displacement_bytes));
  }
}

void Staging::Free::operator()(void* memory) const {
  std::free(memory);
}

// As the program's memory is aligned, so that operations on it work the same. Null that is no MPI_BOTTOM is
// for MPI to complain about. Absolute addresses may lie too far apart for one piece of memory: then there
// is none.
void* Staging::make_room(const void* user, std::ptrdiff_t lowest_bytes, std::ptrdiff_t end_bytes) {
  constexpr std::size_t alignment = 64;
  const auto first = reinterpret_cast<std::uintptr_t>(address(user, lowest_bytes));
  const std::size_t shift = first % alignment;
  const auto bytes = shift + static_cast<std::size_t>(end_bytes - lowest_bytes);
  void* const memory =
      first == 0 ? nullptr
                 : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) {
    refuse();
    return nullptr;
  }
  memory_.emplace_back(memory);
  return address(memory, static_cast<std::ptrdiff_t>(shift) - lowest_bytes);
}

void Staging::stage_input(const void*& buffer, const Blocks& blocks) {
  if (blocks.is_wrong()) refuse();
  if (is_refused() || blocks.is_empty()) return;
  void* const staged = make_room(buffer, blocks.lowest_bytes(), blocks.end_bytes());
  if (staged == nullptr) return;
  blocks.copy(buffer, staged);
  buffer = staged;
}

void Staging::stage_output(void*& buffer, Blocks written, const Blocks& read) {
  if (written.is_wrong() || read.is_wrong()) refuse();
  const Blocks& first = written.is_empty() ? read : written;
  if (is_refused() || first.is_empty()) return;
  const Blocks& second = read.is_empty() ? written : read;
  void* const staged = make_room(buffer, std::min(first.lowest_bytes(), second.lowest_bytes()),
                                 std::max(first.end_bytes(), second.end_bytes()));
  if (staged == nullptr) return;
  read.copy(buffer, staged);
  outputs_.push_back({staged, buffer, std::move(written)});
  buffer = staged;
}

void Staging::store() const {
  for (const Output& output : outputs_) output.blocks.copy(output.staged, output.user);
}

void Staging::keep_for_ever() {
  for (auto& memory : memory_) static_cast<void>(memory.release());
  memory_.clear();
}

}  // namespace detour::shim
