// What detourrun makes of its command line, of mpirun and of the environment.
#include "command_line.hpp"
#include "environment.hpp"
#include "launched_job.hpp"
#include "mpirun.hpp"
#include "own_files.hpp"
#include "support/catch.hpp"

using namespace detour::run;
using detour::test::contains;
using detour::test::run_program;
using Words = std::vector<std::string>;

TEST_CASE("Own options come first and all others are left alone") {
  const auto line = parse_command_line({"--no-preload", "--grace=1.5", "--mpirun", "/x/mpirun",
                                        "-np", "2", "p", "--no-preload", "--help"});
  REQUIRE(line.ok());
  CHECK_FALSE(line.value().preload);
  CHECK(line.value().grace == std::chrono::milliseconds(1500));
  CHECK(line.value().mpirun == "/x/mpirun");
  CHECK(line.value().for_mpirun == Words{"-np", "2", "p", "--no-preload", "--help"});
}

TEST_CASE("Two dashes end the own options") {
  const auto line = parse_command_line({"--", "--version"});
  REQUIRE(line.ok());
  CHECK_FALSE(line.value().wants_version);
  CHECK(line.value().for_mpirun == Words{"--version"});
}

TEST_CASE("Command lines that make no sense are refused") {
  CHECK(parse_command_line({}).failed());
  CHECK(parse_command_line({"--mpirun"}).failed());
  CHECK(parse_command_line({"--grace", "soon", "p"}).failed());
  CHECK(parse_command_line({"--grace=-1", "p"}).failed());
}

TEST_CASE("Only versions that can go on are taken") {
  const auto version = parse_version("m", "mpirun (Open MPI) 5.0.7\n");
  REQUIRE(version.ok());
  CHECK(version.value().major == 5);
  CHECK(version.value().minor == 0);
  CHECK(parse_version("m", "mpirun (Open MPI) 4.1.4\n").ok());
  CHECK(contains(parse_version("m", "mpirun (Open MPI) 4.0.3\n").reason(), "Open MPI 4.0"));
  CHECK(contains(parse_version("m", "HYDRA build details:").reason(), "is not Open MPI's"));
}

TEST_CASE("Open MPI 5 is told once to tolerate faults") {
  CHECK(own_arguments({4, 1}, {"-np", "2"}).empty());
  CHECK(own_arguments({5, 0}, {"-np", "2"}) == Words{"--with-ft", "ulfm"});
  CHECK(own_arguments({5, 0}, {"--with-ft", "mpi"}).empty());
}

TEST_CASE("mpirun's environment is the user's and what survivors need") {
  const RankStart start{"/bin/detourrun", "address", "/lib/library.so"};
  const Environment users{"A=b", "OMPI_MCA_mpi_preconnect_mpi=0", "OMPI_MCA_orte_enable_recovery=0",
                          "OMPI_MCA_orte_fork_agent=theirs -x"};
  const auto made = environment_for_mpirun(users, {4, 1}, start, false);
  CHECK(value_in(made, "A") == "b");
  CHECK(value_in(made, "OMPI_MCA_mpi_preconnect_mpi") == "0");
  CHECK(value_in(made, "OMPI_MCA_orte_enable_recovery") == "1");
  CHECK(value_in(made, "OMPI_MCA_orte_fork_agent") == "/bin/detourrun --as-rank theirs -x");
  CHECK(value_in(made, launcher_variable) == "address");
  CHECK(value_in(made, preload_variable) == "/lib/library.so");
  CHECK(value_in(made, "OMPI_ALLOW_RUN_AS_ROOT").empty());
  CHECK(value_in(made, "LD_PRELOAD").empty());
}

TEST_CASE("Root is allowed to run mpirun in a container only") {
  const auto made = environment_for_mpirun({}, {5, 0}, {"/d", "address", ""}, true);
  CHECK(value_in(made, "OMPI_ALLOW_RUN_AS_ROOT") == "1");
  CHECK(value_in(made, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM") == "1");
  CHECK(value_in(made, "PRTE_MCA_odls_base_exec_agent") == "/d --as-rank");
  CHECK(value_in(made, preload_variable).empty());
}

TEST_CASE("A missing or foreign mpirun is told of with what to do") {
  const auto missing = run_program({"/usr/bin/env", "PATH=/", DETOURRUN_PATH, "-np", "1", "true"});
  CHECK(missing.exit_status == 2);
  CHECK(contains(missing.err, "detourrun: there is no mpirun in PATH; detourrun needs Open MPI"));
  const auto foreign = run_program({DETOURRUN_PATH, "--mpirun", "/bin/true", "-np", "1", "true"});
  CHECK(foreign.exit_status == 2);
  CHECK(contains(foreign.err, "detourrun: /bin/true is not Open MPI's; detourrun needs Open MPI"));
}

TEST_CASE("A library that is not there is told of") {
  const auto library = find_preload("/nowhere/bin/detourrun");
  CHECK(contains(library.reason(), "--no-preload"));
}
