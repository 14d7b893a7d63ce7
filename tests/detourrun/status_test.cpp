// What becomes of a job, and what detourrun says about it.
#include <csignal>

#include "launched_job.hpp"
#include "support/catch.hpp"
#include "test_folder.hpp"

using namespace detour::test;

TEST_CASE("A job in which all goes well ends quietly with 0") {
  const auto result = run_detourrun({"-np", "3", SUBJECT_PATH, "fine"});
  CHECK(result.exit_status == 0);
  CHECK(contains(result.out, "rank 2 sum 3"));
  CHECK_FALSE(contains(result.err, "detourrun"));
}

TEST_CASE("The status of a rank that exits is the job's and the others go on") {
  const auto result = run_detourrun({"-np", "4", SUBJECT_PATH, "exit"});
  CHECK(result.exit_status == 5);
  for (const char* const line : {"rank 0 sum 5", "rank 2 sum 5", "rank 3 sum 5"}) {
    CHECK(contains(result.out, line));
  }
  CHECK(contains(result.err, "detourrun: 4 ranks, 3 finished, rank 1 exited with status 5 after "));
  CHECK(contains(result.err, "; status 5\n"));
}

TEST_CASE("Survivors of a killed rank go on and the job ends with 0") {
  const auto result = run_detourrun({"-np", "4", SUBJECT_PATH, "kill"});
  CHECK(result.exit_status == 0);
  for (const char* const line : {"rank 0 sum 5", "rank 2 sum 5", "rank 3 sum 5"}) {
    CHECK(contains(result.out, line));
  }
  CHECK(contains(result.err, "detourrun: 4 ranks, 3 finished, rank 1 killed by signal 9 after "));
  CHECK(contains(result.err, " s on host "));
  CHECK(contains(result.err, "; status 0\n"));
}

TEST_CASE("A rank that aborts ends the whole job with its status") {
  const auto result = run_detourrun({"-np", "4", SUBJECT_PATH, "abort"});
  CHECK(result.exit_status == 7);
  CHECK(contains(result.err, "rank 1 ended the job after "));
  CHECK(contains(result.err, ": MPI_Abort with status 7, 3 stopped; status 7\n"));
}

TEST_CASE("A job whose ranks need each other ends when one is killed") {
  const auto result = run_detourrun({"-np", "4", SUBJECT_PATH, "needed"});
  CHECK(result.exit_status == 128 + SIGKILL);
  CHECK(contains(result.err, "detourrun: 4 ranks, 0 finished, rank 1 killed by signal 9 after "));
  CHECK(contains(result.err, ", all ended because of that: they need each other after "));
  CHECK(contains(result.err, ", 3 stopped; status 137\n"));
}

TEST_CASE("A job without survivors is no success") {
  const auto result = run_detourrun({"-np", "2", "sh", "-c", "kill -SEGV $$"});
  CHECK(result.exit_status == 128 + SIGSEGV);
  CHECK(contains(result.err, "detourrun: 2 ranks, 0 finished, rank "));
}

TEST_CASE("A program that does not exist is told of at once") {
  const auto alone = run_detourrun({"-np", "2", "/no/such/program"});
  CHECK(alone.exit_status == 127);
  CHECK(alone.err == "detourrun: there is no program /no/such/program\n");
  const auto second = run_detourrun({"-np", "1", "true", ":", "-np", "1", "no-such-program"});
  CHECK(second.exit_status == 127);
  CHECK(second.err == "detourrun: there is no program no-such-program\n");
}

TEST_CASE("A file that can't be executed is told of at once") {
  const auto result = run_detourrun({"-np", "2", "/etc/passwd"});
  CHECK(result.exit_status == 126);
  CHECK(result.err == "detourrun: /etc/passwd can't be executed: Permission denied\n");
}

TEST_CASE("A program that mpirun can't start on a named host is told of") {
  const auto result = run_detourrun({"--host", "localhost", "-np", "1", "/no/such/program"});
  CHECK(result.exit_status != 0);
  CHECK_FALSE(result.err.empty());
}

TEST_CASE("A program that only turns out to be none when it is executed ends the job") {
  const TestFolder folder;
  const auto script = folder.add_program("script", "#!/no/such/interpreter\n");
  const auto result = run_detourrun({"-np", "2", script});
  CHECK(result.exit_status == 127);
  CHECK(contains(result.err, " ended the job after "));
  CHECK(contains(result.err, ": can't run " + script + ": No such file or directory"));
}

TEST_CASE("Programs are found wherever mpirun finds them") {
  const TestFolder folder;
  folder.add_program("our-script", "#!/bin/sh\necho found\n");
  const auto option = GENERATE("--path", "--wdir");
  const auto result = run_detourrun({"-np", "1", option, folder.path(), "our-script"});
  CHECK(result.exit_status == 0);
  CHECK(result.out == "found\n");
}

TEST_CASE("An mpirun that does not end is ended") {
  const auto result = run_program({DETOURRUN_PATH, "--no-preload", "--grace", "0.2", "--mpirun",
                                   HANGING_MPIRUN_PATH, "sh", "-c", "echo done"});
  CHECK(result.exit_status == 0);
  CHECK(result.out == "done\n");
  CHECK(result.err.empty());
}

TEST_CASE("Where mpirun refuses its words and status are passed on") {
  const auto result = run_detourrun({"--no-such-option", "-np", "1", "true"});
  CHECK(result.exit_status != 0);
  CHECK_FALSE(result.err.empty());
}

TEST_CASE("Arguments with blanks and standard input arrive as they were") {
  const auto result =
      run_detourrun({"-np", "1", "-x", "COLOUR=light blue", "sh", "-c",
                     "printf '%s|' \"$COLOUR\" \"$@\"", "-", "a b", "--no-preload", "--", ""});
  CHECK(result.exit_status == 0);
  CHECK(result.out == "light blue|a b|--no-preload|--||");
}

TEST_CASE("All programs of a job of several programs are supervised") {
  // That of Debian 13, Open MPI 5.0.7, crashes on any job of several programs.
  const auto plain = run_program(
      {MPIRUN_PATH, "--oversubscribe", "-np", "1", "true", ":", "-np", "1", "true"},
      {.environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}});
  if (plain.exit_status < 0) {
    WARN("skipped: this mpirun can't run several programs");
    return;
  }
  const auto result = run_detourrun({"-np", "1", "true", ":", "-np", "1", "sh", "-c", "exit 4"});
  CHECK(result.exit_status == 4);
  CHECK(contains(result.err, "detourrun: 2 ranks, 1 finished, rank 1 exited with status 4"));
}
