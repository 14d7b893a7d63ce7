// Which programs mpirun is going to run, and whether they are there.
#include "application.hpp"
#include "program_search.hpp"
#include "support/catch.hpp"
#include "test_folder.hpp"

using namespace detour::run;
using detour::test::TestFolder;
using Words = std::vector<std::string>;

namespace {

Words programs_in(const Words& arguments) {
  const auto applications = parse_applications(arguments);
  REQUIRE(applications);
  Words names;
  for (const Application& each : applications->all) names.push_back(each.program);
  return names;
}

ProgramProblem problem_with(const std::string& program, const std::string& folder = {}) {
  const auto problem = find_missing_program({.all = {{program, folder}}}, "/usr/bin:/bin");
  REQUIRE(problem);
  return *problem;
}

}  // namespace

TEST_CASE("The programs are told from mpirun's options and their values") {
  CHECK(programs_in({"-np", "2", "--oversubscribe", "./a", "-np", "3"}) == Words{"./a"});
  CHECK(programs_in({"--mca", "btl", "self", "-x", "A=b", "a", ":", "-n", "1", "b", "c"}) ==
        Words{"a", "b"});
  CHECK(programs_in({"--map-by=core", "a"}) == Words{"a"});
  CHECK(programs_in({"-np", "2", "--", "-a"}) == Words{"-a"});
  CHECK(programs_in({"-np", "2"}).empty());
}

TEST_CASE("Where an option is not known the program isn't either") {
  CHECK_FALSE(parse_applications({"--new-option", "2", "./a"}));
  CHECK_FALSE(parse_applications({"--app", "file"}));
  CHECK_FALSE(parse_applications({"-np"}));
  CHECK_FALSE(parse_applications({"--oversubscribe=yes", "a"}));
  CHECK(names_of(std::nullopt) == "the program");
}

TEST_CASE("Folders, paths and hosts are read") {
  const auto here = parse_applications(
      {"--path", "/p", "-x", "PATH=/x", "-wd", "/w", "a", ":", "-path", "/q", "b", ":", "a"});
  REQUIRE(here);
  CHECK(here->path == "/p:/q");
  CHECK(here->exported_path == "/x");
  CHECK(here->all[0].folder == "/w");
  CHECK(here->all[1].folder.empty());
  CHECK_FALSE(here->has_hosts);
  CHECK(names_of(here) == "a, b");
  CHECK(parse_applications({"a", ":", "-H", "x,y", "b"})->has_hosts);
  CHECK(parse_applications({"--hostfile", "x", "a"})->has_hosts);
  CHECK(parse_applications({"--mca", "orte_default_hostfile", "x", "a"})->has_hosts);
}

TEST_CASE("Hosts may come from the environment") {
  CHECK(has_hosts({"A=b", "SLURM_JOB_ID=3"}));
  CHECK(has_hosts({"OMPI_MCA_orte_default_hostfile=x"}));
  CHECK_FALSE(has_hosts({"PATH=/bin", "OMPI_MCA_btl=self"}));
}

TEST_CASE("What is wrong with a program is said by its name") {
  const TestFolder folder;
  const auto file = folder.add_file("file", "");
  CHECK(problem_with("/no/such").words == "there is no program /no/such");
  CHECK(problem_with("/no/such").status == 127);
  CHECK(problem_with("no-such-program").words == "there is no program no-such-program");
  CHECK(problem_with(file).words == file + " can't be executed: Permission denied");
  CHECK(problem_with(file).status == 126);
  CHECK(problem_with("./file", folder.path()).status == 126);
  CHECK(problem_with("/tmp").words == "/tmp can't be executed: it is a folder");
  CHECK(problem_with("true", "/no/such").words == "there is no folder /no/such to run true in");
}

TEST_CASE("Programs are looked for as mpirun does it") {
  const TestFolder folder;
  const auto program = folder.add_program("our-script", "#!/bin/sh\n");
  CHECK(find_program("our-script", "/bin:" + folder.path(), "") == program);
  CHECK(find_program("our-script", "/bin", folder.path()) == program);
  CHECK(find_program("./our-script", "", folder.path()) == folder.path() + "/./our-script");
  CHECK_FALSE(find_program("our-script", "/bin", ""));
  CHECK_FALSE(find_program("./our-script", folder.path(), "/bin"));
  CHECK_FALSE(find_program("tmp", "/", ""));
}
