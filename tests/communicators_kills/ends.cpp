// Rank 1 dies at the beginning or at the end of MPI; the others go on, or the launcher ends the job in words.
//
//   ends before_init|in_init|after_init|before_finalize|in_finalize|late_in_finalize MILLISECONDS
#include "survivors.hpp"

using namespace detour::test;

namespace {

// From a thread of its own, so that it hits whatever the rank is doing.
void die_after(std::chrono::milliseconds time) {
  std::thread([time] {
    std::this_thread::sleep_for(time);
    die();
  }).detach();
}

int die_when_deleted(MPI_Comm, int, void*, void*) {
  die();
}

// MPI deletes what is kept with MPI_COMM_SELF at the start of MPI_Finalize.
void die_in_finalize() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, die_when_deleted, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string when = argc > 1 ? argv[1] : "";
  const std::chrono::milliseconds time(argc > 2 ? std::atoi(argv[2]) : 0);
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const bool is_victim = rank != nullptr && std::string(rank) == "1";
  if (is_victim && when == "before_init") die();
  if (is_victim && when == "in_init") die_after(time);
  MPI_Init(&argc, &argv);
  Survivors job;
  if (when == "after_init") job.lose(1);
  if (when == "after_init" || when == "in_init") {
    if (when == "in_init") job.lose(1);
    job.let_all_know();
  } else {
    job.expect_members(MPI_COMM_WORLD, job.living(), "the world");
  }
  if (when == "before_finalize") job.lose_late(1);
  if (is_victim && when == "in_finalize") die_in_finalize();
  if (is_victim && when == "late_in_finalize") die_after(time);
  job.finish();
  if (is_victim && when == "late_in_finalize") pause();
  return 0;
}
