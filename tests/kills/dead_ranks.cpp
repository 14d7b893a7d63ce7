// Who has died, as seen in communicators of all kinds: of the world, of others in another order, of two groups, and
// ones that the library has never heard of.
#include <detour/detour.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "checking_job.hpp"
#include "core/dead_ranks.hpp"
#include "mpi/process_failed.hpp"

namespace {

using namespace detour::kills;

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  PMPI_Error_string(code, text, &length);
  return text;
}

void check_codes() {
  const int code = detour::process_failed_code(3);
  int error_class = 0;
  PMPI_Error_class(code, &error_class);
  expect(error_class == detour::process_failed_class(), "the class of the code");
  expect(text_of(code) == "rank 3 of the communicator has died", text_of(code));
  expect(detour::process_failed_code(3) == code, "one code for one text");
  const std::string several = text_of(detour::process_failed_code({1, 4, 7}));
  expect(several == "ranks 1, 4 and 7 of the communicator have died", several);
  std::vector<int> many(500);
  for (int rank = 0; rank < 500; ++rank) many[static_cast<std::size_t>(rank)] = rank + 1000;
  const std::string cut = text_of(detour::process_failed_code(many));
  expect(cut.ends_with(" others of the communicator have died"), cut);
}

}  // namespace

int main(int argc, char** argv) {
  const CheckingJob job(argc, argv, 6);
  const int rank = job.rank();
  const int size = job.size();
  expect(!detour::deaths_are_noticed(), "nobody is watched yet");
  Detour_Prepare(MPI_COMM_WORLD);
  expect(detour::deaths_are_noticed(), "the whole job is watched");
  expect(!detour::any_rank_is_dead() && detour::dead_ranks(MPI_COMM_WORLD).empty(), "all live");
  expect(!detour::is_dead(MPI_COMM_WORLD, 0), "all live");

  // Even and odd ranks, in reverse order: 4 2 0 and 5 3 1. And the two as one communicator of two groups.
  MPI_Comm half = MPI_COMM_NULL;
  PMPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm both = MPI_COMM_NULL;
  PMPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 5 : 4, 0, &both);
  PMPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 || rank == 4) die();
  while (detour::death_count() < 2) usleep(100);

  const bool is_even = rank % 2 == 0;
  using Ranks = std::vector<int>;
  expect(detour::any_rank_is_dead(), "two are dead");
  expect(detour::dead_ranks(MPI_COMM_WORLD) == Ranks{1, 4}, "in the world");
  expect(detour::dead_ranks(half) == (is_even ? Ranks{0} : Ranks{2}), "in a half");
  expect(detour::dead_ranks(both) == (is_even ? Ranks{2} : Ranks{0}), "in the remote group");
  expect(detour::dead_ranks(MPI_COMM_SELF).empty(), "this rank lives");
  for (int other = 0; other < size; ++other) {
    expect(detour::is_dead(MPI_COMM_WORLD, other) == (other == 1 || other == 4), "one by one");
  }
  expect(detour::is_dead(both, is_even ? 2 : 0), "in the remote group, one by one");
  expect(!detour::is_dead(both, is_even ? 0 : 2), "in the remote group, one by one");
  for (const int no_rank : {MPI_PROC_NULL, MPI_ANY_SOURCE, -7, size}) {
    expect(!detour::is_dead(MPI_COMM_WORLD, no_rank), "what is no rank is not dead");
  }
  check_codes();
  return 0;
}
