#include "launcher.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "program_search.hpp"
#include "report.hpp"

namespace detour::run {
namespace {

// mpirun starts all ranks at about the same time. One that can't reach us says so on its stderr and
// does not start its program, and the others would wait for it in MPI_Init.
constexpr std::chrono::seconds missing_ranks_patience{60};

// After mpirun's end. A supervisor needs two of them to end its program.
constexpr std::chrono::seconds last_words_patience{5};

// With a rank that waits for one that has ended. The library may know of that end itself, and go on.
constexpr std::chrono::seconds hopeless_wait_patience{5};

// With a supervisor that has to tell of a death which ranks know of already.
constexpr std::chrono::seconds late_news_patience{2};

// It has no handler for that one (Ctrl-Backslash), and would leave its files behind. Ranks get it as ever: mpirun unblocks all
// signals for them.
constexpr int blocked_in_mpirun = SIGQUIT;

// Who signals a process and its group means it once, though it may come twice.
constexpr std::chrono::milliseconds same_signal_span{300};

// One connection per rank. Only after mpirun was started, which is to have what the user set.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

bool ends_a_job(int signal) {
  return signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

}  // namespace

Launcher::Launcher(ChannelServer server, std::chrono::milliseconds grace)
    : signals_{SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2},
      server_(std::move(server)),
      escalation_(grace) {}

Outcome<int> Launcher::run(ChildPlan mpirun, std::string program_names) {
  program_names_ = std::move(program_names);
  // Not SIGKILL: it has remote daemons to end and files to remove.
  mpirun.signal_at_parents_death = SIGTERM;
  mpirun.blocked_signal = blocked_in_mpirun;
  const auto started = start_child(mpirun, signals_);
  if (started.error != 0) return Failure{words_of_failed_start(mpirun, started.error)};
  mpirun_ = started.pid;
  begin_ = Clock::now();
  look_at_startup_at_ = begin_ + StartupWatch::interval;
  allow_many_files();
  while (!is_over()) {
    wait();
    // In this order: when mpirun has ended, all that the ranks said before is there to be read.
    take_signals();
    take_messages();
    take_steps();
  }
  const int status = job_.status(*mpirun_status_);
  if (const auto line = last_line(job_, status)) std::fprintf(stderr, "%s\n", line->c_str());
  return status;
}

bool Launcher::is_over() const {
  if (!mpirun_status_) return false;
  return server_.connection_count() == 0 || Clock::now() >= *give_up_at_;
}

Milliseconds Launcher::age() const {
  return std::chrono::duration_cast<Milliseconds>(Clock::now() - begin_);
}

std::optional<Launcher::Clock::time_point> Launcher::next_deadline() const {
  std::optional<Clock::time_point> first;
  for (const auto& deadline : {escalation_.next(), give_up_at_, all_there_by_, look_at_startup_at_,
                               pass_on_at_, end_of_loss_at(), hopeless_at()}) {
    if (deadline && (!first || *deadline < *first)) first = deadline;
  }
  return first;
}

void Launcher::wait() {
  std::vector<pollfd> waits{{signals_.number(), POLLIN, 0}};
  server_.add_to(waits);
  int timeout_ms = -1;
  if (const auto deadline = next_deadline()) {
    const auto left = std::chrono::ceil<Milliseconds>(*deadline - Clock::now());
    timeout_ms = static_cast<int>(std::max<Milliseconds::rep>(left.count(), 0));
  }
  ::poll(waits.data(), waits.size(), timeout_ms);
}

void Launcher::take_signals() {
  while (const auto signal = signals_.next()) {
    if (signal->ssi_signo != SIGCHLD) {
      pass_on(*signal);
    } else if (!mpirun_status_) {
      if (const auto wait_status = reap(mpirun_)) note_mpiruns_end(*wait_status);
    }
  }
}

void Launcher::pass_on(const signalfd_siginfo& signal) {
  const int number = static_cast<int>(signal.ssi_signo);
  // The terminal signals all processes in front (Ctrl-C).
  const bool is_from_terminal = signal.ssi_code == SI_KERNEL;
  if (ends_a_job(number)) {
    end_by_signal(number, is_from_terminal && number != blocked_in_mpirun);
  } else if (!is_from_terminal && !mpirun_status_) {
    ::kill(mpirun_, number);
  }
}

// A second signal would have mpirun end without having removed its files, and the first one may have been for all of
// our process group: what mpirun does shows whether it was.
void Launcher::end_by_signal(int number, bool mpirun_has_it) {
  const auto now = Clock::now();
  if (signalled_at_) {
    if (now - *signalled_at_ > same_signal_span) escalation_.hurry(now);
    return;
  }
  signalled_at_ = now;
  if (!mpirun_has_it) {
    pass_on_at_ = now;
    if (server_.connection_count() > 0) *pass_on_at_ += same_signal_span;
  }
  // What the ranks said before counts first, also that mpirun has told them to end.
  take_messages();
  job_.end(std::nullopt, 128 + number, "ended by signal " + std::to_string(number), age());
  escalation_.begin(now);
}

void Launcher::tell_mpirun_to_end() {
  pass_on_at_.reset();
  if (!mpirun_status_) ::kill(mpirun_, SIGTERM);
}

void Launcher::note_mpiruns_end(int wait_status) {
  mpirun_status_ = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  give_up_at_ = Clock::now() + last_words_patience;
  look_at_startup_at_.reset();
  // What the ranks said before counts first.
  take_messages();
  if (server_.connection_count() > 0) {
    end_job(std::nullopt, *mpirun_status_,
            "mpirun ended with status " + std::to_string(*mpirun_status_) + " before its ranks");
  }
}

void Launcher::take_messages() {
  for (const ChannelEvent& event : server_.take_events()) {
    if (const auto* const message = std::get_if<Message>(&event.what)) {
      handle(event.connection, *message);
    } else {
      handle_closed(event.connection);
    }
    end_if_dependence_is_broken();
    end_after_loss();
  }
  if (job_.all_ended()) escalation_.begin(Clock::now());
}

void Launcher::handle(ConnectionId connection, const Message& message) {
  if (const auto* const hello = std::get_if<Hello>(&message)) {
    welcome(connection, *hello);
    return;
  }
  const auto found = ranks_.find(connection);
  if (found == ranks_.end()) return;
  const std::size_t rank = found->second;
  if (const auto* const started = std::get_if<Started>(&message)) {
    job_.started(rank, started->pid);
  } else if (const auto* const exited = std::get_if<Exited>(&message)) {
    job_.exited(rank, exited->status, age());
  } else if (const auto* const killed = std::get_if<Killed>(&message)) {
    job_.killed(rank, killed->signal, age());
  } else if (const auto* const abort = std::get_if<Abort>(&message)) {
    end_job(rank, abort->status, abort->words);
  } else if (const auto* const bereft = std::get_if<Bereft>(&message)) {
    job_.bereft(rank, bereft->words, age());
  } else if (const auto* const awaits = std::get_if<Awaits>(&message)) {
    job_.awaits(rank, *awaits, age());
  } else if (const auto* const met = std::get_if<Met>(&message)) {
    job_.met(rank, *met);
  } else if (const auto* const depends = std::get_if<Depends>(&message)) {
    job_.depend(depends->words);
  } else if (std::holds_alternative<Ending>(message)) {
    pass_on_at_.reset();
  }
}

// After every event, so that the first loss gives the status, and not what comes of it.
void Launcher::end_if_dependence_is_broken() {
  if (job_.job_end()) return;
  if (const auto broken = job_.broken_dependence()) {
    end_job(std::nullopt, broken->status, "all ended because of that: " + broken->words);
  }
}

std::optional<Launcher::Clock::time_point> Launcher::end_of_loss_at() const {
  if (!job_.loss() || job_.job_end()) return std::nullopt;
  return begin_ + job_.loss()->at + late_news_patience;
}

// One that has ended with 0 all the same is taken for dead too: there is no news of that to come.
void Launcher::end_after_loss() {
  const auto at = end_of_loss_at();
  const auto status = job_.status_of_loss();
  if (!at || (!status && Clock::now() < *at)) return;
  end_job(job_.loss()->rank, status.value_or(1), job_.loss()->words);
}

void Launcher::welcome(ConnectionId connection, const Hello& hello) {
  const auto rank = job_.join(hello);
  if (!rank) {
    server_.close(connection);
    return;
  }
  ranks_.emplace(connection, *rank);
  server_.send(connection, welcome_line);
  if (job_.job_end()) server_.send(connection, end_line);
  look_at_startup_at_.reset();
  all_there_by_.reset();
  if (job_.ranks().size() < job_.expected_count()) {
    all_there_by_ = Clock::now() + missing_ranks_patience;
  }
}

void Launcher::handle_closed(ConnectionId connection) {
  const auto found = ranks_.find(connection);
  if (found == ranks_.end()) return;
  job_.lost(found->second, age());
  ranks_.erase(found);
}

void Launcher::end_job(std::optional<std::size_t> rank, int status, const std::string& words) {
  job_.end(rank, status, words, age());
  escalation_.begin(Clock::now());
  server_.send_to_all(end_line);
}

void Launcher::watch_startup(Clock::time_point now) {
  look_at_startup_at_ = now + StartupWatch::interval;
  if (mpirun_status_ || !startup_.is_stuck(activity_of(mpirun_), now)) return;
  look_at_startup_at_.reset();
  end_job(std::nullopt, no_program_status,
          "mpirun could not start " + program_names_ + ": is it there on all hosts?");
  ::kill(mpirun_, SIGTERM);
}

std::optional<Launcher::Clock::time_point> Launcher::hopeless_at() const {
  if (job_.job_end()) return std::nullopt;
  const auto hopeless = job_.hopeless_wait();
  if (!hopeless) return std::nullopt;
  return begin_ + hopeless->since + hopeless_wait_patience;
}

void Launcher::end_hopeless_wait(Clock::time_point now) {
  const auto at = hopeless_at();
  if (!at || now < *at) return;
  const auto hopeless = *job_.hopeless_wait();
  const int awaited = job_.ranks()[hopeless.awaited].hello.rank;
  end_job(std::nullopt, hopeless.status,
          "ended because rank " + std::to_string(awaited) +
              " was gone before the others could meet it in " + hopeless.words);
}

void Launcher::take_steps() {
  const auto now = Clock::now();
  if (all_there_by_ && now >= *all_there_by_) {
    all_there_by_.reset();
    end_job(std::nullopt, 1,
            "ended because ranks were missing: is " + program_names_ + " there on all hosts?");
  }
  if (look_at_startup_at_ && now >= *look_at_startup_at_) watch_startup(now);
  end_hopeless_wait(now);
  end_after_loss();
  if (pass_on_at_ && now >= *pass_on_at_) tell_mpirun_to_end();
  const auto step = escalation_.due(now);
  if (!step) return;
  server_.send_to_all(end_line);
  if (!mpirun_status_) ::kill(mpirun_, *step == Escalation::Step::ask ? SIGTERM : SIGKILL);
}

}  // namespace detour::run
