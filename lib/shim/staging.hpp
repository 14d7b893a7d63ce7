// Memory of the library's in the place of the program's, for an operation that MPI may have to be left
// alone with.
//
// MPI can't be made to forget a collective operation. One that waits for a dead rank for ever is still
// driven by every later call of MPI's in this process: a message that another rank had sent before it
// knew of the death arrives, the next round begins, and memory is read and written that the program may
// long have freed. (Only this process does that, and ranks that read its memory, which they do by leave of
// the kernel and without harm.) So MPI never gets to see the program's buffers: what it sends is copied
// before the operation begins, what it receives after it has ended well, and an operation that is given up
// keeps its memory for ever. That is a copy each way; without it nothing could be promised.
//
// The copies look to MPI like the originals, gaps included, so that all other arguments stay as they are.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "mpi/packing.hpp"

namespace detour::shim {

// Data in a buffer, as the arguments of a call describe it.
class Blocks {
 public:
  Blocks() = default;
  Blocks(MPI_Count count, MPI_Datatype type) { add(0, count, type); }

  // A negative count and no datatype are errors for MPI to tell of.
  void add(MPI_Aint displacement_bytes, MPI_Count count, MPI_Datatype type);
  void set_wrong() { is_wrong_ = true; }
  bool is_wrong() const { return is_wrong_; }

  bool is_empty() const { return list_.empty(); }
  // The range of all bytes, relative to the buffer's address.
  std::ptrdiff_t lowest_bytes() const { return lowest_bytes_; }
  std::ptrdiff_t end_bytes() const { return end_bytes_; }

  // Between two buffers of this description; nothing but the data is touched.
  void copy(const void* from, void* to) const;

 private:
  struct Block {
    MPI_Aint displacement_bytes = 0;
    Layout layout;
  };

  std::vector<Block> list_;
  std::ptrdiff_t lowest_bytes_ = 0;
  std::ptrdiff_t end_bytes_ = 0;
  bool is_wrong_ = false;
};

class Staging {
 public:
  // Puts memory of the library's in the place of a buffer that is read, with what is to be read.
  void stage_input(const void*& buffer, const Blocks& blocks);
  // Of one that is written: store() brings back what was. With what is read first, or may stay as it is.
  void stage_output(void*& buffer, Blocks written, const Blocks& read = {});

  // Something makes no sense, or there is no memory: the call is MPI's as it came.
  void refuse() { is_refused_ = true; }
  bool is_refused() const { return is_refused_; }

  // What has been received, to the program. Once, when the operation has ended.
  void store() const;
  // MPI may still use the memory: it is never given back.
  void keep_for_ever();

 private:
  struct Output {
    const void* staged = nullptr;
    void* user = nullptr;
    Blocks blocks;
  };

  void* make_room(const void* user, std::ptrdiff_t lowest_bytes, std::ptrdiff_t end_bytes);

  struct Free {
    void operator()(void* memory) const;
  };
  std::vector<std::unique_ptr<void, Free>> memory_;
  std::vector<Output> outputs_;
  bool is_refused_ = false;
};

}  // namespace detour::shim
