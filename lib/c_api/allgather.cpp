#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "c_api/collective.hpp"
#include "c_api/moving.hpp"
#include "detour/detour.h"
#include "mpi/reduction.hpp"
#include "next_calls.hpp"

namespace {

using namespace detour;

struct Sent {
  const void* buffer;
  int count;
  MPI_Datatype type;
};

// The own block has to be among the others before it can be gathered.
void put_in_place(const Sent& sent, std::byte* place) {
  FlatBuffer block(const_cast<void*>(sent.buffer), sent.count, sent.type, FlatBuffer::As::packed);
  block.load();
  if (block.bytes() > 0) std::memcpy(place, block.data(), block.bytes());
}

void describe_blocks(Call& call, std::byte* payload, std::vector<std::uint64_t> block_bytes) {
  describe_moving(call, payload,
                  std::accumulate(block_bytes.begin(), block_bytes.end(), std::uint64_t{0}));
  call.header.shape = shape_of(block_bytes);
  call.block_counts = std::move(block_bytes);
}

// The blocks of an MPI_Allgatherv, wherever they lie, one after the other.
class ScatteredBlocks {
 public:
  ScatteredBlocks(void* receive, const int* counts, const int* displacements, MPI_Datatype type,
                  int size) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent_bytes = 0;
    PMPI_Type_get_extent(type, &lower_bound, &extent_bytes);
    for (int rank = 0; rank < size; ++rank) {
      const auto address =
          reinterpret_cast<std::uintptr_t>(receive) +
          static_cast<std::uintptr_t>(MPI_Aint{displacements[rank]} * extent_bytes);
      places_.push_back(reinterpret_cast<void*>(address));
      layouts_.push_back(layout_of(type, counts[rank]));
      bytes_.push_back(layouts_.back().packed_bytes());
    }
    packed_.resize(std::accumulate(bytes_.begin(), bytes_.end(), std::uint64_t{0}));
  }

  const std::vector<std::uint64_t>& bytes() const { return bytes_; }
  std::byte* packed() { return packed_.data(); }
  std::byte* packed(int rank) {
    const auto first = bytes_.begin();
    return packed_.data() + std::accumulate(first, first + rank, std::uint64_t{0});
  }
  void load(int rank) {
    const auto at = static_cast<std::size_t>(rank);
    layouts_[at].pack(places_[at], packed(rank));
  }
  // The blocks of the dead stay as they are.
  void store(const MemberSet& contributors) {
    const std::byte* from = packed_.data();
    for (std::size_t at = 0; at < places_.size(); from += bytes_[at], ++at) {
      if (contributors.has(at)) layouts_[at].unpack(from, places_[at]);
    }
  }

 private:
  std::vector<void*> places_;
  std::vector<Layout> layouts_;
  std::vector<std::uint64_t> bytes_;
  std::vector<std::byte> packed_;
};

}  // namespace

int Detour_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  std::optional<FlatBuffer> all;
  return collective(
      comm, CallKind::allgather,
      [&](Member caller, Call& call) {
        if (const int error =
                check_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, caller);
            error != MPI_SUCCESS) {
          return error;
        }
        all.emplace(recvbuf, MPI_Count{recvcount} * caller.size, recvtype, FlatBuffer::As::packed);
        const auto size = static_cast<std::size_t>(caller.size);
        const std::size_t block_bytes = all->bytes() / size;
        // All of it, because the blocks of the dead stay as they are.
        all->load();
        if (sendbuf != MPI_IN_PLACE) {
          put_in_place({sendbuf, sendcount, sendtype},
                       all->data() + static_cast<std::size_t>(caller.rank) * block_bytes);
        }
        describe_blocks(call, all->data(), std::vector<std::uint64_t>(size, block_bytes));
        return MPI_SUCCESS;
      },
      [&](const MemberSet&) { all->store(); },
      [&] {
        return next_calls().allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                      comm);
      });
}

int Detour_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                      MPI_Comm comm) {
  std::optional<ScatteredBlocks> blocks;
  return collective(
      comm, CallKind::allgather,
      [&](Member caller, Call& call) {
        if (const int error = check_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                               displs, recvtype, caller);
            error != MPI_SUCCESS) {
          return error;
        }
        blocks.emplace(recvbuf, recvcounts, displs, recvtype, caller.size);
        if (sendbuf == MPI_IN_PLACE) {
          blocks->load(caller.rank);
        } else {
          put_in_place({sendbuf, sendcount, sendtype}, blocks->packed(caller.rank));
        }
        describe_blocks(call, blocks->packed(), blocks->bytes());
        return MPI_SUCCESS;
      },
      [&](const MemberSet& contributors) { blocks->store(contributors); },
      [&] {
        return next_calls().allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                       recvtype, comm);
      });
}
