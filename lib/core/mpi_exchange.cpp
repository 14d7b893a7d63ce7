#include "core/mpi_exchange.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "core/dead_ranks.hpp"
#include "mpi/translated_ranks.hpp"

namespace detour {

MpiExchange::MpiExchange(MPI_Comm comm) : comm_(comm) {
  PMPI_Comm_rank(comm, &rank_);
  PMPI_Comm_size(comm, &size_);
}

Exchange::Result MpiExchange::gather(std::span<const std::byte> mine,
                                     std::span<std::byte> everybodys) {
  // Those who know of a death don't begin: the others could not end.
  if (has_lost_members()) return Result::lost;
  struct Memory {
    std::vector<std::byte> mine;
    std::vector<std::byte> everybodys;
  };
  auto memory = std::make_unique<Memory>();
  memory->mine.assign(mine.begin(), mine.end());
  memory->everybodys.resize(everybodys.size());
  const int bytes = static_cast<int>(mine.size());
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Iallgather(memory->mine.data(), bytes, MPI_BYTE, memory->everybodys.data(), bytes,
                      MPI_BYTE, comm_, &request) != MPI_SUCCESS) {
    return Result::failed;
  }
  if (!ends(&request)) {
    memory.release();  // MPI may still write there
    keep_communicator();
    return Result::lost;
  }
  std::copy(memory->everybodys.begin(), memory->everybodys.end(), everybodys.begin());
  return Result::done;
}

// MPI makes progress only while it is called, so that sleep has to be short; with more ranks than cores
// whoever is waited for may need this very core.
bool MpiExchange::ends(MPI_Request* request) {
  constexpr unsigned yield_count = 2000;
  constexpr std::chrono::microseconds slice{200};
  for (unsigned look_count = 0;; ++look_count) {
    int has_ended = 0;
    PMPI_Test(request, &has_ended, MPI_STATUS_IGNORE);
    if (has_ended != 0) return true;
    if (has_lost_members()) return false;
    if (look_count < yield_count) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(slice);
    }
  }
}

// Open MPI goes on with a collective whose request is given up, also when the program has freed the communicator, which it
// does not see. A receive that is never begun holds on to it.
void MpiExchange::keep_communicator() const {
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Recv_init(nullptr, 0, MPI_BYTE, rank_, 0, comm_, &request);
}

bool MpiExchange::has_lost_members() {
  if (const std::uint64_t count = death_count(); count != looked_at_deaths_) {
    looked_at_deaths_ = count;
    has_lost_members_ = !dead_ranks(comm_).empty();
  }
  return has_lost_members_;
}

std::vector<int> MpiExchange::world_ranks() const {
  return world_ranks_of(comm_);
}

}  // namespace detour
