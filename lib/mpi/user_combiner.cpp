#include "mpi/user_combiner.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "mpi/reduce_ops.hpp"
#include "user_code.hpp"

namespace detour {
namespace {

// Both batches stay in the second-level cache.
constexpr std::size_t batch_bytes = 64 * 1024;

// By what two take up: instances may lie far apart, or further apart than they are long.
std::size_t elements_per_batch(MPI_Datatype type) {
  const Layout two = layout_of(type, 2);
  const auto span_bytes = static_cast<std::size_t>(two.end_bytes() - two.lowest_bytes());
  return std::max<std::size_t>(batch_bytes / std::max<std::size_t>(span_bytes, 1), 1);
}

// Datatypes may ask for any alignment that malloc gives.
constexpr std::ptrdiff_t alignment_bytes = alignof(std::max_align_t);

}  // namespace

UserCombiner::UserCombiner(MPI_Op op, MPI_Datatype type)
    : op_(op),
      type_(type),
      element_(layout_of(type, 1)),
      batch_count_(elements_per_batch(type)),
      batch_layout_(layout_of(type, static_cast<MPI_Count>(batch_count_))),
      in_place_(batch_layout_.is_contiguous() && is_commutative(op)) {
  if (!in_place_) {
    left_ = make_batch();
    right_ = make_batch();
  }
}

// The address given to MPI keeps its alignment, although the first byte may lie to either side.
UserCombiner::Batch UserCombiner::make_batch() const {
  Batch batch;
  const std::ptrdiff_t lowest = batch_layout_.lowest_bytes();
  const std::ptrdiff_t misaligned =
      ((lowest % alignment_bytes) + alignment_bytes) % alignment_bytes;
  batch.memory.resize(static_cast<std::size_t>(batch_layout_.end_bytes() - lowest + misaligned));
  batch.user = batch.memory.data() + misaligned - lowest;
  return batch;
}

void UserCombiner::combine(std::byte* result, std::span<const std::byte* const> inputs,
                           std::size_t element_count) const {
  const InUserCode in_user_code;
  for (std::size_t first = 0; first < element_count; first += batch_count_) {
    const std::size_t count = std::min(batch_count_, element_count - first);
    const std::size_t offset_bytes = first * element_bytes();
    if (in_place_) {
      combine_in_place(result, inputs, offset_bytes, count);
    } else {
      combine_batch(result, inputs, offset_bytes, count);
    }
  }
}

// MPI_Reduce_local leaves `input op inout` in inout, so that the result's side is the right one.
void UserCombiner::combine_in_place(std::byte* result, std::span<const std::byte* const> inputs,
                                    std::size_t offset_bytes, std::size_t count) const {
  std::byte* const target = result + offset_bytes;
  if (result != inputs.front()) {
    std::memcpy(target, inputs.front() + offset_bytes, count * element_bytes());
  }
  const std::ptrdiff_t lowest = batch_layout_.lowest_bytes();
  for (const std::byte* input : inputs.subspan(1)) {
    PMPI_Reduce_local(input + offset_bytes - lowest, target - lowest, static_cast<int>(count),
                      type_, op_);
  }
}

void UserCombiner::combine_batch(std::byte* result, std::span<const std::byte* const> inputs,
                                 std::size_t offset_bytes, std::size_t count) const {
  const Layout layout =
      count == batch_count_ ? batch_layout_ : layout_of(type_, static_cast<MPI_Count>(count));
  layout.unpack(inputs.front() + offset_bytes, left_.user);
  for (const std::byte* input : inputs.subspan(1)) {
    layout.unpack(input + offset_bytes, right_.user);
    PMPI_Reduce_local(left_.user, right_.user, static_cast<int>(count), type_, op_);
    std::swap(left_, right_);
  }
  layout.pack(left_.user, result + offset_bytes);
}

}  // namespace detour
