// Nobody touches the memory of a communicator that its owner has let go of. Rank 2 has come to MPI_Comm_free and stands
// still there; rank 0, for which that is enough, uses its memory for something else; then rank 2 learns that rank 1 has
// died, which it would have told everybody in that communicator. And it runs short of memory, for which it would have asked
// everybody there whether they still read its own.
//
// Three ranks. If they get on more slowly than expected here, rank 0 is not let go alone, and there is nothing to be seen:
// then its exit status is 77.
#include <detour/detour.h>
#include <sys/types.h>

#include <array>
#include <cstring>
#include <span>

#include "survivors.hpp"

using namespace detour::test;

namespace {

constexpr auto pattern =
    std::byte{0xff};  // who takes it for a counter finds that sealed, and somebody asleep

using Room = std::vector<std::span<std::byte>>;

// As much as there is, in ever smaller pieces.
Room fill_shared_memory() {
  Room room;
  for (std::size_t piece_bytes = 65536; piece_bytes >= 128; piece_bytes /= 2) {
    void* memory = nullptr;
    while (Detour_Alloc(static_cast<MPI_Aint>(piece_bytes), MPI_INFO_NULL, &memory) ==
           MPI_SUCCESS) {
      std::memset(memory, std::to_integer<int>(pattern), piece_bytes);
      room.emplace_back(static_cast<std::byte*>(memory), piece_bytes);
    }
  }
  return room;
}

bool is_untouched(const Room& room) {
  return std::all_of(room.begin(), room.end(), [](std::span<const std::byte> piece) {
    return std::all_of(piece.begin(), piece.end(), [](std::byte byte) { return byte == pattern; });
  });
}

void give_back(const Room& room) {
  for (const std::span<std::byte> piece : room) Detour_Free(piece.data());
}

// There is none, which all have to say.
void expect_search_for_memory(const Survivors& job) {
  std::vector<std::uint64_t> sums(8192);
  const int error = MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()),
                                  MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  job.expect(error_class == MPI_ERR_NO_MEM, "without memory large sums fail");
}

// Meanwhile the main thread is where it is to be.
std::thread after(std::chrono::milliseconds delay, int signal) {
  return std::thread([=] {
    std::this_thread::sleep_for(delay);
    kill(getpid(), signal);
  });
}

}  // namespace

int main(int argc, char** argv) {
  using std::chrono::milliseconds;
  MPI_Init(&argc, &argv);
  Survivors job;
  std::array<int, 3> pids{};
  const int own_pid = getpid();
  MPI_Allgather(&own_pid, 1, MPI_INT, pids.data(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  job.expect_members(comm, job.living(), "dup");
  Room all_but_the_communicators;
  if (job.rank() == 0) all_but_the_communicators = fill_shared_memory();
  MPI_Barrier(MPI_COMM_WORLD);
  if (job.rank() == 2) after(milliseconds(200), SIGSTOP).detach();
  if (job.rank() != 2) std::this_thread::sleep_for(milliseconds(400));
  if (job.rank() == 1) after(milliseconds(200), SIGKILL).detach();
  Survivors::free(comm);
  const Room room = fill_shared_memory();  // on rank 0: that the communicator had
  if (job.rank() == 0) kill(pids[2], SIGCONT);
  job.lose(1);
  job.expect(job.members(MPI_COMM_WORLD) == job.living(), "the others go on");
  expect_search_for_memory(job);
  job.expect(is_untouched(room), "memory of a communicator that was freed is touched by nobody");
  give_back(room);
  give_back(all_but_the_communicators);
  job.finish();
  if (job.rank() != 0 || !room.empty()) return 0;
  std::puts("skipped: the ranks were too slow for each other, and rank 0 has kept its memory");
  return 77;
}
