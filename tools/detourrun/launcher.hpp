// Runs mpirun and watches over the job until nothing of it is left.
#pragma once

#include <sys/signalfd.h>
#include <sys/types.h>

#include <map>
#include <optional>

#include "channel_server.hpp"
#include "child.hpp"
#include "escalation.hpp"
#include "job.hpp"
#include "signal_queue.hpp"
#include "startup_watch.hpp"

namespace detour::run {

class Launcher {
 public:
  Launcher(ChannelServer server, std::chrono::milliseconds grace);

  const ChannelServer& server() const { return server_; }

  // The exit status of the job. Says on stderr what there is to say.
  // `program_names` are for people.
  Outcome<int> run(ChildPlan mpirun, std::string program_names);

 private:
  using Clock = std::chrono::steady_clock;

  void take_signals();
  void pass_on(const signalfd_siginfo& signal);
  void end_by_signal(int number, bool mpirun_has_it);
  void tell_mpirun_to_end();
  void note_mpiruns_end(int wait_status);

  void take_messages();
  void handle(ConnectionId connection, const Message& message);
  void welcome(ConnectionId connection, const Hello& hello);
  void end_if_dependence_is_broken();
  void end_after_loss();
  void handle_closed(ConnectionId connection);

  void end_job(std::optional<std::size_t> rank, int status, const std::string& words);
  void take_steps();
  void watch_startup(Clock::time_point now);
  void end_hopeless_wait(Clock::time_point now);
  std::optional<Clock::time_point> hopeless_at() const;
  std::optional<Clock::time_point> end_of_loss_at() const;
  bool is_over() const;

  void wait();
  std::optional<Clock::time_point> next_deadline() const;
  Milliseconds age() const;

  SignalQueue signals_;
  ChannelServer server_;
  Job job_;
  std::map<ConnectionId, std::size_t> ranks_;  // the number in the job of each connection's rank
  Escalation escalation_;
  std::optional<Clock::time_point> signalled_at_;  // to end, for the first time
  std::optional<Clock::time_point> pass_on_at_;    // that to mpirun, if it has not got it itself
  Clock::time_point begin_ = Clock::now();

  std::string program_names_;
  pid_t mpirun_ = -1;
  std::optional<int> mpirun_status_;               // as an exit status, when it has ended
  std::optional<Clock::time_point> give_up_at_;    // on supervisors that outlive mpirun
  std::optional<Clock::time_point> all_there_by_;  // while ranks are missing
  StartupWatch startup_;
  std::optional<Clock::time_point> look_at_startup_at_;  // while there is no rank at all
};

}  // namespace detour::run
