// Memory that the other ranks of the node can map.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "detour/cpp/error.hpp"
#include "detour/detour.h"

namespace detour {
inline namespace cpp {

// An array of fixed size, zero at first. To be destroyed before MPI_Finalize: what is left then goes with
// the process.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "ranks exchange bytes");

 public:
  Buffer() = default;

  // Throws Error, of class MPI_ERR_NO_MEM if there is not enough.
  explicit Buffer(std::size_t count) : size_(count) {
    if (count == 0) return;
    constexpr auto bytes_max = static_cast<std::size_t>(std::numeric_limits<MPI_Aint>::max());
    if (count > bytes_max / sizeof(T)) throw Error(make_error_code(MPI_ERR_NO_MEM), "allocation");
    void* memory = nullptr;
    const auto bytes = static_cast<MPI_Aint>(count * sizeof(T));
    throw_if(make_error_code(Detour_Alloc(bytes, MPI_INFO_NULL, &memory)), "allocation");
    data_ = static_cast<T*>(memory);
    std::uninitialized_fill_n(data_, count, T{});
  }

  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (data_ != nullptr && finalized == 0) Detour_Free(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cpp
}  // namespace detour
