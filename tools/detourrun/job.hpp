// What is known of the ranks of a job, and what its exit status is. Does no I/O: times are passed in.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "message.hpp"

namespace detour::run {

using Milliseconds = std::chrono::milliseconds;

enum class RankState : std::uint8_t {
  running,
  exited,   // by itself, with whatever status
  killed,   // by a signal
  lost,     // it and its supervisor, at once
  stopped,  // because the whole job had to end
};

// For others to come.
struct Wait {
  std::string ranks;
  std::string words;
  Milliseconds since{0};
};

struct Rank {
  Hello hello;
  int pid = 0;
  RankState state = RankState::running;
  int number = 0;               // the exit status or the signal
  Milliseconds ended_at{0};     // since the job was started
  std::map<int, Wait> waits{};  // of its threads, by id
  bool is_bereft = false;       // how it ends after that is not its own doing
};

// A rank waits for one that has ended.
struct HopelessWait {
  std::size_t rank = 0;
  std::size_t awaited = 0;
  std::string words;      // where
  Milliseconds since{0};  // both have been so
  int status = 1;         // of a job that ends because of it
};

// A rank gave up because others had died.
struct Loss {
  std::size_t rank = 0;
  std::string words;
  Milliseconds at{0};
};

// Why all ranks had to end.
struct JobEnd {
  std::optional<std::size_t> rank;  // the one that wanted it
  std::string words;
  Milliseconds at{0};
};

class Job {
 public:
  // The rank's number in ranks(). Nothing if there is such a rank already.
  std::optional<std::size_t> join(const Hello& hello);
  void started(std::size_t rank, int pid) { ranks_[rank].pid = pid; }

  void exited(std::size_t rank, int status, Milliseconds at);
  void killed(std::size_t rank, int signal, Milliseconds at);
  // Does nothing if the rank had ended before.
  void lost(std::size_t rank, Milliseconds at);

  void awaits(std::size_t rank, const Awaits& what, Milliseconds at);
  void met(std::size_t rank, const Met& what);
  // The oldest of its kind. What it is waiting for may be over without a word having come yet: give it a moment.
  std::optional<HopelessWait> hopeless_wait() const;

  // The ranks can't go on if one of them is lost, for this reason; the first counts.
  void depend(const std::string& words);
  // Whether one is lost that they can't go on without. The words say why not; `status` is that of the first.
  struct Dependence {
    std::string words;
    int status = 0;
  };
  std::optional<Dependence> broken_dependence() const;

  // The rank may know of a death before its supervisor has told; the first counts.
  void bereft(std::size_t rank, const std::string& words, Milliseconds at);
  const std::optional<Loss>& loss() const { return loss_; }
  // Of the first that was bad, if any was.
  std::optional<int> status_of_loss() const;

  // All have to end, for this reason; the first counts. Of a rank, or of somebody else.
  void end(std::optional<std::size_t> rank, int status, const std::string& words, Milliseconds at);

  const std::vector<Rank>& ranks() const { return ranks_; }
  const std::optional<JobEnd>& job_end() const { return job_end_; }
  // Of all ranks that there have to be: each says how many there are.
  std::size_t expected_count() const;
  bool all_ended() const;
  std::size_t count(RankState state) const;

  // mpirun's counts only where nothing better is known.
  int status(int mpirun_status) const;

 private:
  std::optional<std::size_t> first_ended(const std::string& job, const std::string& ranks) const;
  void ended(std::size_t rank, RankState state, int number, Milliseconds at);

  std::vector<Rank> ranks_;
  std::optional<JobEnd> job_end_;
  std::optional<std::string> dependence_;
  std::optional<Loss> loss_;
  std::optional<int> first_bad_status_;
  std::optional<int> first_death_status_;
};

}  // namespace detour::run
