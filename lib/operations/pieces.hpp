// Large data is reduced piece by piece, and each piece in slices: one for each member that takes part.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace detour {

struct Piece {
  std::size_t index;     // in the payload
  std::uint64_t number;  // over all attempts at all calls
  std::size_t first_byte;
  std::size_t bytes;
};

struct Slice {
  std::size_t first_byte;  // in its piece
  std::size_t bytes;
};

// How one payload is cut, the same on all members. Whole elements everywhere.
class Pieces {
 public:
  // Pieces of at most so many bytes; numbers count on from `first_number`.
  Pieces(std::uint64_t first_number, std::size_t piece_bytes_max, std::size_t element_bytes,
         std::size_t payload_bytes)
      : first_number_(first_number),
        element_bytes_(element_bytes),
        piece_bytes_(piece_bytes_max / element_bytes * element_bytes),
        payload_bytes_(payload_bytes) {}

  std::size_t count() const { return (payload_bytes_ + piece_bytes_ - 1) / piece_bytes_; }
  std::uint64_t end_number() const { return number_after(count()); }
  // What a counter says of whoever has done with the first so many.
  std::uint64_t number_after(std::size_t piece_count) const { return first_number_ + piece_count; }
  std::size_t count_before(std::uint64_t number) const {
    return number > first_number_ ? std::min<std::uint64_t>(number - first_number_, count()) : 0;
  }

  Piece piece(std::size_t index) const {
    const std::size_t first = index * piece_bytes_;
    return {index, first_number_ + index, first, std::min(piece_bytes_, payload_bytes_ - first)};
  }

  // In the first so many.
  std::size_t bytes_before(std::size_t piece_count) const {
    return std::min(piece_count * piece_bytes_, payload_bytes_);
  }

  // The slice of the so many-th of those who share a piece.
  Slice slice(const Piece& piece, std::size_t position, std::size_t sharer_count) const {
    const std::size_t elements = piece.bytes / element_bytes_;
    const std::size_t first = elements * position / sharer_count;
    const std::size_t end = elements * (position + 1) / sharer_count;
    return {first * element_bytes_, (end - first) * element_bytes_};
  }

  // Of any slice of any piece.
  std::size_t slice_bytes_max(std::size_t sharer_count) const {
    const std::size_t elements = std::min(piece_bytes_, payload_bytes_) / element_bytes_;
    return (elements + sharer_count - 1) / sharer_count * element_bytes_;
  }

  std::size_t element_bytes() const { return element_bytes_; }

 private:
  std::uint64_t first_number_;
  std::size_t element_bytes_;
  std::size_t piece_bytes_;
  std::size_t payload_bytes_;
};

}  // namespace detour
