// Memory for messages that MPI sends and receives: the library's own, never the caller's.
//
//   slot:  | unused, 48 | header, 16 | message, from a cache line on ... |
//
// MPI may go on writing into a buffer after an attempt was given up: a receive that has been matched
// can't be cancelled. Such memory is never freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace detour {

struct MpiHeader {
  std::uint64_t epoch = 0;
  std::uint64_t bytes = 0;  // of the message that follows
};
static_assert(sizeof(MpiHeader) == 16);

class MpiBuffers {
 public:
  MpiBuffers(std::size_t slot_count, std::size_t message_bytes_max);

  // False if there was no memory.
  bool ok() const { return memory_ != nullptr; }

  // What goes through MPI: the header and so many bytes.
  std::byte* wire(std::size_t slot) { return payload(slot) - sizeof(MpiHeader); }
  std::byte* payload(std::size_t slot) {
    return memory_.get() + slot * slot_bytes_ + alignment_bytes;
  }

  MpiHeader header(std::size_t slot);
  void set_header(std::size_t slot, const MpiHeader& header);

  // Leaves the memory to MPI for ever.
  void abandon();

 private:
  static constexpr std::size_t alignment_bytes = 64;
  struct Delete {
    void operator()(std::byte* memory) const {
      ::operator delete(memory, std::align_val_t(alignment_bytes));
    }
  };

  std::size_t slot_bytes_;
  std::unique_ptr<std::byte, Delete> memory_;
};

}  // namespace detour
