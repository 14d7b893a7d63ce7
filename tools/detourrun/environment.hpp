// The environment in which mpirun is started: the user's, and what survivors need to go on.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "mpirun.hpp"

namespace detour::run {

// Read by the supervisors of the ranks. Open MPI hands variables that begin with OMPI_ on to all
// nodes by itself.
inline constexpr const char* launcher_variable = "OMPI_DETOUR_RUN_LAUNCHER";
inline constexpr const char* preload_variable = "OMPI_DETOUR_RUN_PRELOAD";
inline constexpr const char* path_variable = "OMPI_DETOUR_RUN_PATH";

// Of Open MPI 4.1 and 5: a command that is put in front of every process of a job.
inline constexpr std::array<const char*, 2> agent_variables{"OMPI_MCA_orte_fork_agent",
                                                            "PRTE_MCA_odls_base_exec_agent"};

struct RankStart {
  std::string supervisor;  // the path of this program
  std::string launcher;    // how to reach the launcher, see address.hpp
  std::string preload;     // the library's path; empty: none
  std::string path{};      // to look for programs along, before PATH; empty: none
};

// "NAME=value", each name once.
using Environment = std::vector<std::string>;

Environment environment_of_process();
std::string_view value_in(const Environment& environment, std::string_view name);
void set(Environment& environment, const std::string& name, const std::string& value);
void unset(Environment& environment, std::string_view name);

// Settings that the user made are left as they are, apart from those without which survivors don't
// go on or aren't supervised.
Environment environment_for_mpirun(Environment users, OpenMpiVersion version,
                                   const RankStart& start, bool is_root_in_container);

// mpirun refuses to run as root unless told twice that it may. In a container everybody is root; on
// a machine of one's own that is left to the user.
bool is_root_in_container();

}  // namespace detour::run
