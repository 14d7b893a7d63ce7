#include "job.hpp"

#include <algorithm>
#include <csignal>
#include <map>

namespace detour::run {
namespace {

// As shells have it.
constexpr int status_of_signal(int signal) {
  return 128 + signal;
}

// What is left of a status when the process ends; never 0 for one that is bad.
constexpr int bad_status(int status) {
  return (status & 0xff) == 0 ? 1 : status & 0xff;
}

// Of a rank that has ended, for a job that can't go on without it.
int status_without(const Rank& rank) {
  return rank.state == RankState::exited ? bad_status(rank.number) : status_of_signal(rank.number);
}

}  // namespace

std::optional<std::size_t> Job::join(const Hello& hello) {
  for (const Rank& rank : ranks_) {
    if (rank.hello.job == hello.job && rank.hello.rank == hello.rank) return std::nullopt;
  }
  ranks_.push_back(Rank{.hello = hello});
  return ranks_.size() - 1;
}

void Job::ended(std::size_t rank, RankState state, int number, Milliseconds at) {
  ranks_[rank].state = state;
  ranks_[rank].number = number;
  ranks_[rank].ended_at = at;
}

void Job::exited(std::size_t rank, int status, Milliseconds at) {
  ended(rank, RankState::exited, status, at);
  if (ranks_[rank].is_bereft) return;
  if (status != 0 && !first_bad_status_) first_bad_status_ = bad_status(status);
}

void Job::killed(std::size_t rank, int signal, Milliseconds at) {
  ended(rank, job_end_ ? RankState::stopped : RankState::killed, signal, at);
  if (!first_death_status_) first_death_status_ = status_of_signal(signal);
}

void Job::lost(std::size_t rank, Milliseconds at) {
  if (ranks_[rank].state != RankState::running) return;
  ended(rank, job_end_ ? RankState::stopped : RankState::lost, SIGKILL, at);
  if (!first_death_status_) first_death_status_ = status_of_signal(SIGKILL);
}

void Job::awaits(std::size_t rank, const Awaits& what, Milliseconds at) {
  ranks_[rank].waits[what.id] = {what.ranks, what.words, at};
}

void Job::met(std::size_t rank, const Met& what) {
  ranks_[rank].waits.erase(what.id);
}

std::optional<std::size_t> Job::first_ended(const std::string& job,
                                            const std::string& ranks) const {
  std::optional<std::size_t> first;
  for (std::size_t at = 0; at < ranks_.size(); ++at) {
    const Rank& rank = ranks_[at];
    if (rank.state == RankState::running || rank.hello.job != job) continue;
    if (!has_rank(ranks, rank.hello.rank)) continue;
    if (!first || rank.ended_at < ranks_[*first].ended_at) first = at;
  }
  return first;
}

std::optional<HopelessWait> Job::hopeless_wait() const {
  std::optional<HopelessWait> oldest;
  for (std::size_t at = 0; at < ranks_.size(); ++at) {
    if (ranks_[at].state != RankState::running) continue;
    for (const auto& [id, wait] : ranks_[at].waits) {
      const auto ended = first_ended(ranks_[at].hello.job, wait.ranks);
      if (!ended) continue;
      const Milliseconds since = std::max(wait.since, ranks_[*ended].ended_at);
      if (!oldest || since < oldest->since) {
        oldest = HopelessWait{at, *ended, wait.words, since, status_without(ranks_[*ended])};
      }
    }
  }
  return oldest;
}

void Job::depend(const std::string& words) {
  if (!dependence_) dependence_ = words;
}

std::optional<Job::Dependence> Job::broken_dependence() const {
  const auto status = status_of_loss();
  if (!dependence_ || !status) return std::nullopt;
  return Dependence{*dependence_, *status};
}

void Job::bereft(std::size_t rank, const std::string& words, Milliseconds at) {
  ranks_[rank].is_bereft = true;
  if (!loss_) loss_ = Loss{rank, words, at};
}

std::optional<int> Job::status_of_loss() const {
  return first_bad_status_ ? first_bad_status_ : first_death_status_;
}

void Job::end(std::optional<std::size_t> rank, int status, const std::string& words,
              Milliseconds at) {
  if (job_end_) return;
  job_end_ = JobEnd{rank, words, at};
  if (!first_bad_status_) first_bad_status_ = bad_status(status);
}

std::size_t Job::expected_count() const {
  std::map<std::string, int> sizes;
  for (const Rank& rank : ranks_) sizes[rank.hello.job] = rank.hello.size;
  std::size_t sum = 0;
  for (const auto& [job, size] : sizes) sum += static_cast<std::size_t>(size);
  return sum;
}

bool Job::all_ended() const {
  return !ranks_.empty() && count(RankState::running) == 0 && ranks_.size() == expected_count();
}

std::size_t Job::count(RankState state) const {
  return static_cast<std::size_t>(std::count_if(
      ranks_.begin(), ranks_.end(), [&](const Rank& rank) { return rank.state == state; }));
}

int Job::status(int mpirun_status) const {
  if (first_bad_status_) return *first_bad_status_;
  if (ranks_.empty()) return mpirun_status;
  if (!all_ended()) return bad_status(mpirun_status);
  if (count(RankState::exited) == 0) return *first_death_status_;
  return 0;
}

}  // namespace detour::run
