// The training job under detourrun, seen from outside: what its ranks write, and that they close
// their logs.
//
// The logs are named pipes of one page. So whoever reads them is told at once, the kernel says when
// a rank is gone, whatever became of it, and no rank can get further ahead of the reader than a
// page of lines: a rank that is to be killed after some step is still there.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "detourrun/signal_queue.hpp"
#include "shm/file_descriptor.hpp"

namespace detour::demo {

// A folder of its own for each run, gone with it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Job {
 public:
  struct Listener {
    std::function<void(int rank, const std::string& line)> line;
    std::function<void(int rank)> log_closed;
  };

  Job(int rank_count, Listener listener);
  // Ends what is still running, and waits for that.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Where ranks have to write their logs, rank-N.log each.
  const std::string& log_folder() const { return folder_.path(); }

  // Once. What the command prints is kept from the screen. Throws tool::BadInput.
  void start(const std::vector<std::string>& command, const std::vector<std::string>& environment);

  // Tells the listener what is new; waits for that, but not for longer than `time`.
  void listen(std::chrono::milliseconds time);

  bool is_over() const { return status_.has_value(); }
  // Of the command, as shells have it.
  int exit_status() const { return status_.value(); }
  // The signal that asked this process to end, if any. The job is asked, too.
  std::optional<int> interruption() const { return interruption_; }
  // What the command has printed.
  std::string output() const;

 private:
  struct Log {
    FileDescriptor pipe;
    std::string rest;  // of a line that is not complete yet
  };

  void open_logs(int rank_count);
  // Whether there may be more.
  bool read_log(int rank);
  void read_all_logs();
  void take_signals();

  // Before anything is begun: ending has to be possible at any time.
  run::SignalQueue signals_;
  Listener listener_;
  ScratchFolder folder_;
  std::vector<Log> logs_;
  pid_t command_ = 0;
  std::optional<int> status_;
  std::optional<int> interruption_;
};

}  // namespace detour::demo
