#include "mpi/arguments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>

#include "mpi/element_types.hpp"
#include "mpi/packing.hpp"
#include "mpi/reduce_ops.hpp"
#include "mpi/type_cache.hpp"

namespace detour {
namespace {

// Nothing is ever mapped below, so that an address there is a null pointer and not MPI_BOTTOM.
constexpr std::uintptr_t lowest_address = 4096;

// The memory that a buffer spans; empty if it has no bytes.
class Range {
 public:
  Range(const void* user, const Layout& layout)
      : first_(address(user, layout.lowest_bytes())), end_(address(user, layout.end_bytes())) {}
  Range(const void* user, std::size_t bytes)
      : first_(address(user, 0)), end_(address(user, static_cast<std::ptrdiff_t>(bytes))) {}

  bool is_null() const { return first_ != end_ && first_ < lowest_address; }
  bool overlaps(const Range& other) const { return first_ < other.end_ && other.first_ < end_; }

 private:
  static std::uintptr_t address(const void* user, std::ptrdiff_t offset_bytes) {
    return reinterpret_cast<std::uintptr_t>(user) + static_cast<std::uintptr_t>(offset_bytes);
  }

  std::uintptr_t first_;
  std::uintptr_t end_;
};

int first_error(std::initializer_list<int> errors) {
  const auto* found =
      std::find_if(errors.begin(), errors.end(), [](int error) { return error != MPI_SUCCESS; });
  return found == errors.end() ? MPI_SUCCESS : *found;
}

int check_count(int count) {
  return count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
}

int check_counts(const int* counts, Member caller) {
  if (counts == nullptr) {
    return MPI_ERR_COUNT;
  }
  const std::span all(counts, static_cast<std::size_t>(caller.size));
  const bool wrong = std::any_of(all.begin(), all.end(), [](int count) { return count < 0; });
  return wrong ? MPI_ERR_COUNT : MPI_SUCCESS;
}

int check_root(int root, Member caller) {
  return root < 0 || root >= caller.size ? MPI_ERR_ROOT : MPI_SUCCESS;
}

// Named datatypes are committed, and by far the most frequent.
int check_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) {
    return MPI_ERR_TYPE;
  }
  return named_element_type(type) || is_committed(type) ? MPI_SUCCESS : MPI_ERR_TYPE;
}

// A user's operation takes any datatype.
int check_op(MPI_Op op, MPI_Datatype type) {
  if (is_user_defined(op)) {
    return MPI_SUCCESS;
  }
  const auto reduce_op = reduce_op_of(op);
  return reduce_op && is_allowed(*reduce_op, type) ? MPI_SUCCESS : MPI_ERR_OP;
}

int check_buffer(const void* user, const Layout& layout) {
  return Range(user, layout).is_null() ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

// Buffers with gaps may lie in each other's gaps: unless they start at the same place and have the
// same form, or have no gaps, nobody can tell without going through all their bytes.
bool are_aliased(const void* a, const Layout& layout_a, const void* b, const Layout& layout_b) {
  if (!Range(a, layout_a).overlaps(Range(b, layout_b))) {
    return false;
  }
  const bool solid = layout_a.is_contiguous() && layout_b.is_contiguous();
  return solid || (a == b && layout_a.lowest_bytes() == layout_b.lowest_bytes());
}

int check_two_buffers(const void* send, const Layout& send_layout, const void* receive,
                      const Layout& receive_layout) {
  const int error =
      first_error({check_buffer(send, send_layout), check_buffer(receive, receive_layout)});
  if (error != MPI_SUCCESS) {
    return error;
  }
  return are_aliased(send, send_layout, receive, receive_layout) ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

int check_sent_bytes(const Layout& sent, const Layout& expected) {
  if (sent.packed_bytes() > expected.packed_bytes()) {
    return MPI_ERR_TRUNCATE;
  }
  return sent.packed_bytes() < expected.packed_bytes() ? MPI_ERR_COUNT : MPI_SUCCESS;
}

// What all reductions have in common.
int check_reduction(int count, MPI_Datatype type, MPI_Op op) {
  return first_error({check_count(count), check_type(type), check_op(op, type)});
}

// In both forms of reduce-scatter; in place the whole input is where the result goes.
int check_scattered_buffers(const void* send, const void* receive, MPI_Count total_count,
                            MPI_Count own_count, MPI_Datatype type) {
  if (receive == MPI_IN_PLACE) {
    return MPI_ERR_ARG;
  }
  const Layout all = layout_of(type, total_count);
  if (send == MPI_IN_PLACE) {
    return check_buffer(receive, all);
  }
  return check_two_buffers(send, all, receive, layout_of(type, own_count));
}

// The blocks of an Allgatherv.
class ReceivedBlocks {
 public:
  ReceivedBlocks(const void* receive, const int* counts, const int* displacements,
                 MPI_Datatype type)
      : receive_(reinterpret_cast<std::uintptr_t>(receive)),
        counts_(counts),
        displacements_(displacements),
        type_(type) {
    MPI_Count lower_bound = 0;
    PMPI_Type_get_extent_x(type, &lower_bound, &extent_bytes_);
  }

  Layout layout(int rank) const { return layout_of(type_, counts_[rank]); }

  const void* address(int rank) const {
    const MPI_Count offset_bytes = displacements_[rank] * extent_bytes_;
    return reinterpret_cast<const void*>(receive_ + static_cast<std::uintptr_t>(offset_bytes));
  }

 private:
  std::uintptr_t receive_;
  const int* counts_;
  const int* displacements_;
  MPI_Datatype type_;
  MPI_Count extent_bytes_ = 0;
};

}  // namespace

int check_communicator(MPI_Comm comm) {
  return comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_SUCCESS;
}

int check_allreduce(const void* send, const void* receive, int count, MPI_Datatype type,
                    MPI_Op op) {
  if (const int error = check_reduction(count, type, op); error != MPI_SUCCESS) {
    return error;
  }
  if (receive == MPI_IN_PLACE) {
    return MPI_ERR_BUFFER;
  }
  const Layout layout = layout_of(type, count);
  return send == MPI_IN_PLACE ? check_buffer(receive, layout)
                              : check_two_buffers(send, layout, receive, layout);
}

int check_plain_allreduce(const void* send, const void* receive, int count,
                          std::size_t element_bytes) {
  if (count < 0) return MPI_ERR_COUNT;
  if (receive == MPI_IN_PLACE) return MPI_ERR_BUFFER;
  const std::size_t bytes = static_cast<std::size_t>(count) * element_bytes;
  const Range received(receive, bytes);
  if (send == MPI_IN_PLACE) return received.is_null() ? MPI_ERR_BUFFER : MPI_SUCCESS;
  const Range sent(send, bytes);
  const bool wrong = sent.is_null() || received.is_null() || sent.overlaps(received);
  return wrong ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

int check_reduce(const void* send, const void* receive, int count, MPI_Datatype type, MPI_Op op,
                 int root, Member caller) {
  const int error = first_error({check_root(root, caller), check_reduction(count, type, op)});
  if (error != MPI_SUCCESS) {
    return error;
  }
  const Layout layout = layout_of(type, count);
  if (caller.rank != root) {
    return send == MPI_IN_PLACE ? MPI_ERR_ARG : check_buffer(send, layout);
  }
  if (receive == MPI_IN_PLACE) {
    return MPI_ERR_ARG;
  }
  if (send == MPI_IN_PLACE) {
    return check_buffer(receive, layout);
  }
  const int buffer_error = check_two_buffers(send, layout, receive, layout);
  // Open MPI has a class of its own for this one.
  return buffer_error != MPI_SUCCESS && send == receive && send != nullptr ? MPI_ERR_ARG
                                                                           : buffer_error;
}

int check_reduce_scatter(const void* send, const void* receive, const int* counts,
                         MPI_Datatype type, MPI_Op op, Member caller) {
  const int error = first_error({check_counts(counts, caller), check_reduction(0, type, op)});
  if (error != MPI_SUCCESS) {
    return error;
  }
  const MPI_Count total_count = std::accumulate(counts, counts + caller.size, MPI_Count{0});
  return check_scattered_buffers(send, receive, total_count, counts[caller.rank], type);
}

int check_reduce_scatter_block(const void* send, const void* receive, int count, MPI_Datatype type,
                               MPI_Op op, Member caller) {
  if (const int error = check_reduction(count, type, op); error != MPI_SUCCESS) {
    return error;
  }
  return check_scattered_buffers(send, receive, MPI_Count{count} * caller.size, count, type);
}

int check_bcast(const void* buffer, int count, MPI_Datatype type, int root, Member caller) {
  const int error = first_error({check_root(root, caller), check_count(count), check_type(type)});
  if (error != MPI_SUCCESS) {
    return error;
  }
  return buffer == MPI_IN_PLACE ? MPI_ERR_ARG : check_buffer(buffer, layout_of(type, count));
}

int check_allgather(const void* send, int send_count, MPI_Datatype send_type, const void* receive,
                    int receive_count, MPI_Datatype receive_type, Member caller) {
  int error = first_error({check_count(receive_count), check_type(receive_type)});
  if (error == MPI_SUCCESS && send != MPI_IN_PLACE) {
    error = first_error({check_count(send_count), check_type(send_type)});
  }
  if (error != MPI_SUCCESS) {
    return error;
  }
  if (receive == MPI_IN_PLACE) {
    return MPI_ERR_ARG;
  }
  const Layout all = layout_of(receive_type, MPI_Count{receive_count} * caller.size);
  if (send == MPI_IN_PLACE) {
    return check_buffer(receive, all);
  }
  const Layout sent = layout_of(send_type, send_count);
  return first_error({check_sent_bytes(sent, layout_of(receive_type, receive_count)),
                      check_two_buffers(send, sent, receive, all)});
}

int check_allgatherv(const void* send, int send_count, MPI_Datatype send_type, const void* receive,
                     const int* receive_counts, const int* displacements, MPI_Datatype receive_type,
                     Member caller) {
  int error = first_error({check_counts(receive_counts, caller), check_type(receive_type)});
  if (error == MPI_SUCCESS && send != MPI_IN_PLACE) {
    error = first_error({check_count(send_count), check_type(send_type)});
  }
  if (error != MPI_SUCCESS) {
    return error;
  }
  if (receive == MPI_IN_PLACE) {
    return MPI_ERR_ARG;
  }
  if (displacements == nullptr) {
    return MPI_ERR_BUFFER;
  }
  const bool in_place = send == MPI_IN_PLACE;
  const ReceivedBlocks blocks(receive, receive_counts, displacements, receive_type);
  const Layout sent = in_place ? blocks.layout(caller.rank) : layout_of(send_type, send_count);
  error = check_sent_bytes(sent, blocks.layout(caller.rank));
  for (int rank = 0; rank < caller.size && error == MPI_SUCCESS; ++rank) {
    const Layout block = blocks.layout(rank);
    const void* const address = blocks.address(rank);
    error = in_place ? check_buffer(address, block) : check_two_buffers(send, sent, address, block);
  }
  return error;
}

}  // namespace detour
