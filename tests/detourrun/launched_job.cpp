#include "launched_job.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace detour::test {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string make_folder() {
  std::string name = "/tmp/detourrun-test-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("can't make a folder");
  return name;
}

int become_job(std::vector<std::string> command, const std::string& mark,
               const std::string& err_path) {
  ::setpgid(0, 0);
  ::setenv("DETOURRUN_TEST_MARK", mark.c_str(), 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  const int err = ::open(err_path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ::dup2(err, STDERR_FILENO);
  std::vector<char*> pointers;
  for (std::string& argument : command) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(pointers[0], pointers.data());
  return 127;
}

}  // namespace

std::vector<std::string> detourrun_command(const std::vector<std::string>& arguments,
                                           const std::vector<std::string>& own) {
  std::vector<std::string> command{DETOURRUN_PATH};
  command.insert(command.end(), own.begin(), own.end());
  std::istringstream options(MPIRUN_OPTIONS);
  command.insert(command.end(), std::istream_iterator<std::string>(options), {});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

ProgramResult run_detourrun(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& own,
                            const std::vector<std::string>& environment) {
  ProgramOptions options{.environment = environment};
  options.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT=1");
  options.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
  return run_program(detourrun_command(arguments, own), options);
}

LaunchedJob::LaunchedJob(int rank_count, const std::vector<std::string>& own)
    : folder_(make_folder()), mark_("mark-of" + folder_) {
  const auto command =
      detourrun_command({"-np", std::to_string(rank_count), SUBJECT_PATH, "wait", folder_}, own);
  process_ =
      std::make_unique<ChildProcess>([&] { return become_job(command, mark_, folder_ + "/err"); });
  const bool are_there = eventually([&] {
    for (int rank = 0; rank < rank_count; ++rank) {
      if (!fs::exists(folder_ + "/" + std::to_string(rank))) return false;
    }
    return true;
  });
  if (!are_there) throw std::runtime_error("the job did not start: " + err());
}

LaunchedJob::~LaunchedJob() {
  process_.reset();
  for (const pid_t pid : processes()) ::kill(pid, SIGKILL);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string LaunchedJob::err() const {
  return content_of(folder_ + "/err");
}

std::set<std::string> LaunchedJob::shared_files() const {
  const std::string folder = "/dev/shm/";
  std::set<std::string> files;
  for (const pid_t pid : processes()) {
    std::istringstream maps(content_of("/proc/" + std::to_string(pid) + "/maps"));
    for (std::string line; std::getline(maps, line);) {
      const auto at = line.find(folder);
      if (at != std::string::npos) files.insert(line.substr(at));
    }
  }
  return files;
}

std::vector<pid_t> LaunchedJob::processes(const std::string& name) const {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string pid = entry.path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    // Empty for one that has ended and waits to be reaped.
    if (content_of(entry.path() / "environ").find(mark_) == std::string::npos) continue;
    if (!name.empty() && content_of(entry.path() / "comm") != name + "\n") continue;
    found.push_back(std::stoi(pid));
  }
  return found;
}

}  // namespace detour::test
