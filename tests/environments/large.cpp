// More than 2^31 bytes in one call. Skipped, with status 77, where there is not that much memory.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "support/job.hpp"

using namespace detour::test;

namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
// A buffer for each of two ranks, and about as much aside in the library.
constexpr std::uint64_t needed_bytes = 10 * gibibyte;

std::uint64_t available_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

int main(int argc, char** argv) {
  Job job(&argc, &argv);
  std::uint64_t room = available_bytes();
  PMPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  if (room < needed_bytes) {
    if (job.rank() == 0) std::printf("skipped: less than 10 GiB of memory is free\n");
    MPI_Finalize();
    return 77;
  }
  // As many as an int can count are 2 GiB and a bit, of two bytes each.
  constexpr int count = (1 << 30) + 5;
  std::vector<std::int16_t> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int16_t>(static_cast<int>(i % 1000) + job.rank());
  }
  MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT16_T, MPI_SUM, MPI_COMM_WORLD);
  const int size = job.size();
  std::size_t wrong_count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int expected = size * static_cast<int>(i % 1000) + size * (size - 1) / 2;
    if (values[i] != expected) ++wrong_count;
  }
  job.expect(wrong_count == 0, "a sum of more than 2^31 bytes is right");
  if (job.rank() == job.size() - 1) values.assign(values.size(), 7);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1 << 20, MPI_INT16_T, &block);
  MPI_Type_commit(&block);
  MPI_Bcast(values.data(), 1 << 10, block, job.size() - 1, MPI_COMM_WORLD);
  job.expect(values.front() == 7 && values[(std::size_t{1} << 30) - 1] == 7, "a derived type too");
  MPI_Type_free(&block);
  if (job.rank() == 0) std::printf("%d ranks are done\n", job.size());
  return job.finish();
}
