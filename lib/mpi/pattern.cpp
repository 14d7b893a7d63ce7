#include "mpi/pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace detour {
namespace {

// The user's addresses are numbers here: arithmetic on a null pointer is undefined.
std::byte* at(std::uintptr_t base, std::ptrdiff_t offset_bytes) {
  return reinterpret_cast<std::byte*>(base + static_cast<std::uintptr_t>(offset_bytes));
}

struct Packing {
  std::byte* packed;

  void operator()(std::byte* user, std::size_t bytes) {
    std::memcpy(packed, user, bytes);
    packed += bytes;
  }
};

struct Unpacking {
  const std::byte* packed;

  void operator()(std::byte* user, std::size_t bytes) {
    std::memcpy(user, packed, bytes);
    packed += bytes;
  }
};

// A size known to the compiler makes each copy one move instead of a call.
template <std::size_t bytes, class Copy>
void copy_runs_of(const Pattern::Part& part, std::uintptr_t base, Copy& copy) {
  std::ptrdiff_t offset = part.offset_bytes;
  for (std::size_t i = 0; i < part.count; ++i, offset += part.stride_bytes) {
    copy(at(base, offset), bytes == 0 ? part.run_bytes : bytes);
  }
}

template <class Copy>
void copy_runs(const Pattern::Part& part, std::uintptr_t base, Copy& copy) {
  switch (part.run_bytes) {
    case 4:
      return copy_runs_of<4>(part, base, copy);
    case 8:
      return copy_runs_of<8>(part, base, copy);
    case 16:
      return copy_runs_of<16>(part, base, copy);
    default:
      return copy_runs_of<0>(part, base, copy);
  }
}

template <class Copy>
void copy_all(const Pattern& pattern, std::uintptr_t base, Copy& copy) {
  for (const Pattern::Part& part : pattern.parts()) {
    if (!part.nested) {
      copy_runs(part, base, copy);
      continue;
    }
    std::uintptr_t piece = base + static_cast<std::uintptr_t>(part.offset_bytes);
    for (std::size_t i = 0; i < part.count; ++i) {
      copy_all(*part.nested, piece, copy);
      piece += static_cast<std::uintptr_t>(part.stride_bytes);
    }
  }
}

}  // namespace

PatternRef Pattern::run(std::size_t bytes) {
  auto pattern = std::make_shared<Pattern>();
  if (bytes > 0) {
    pattern->parts_.push_back({.run_bytes = bytes});
    pattern->packed_bytes_ = bytes;
    pattern->end_bytes_ = static_cast<std::ptrdiff_t>(bytes);
  }
  return pattern;
}

PatternRef Pattern::repeated(const PatternRef& piece, std::size_t count,
                             std::ptrdiff_t stride_bytes) {
  auto pattern = std::make_shared<Pattern>();
  pattern->append(piece, 0, count, stride_bytes);
  return pattern;
}

void Pattern::append(const PatternRef& piece, std::ptrdiff_t offset_bytes, std::size_t count,
                     std::ptrdiff_t stride_bytes) {
  if (count == 0 || piece->packed_bytes_ == 0) {
    return;
  }
  widen(*piece, offset_bytes, offset_bytes + static_cast<std::ptrdiff_t>(count - 1) * stride_bytes);
  packed_bytes_ += count * piece->packed_bytes_;

  Part part = piece->parts_.front();
  if (piece->parts_.size() == 1 && (count == 1 || part.count == 1)) {
    part.offset_bytes += offset_bytes;
    if (part.count == 1) {
      part.count = count;
      part.stride_bytes = stride_bytes;
    }
    append_part(std::move(part));
  } else {
    append_part({.offset_bytes = offset_bytes,
                 .count = count,
                 .stride_bytes = stride_bytes,
                 .nested = piece});
  }
}

void Pattern::append_part(Part part) {
  if (!part.nested && part.stride_bytes == static_cast<std::ptrdiff_t>(part.run_bytes)) {
    part.run_bytes *= part.count;
    part.count = 1;
  }
  if (!part.nested && part.count == 1 && !parts_.empty()) {
    Part& last = parts_.back();
    if (!last.nested && last.count == 1 &&
        last.offset_bytes + static_cast<std::ptrdiff_t>(last.run_bytes) == part.offset_bytes) {
      last.run_bytes += part.run_bytes;
      return;
    }
  }
  parts_.push_back(std::move(part));
}

void Pattern::widen(const Pattern& piece, std::ptrdiff_t first_bytes, std::ptrdiff_t last_bytes) {
  const std::ptrdiff_t lowest = std::min(first_bytes, last_bytes) + piece.lowest_bytes_;
  const std::ptrdiff_t end = std::max(first_bytes, last_bytes) + piece.end_bytes_;
  lowest_bytes_ = parts_.empty() ? lowest : std::min(lowest_bytes_, lowest);
  end_bytes_ = parts_.empty() ? end : std::max(end_bytes_, end);
}

bool Pattern::is_one_run() const {
  return parts_.empty() ||
         (parts_.size() == 1 && !parts_.front().nested && parts_.front().count == 1);
}

void Pattern::pack(const void* user, std::byte* packed) const {
  Packing copy{packed};
  copy_all(*this, reinterpret_cast<std::uintptr_t>(user), copy);
}

void Pattern::unpack(const std::byte* packed, void* user) const {
  Unpacking copy{packed};
  copy_all(*this, reinterpret_cast<std::uintptr_t>(user), copy);
}

}  // namespace detour
