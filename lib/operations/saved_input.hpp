// What a call in place came with, for attempts that have to begin again after one that was broken has overwritten it.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

namespace detour {

class SavedInput {
 public:
  // Of the call that begins nothing is saved. The memory stays: programs call with the same sizes again and again.
  void forget() { is_there_ = false; }
  bool is_there() const { return is_there_; }

  // Before the first attempt that overwrites anything, and not again: the next one would save what that one wrote.
  void save(const std::byte* input, std::size_t bytes) {
    if (capacity_bytes_ < bytes) {
      data_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      capacity_bytes_ = bytes;
    }
    std::memcpy(data_.get(), input, bytes);
    is_there_ = true;
  }
  const std::byte* data() const { return data_.get(); }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t capacity_bytes_ = 0;
  bool is_there_ = false;
};

}  // namespace detour
