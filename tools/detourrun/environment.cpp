#include "environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace detour::run {
namespace {

bool names(std::string_view entry, std::string_view name) {
  return entry.starts_with(name) && entry.size() > name.size() && entry[name.size()] == '=';
}

void set_if_missing(Environment& environment, const std::string& name, const std::string& value) {
  for (const std::string& entry : environment) {
    if (names(entry, name)) return;
  }
  environment.push_back(name + "=" + value);
}

void set_or_unset(Environment& environment, const std::string& name, const std::string& value) {
  if (value.empty()) {
    unset(environment, name);
  } else {
    set(environment, name, value);
  }
}

// So there is no need to know where in mpirun's arguments the program begins.
void set_agent(Environment& environment, const std::string& name, const std::string& agent) {
  const std::string users(value_in(environment, name));
  set(environment, name, users.empty() ? agent : agent + " " + users);
}

bool cgroup_of_init_is_a_container() {
  std::ifstream file("/proc/1/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    for (const char* const name : {"docker", "kubepods", "containerd", "libpod", "/lxc"}) {
      if (line.find(name) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

Environment environment_of_process() {
  Environment result;
  for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
  return result;
}

std::string_view value_in(const Environment& environment, std::string_view name) {
  for (const std::string& entry : environment) {
    if (names(entry, name)) return std::string_view(entry).substr(name.size() + 1);
  }
  return {};
}

void unset(Environment& environment, std::string_view name) {
  std::erase_if(environment, [&](const std::string& entry) { return names(entry, name); });
}

void set(Environment& environment, const std::string& name, const std::string& value) {
  unset(environment, name);
  environment.push_back(name + "=" + value);
}

Environment environment_for_mpirun(Environment users, OpenMpiVersion version,
                                   const RankStart& start, bool root_in_container) {
  Environment result = std::move(users);
  const std::string agent = start.supervisor + " --as-rank";
  if (version.major < 5) {
    set(result, "OMPI_MCA_orte_enable_recovery", "1");
    set_agent(result, agent_variables[0], agent);
  } else {
    set_agent(result, agent_variables[1], agent);
  }
  // A connection that is made only when somebody has died already may never come about.
  set_if_missing(result, "OMPI_MCA_mpi_preconnect_mpi", "1");
  if (root_in_container) {
    set_if_missing(result, "OMPI_ALLOW_RUN_AS_ROOT", "1");
    set_if_missing(result, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }
  set(result, launcher_variable, start.launcher);
  set_or_unset(result, preload_variable, start.preload);
  set_or_unset(result, path_variable, start.path);
  return result;
}

bool is_root_in_container() {
  if (::geteuid() != 0) return false;
  for (const char* const mark : {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"}) {
    std::error_code ignored;
    if (std::filesystem::exists(mark, ignored)) return true;
  }
  for (const char* const name : {"container", "KUBERNETES_SERVICE_HOST", "SINGULARITY_NAME"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return cgroup_of_init_is_a_container();
}

}  // namespace detour::run
