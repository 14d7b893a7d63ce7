// Jobs under detourrun, for tests.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/child_process.hpp"
#include "support/contains.hpp"
#include "support/run_program.hpp"

namespace detour::test {

// mpirun's options for tests, in front of `arguments`. Without the preload unless told otherwise:
// what is tested here is the launcher.
std::vector<std::string> detourrun_command(const std::vector<std::string>& arguments,
                                           const std::vector<std::string>& own = {"--no-preload"});

// mpirun wants to be told twice that root may run it.
ProgramResult run_detourrun(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& own = {"--no-preload"},
                            const std::vector<std::string>& environment = {});

// A job that goes on while the test does something to it. All its processes bear a mark, and detourrun and mpirun are in
// a process group of their own.
class LaunchedJob {
 public:
  // All ranks are there, and wait, when this returns.
  explicit LaunchedJob(int rank_count, const std::vector<std::string>& own = {"--no-preload"});
  ~LaunchedJob();

  pid_t detourrun() const { return process_->pid(); }
  int wait() { return process_->wait(); }
  std::string err() const;

  // With the mark; `name` is the program's, or empty for all.
  std::vector<pid_t> processes(const std::string& name = {}) const;

  // In /dev/shm, those of MPI among them.
  std::set<std::string> shared_files() const;

 private:
  std::string folder_;
  std::string mark_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace detour::test
