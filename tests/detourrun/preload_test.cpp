// The library is in the ranks and nowhere else.
#include <csignal>

#include "launched_job.hpp"
#include "support/catch.hpp"

using namespace detour::test;

namespace {

// The ids of the shell itself, of its supervisor and of mpirun.
constexpr const char* look = R"(
mpirun=$(sed -n 's/^PPid:\t//p' /proc/$PPID/status)
for pid in $$ $PPID $mpirun; do
  grep -q libdetour_mpi /proc/$pid/maps && echo there || echo absent
done
echo "$LD_PRELOAD")";

}  // namespace

TEST_CASE("The library is preloaded in ranks and in nothing else") {
  const auto result = run_detourrun({"-np", "1", "sh", "-c", look}, {});
  CHECK(result.exit_status == 0);
  CHECK(result.out == "there\nabsent\nabsent\n" PRELOAD_PATH "\n");
}

TEST_CASE("What the user preloads comes after the library") {
  const auto result =
      run_detourrun({"-np", "1", "-x", "LD_PRELOAD=libm.so.6", "sh", "-c", "echo $LD_PRELOAD"}, {});
  CHECK(result.exit_status == 0);
  CHECK(result.out == PRELOAD_PATH ":libm.so.6\n");
}

TEST_CASE("What takes the place of malloc is preloaded where that is asked for") {
  const auto preloads_with = [](const std::string& setting) {
    const auto result = run_detourrun({"-np", "1", "-x", "DETOUR_SHARED_MALLOC=" + setting, "-x",
                                       "LD_PRELOAD=libm.so.6", "sh", "-c", "echo $LD_PRELOAD"},
                                      {});
    CHECK(result.exit_status == 0);
    CHECK(result.err == "");
    return result.out;
  };
  for (const char* const on : {"on", "yes", "1"}) {
    CHECK(preloads_with(on) == PRELOAD_PATH ":" MALLOC_PATH ":libm.so.6\n");
  }
  for (const char* const off : {"off", "0", ""}) {
    CHECK(preloads_with(off) == PRELOAD_PATH ":libm.so.6\n");
  }
}

TEST_CASE("Programs that link the library get no preload") {
  const auto result = run_detourrun({"-np", "1", "sh", "-c", "echo \"<$LD_PRELOAD>\""});
  CHECK(result.exit_status == 0);
  CHECK(result.out == "<>\n");
}

TEST_CASE("A rank that is killed before MPI_Init gives the job its status") {
  const auto result = run_detourrun({"-np", "2", SUBJECT_PATH, "early"}, {});
  CHECK(result.exit_status == 128 + SIGSEGV);
  CHECK(contains(result.err, "rank 1 killed by signal 11 after "));
  CHECK(contains(result.err, "rank 1 was gone before the others could meet it in MPI_Init"));
}

TEST_CASE("Errors that are fatal after a death give the job the status of the dead") {
  const auto result = run_detourrun({"-np", "3", SUBJECT_PATH, "fatal"}, {});
  CHECK(result.exit_status == 128 + SIGKILL);
  CHECK(contains(result.err, "rank 1 killed by signal 9 after "));
  CHECK(contains(result.err, "MPI_ERRORS_ARE_FATAL"));
}

TEST_CASE("An unchanged program runs with the library") {
  const auto result = run_detourrun({"-np", "3", SUBJECT_PATH, "fine"}, {});
  CHECK(result.exit_status == 0);
  CHECK(contains(result.out, "rank 2 sum 3"));
}
