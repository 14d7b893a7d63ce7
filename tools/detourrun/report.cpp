#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace detour::run {
namespace {

// More would not be read; the count tells of them.
constexpr std::size_t named_ranks_max = 16;

std::string seconds(Milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(time.count()) / 1000);
  return text;
}

std::string name_of(const Job& job, const Rank& rank) {
  std::string name = "rank " + std::to_string(rank.hello.rank);
  if (rank.hello.job != job.ranks().front().hello.job) name += " of a spawned job";
  return name;
}

std::string when_and_where(const Rank& rank, Milliseconds at) {
  return " after " + seconds(at) + " on host " + rank.hello.host;
}

bool is_news(const Rank& rank) {
  return rank.state == RankState::killed || rank.state == RankState::lost ||
         (rank.state == RankState::exited && rank.number != 0);
}

std::string fate_of(const Job& job, const Rank& rank) {
  std::string fate = name_of(job, rank);
  if (rank.state == RankState::exited) {
    fate += " exited with status " + std::to_string(rank.number);
  } else if (rank.state == RankState::killed) {
    fate += " killed by signal " + std::to_string(rank.number);
  } else {
    fate += " lost with its supervisor";
  }
  return fate + when_and_where(rank, rank.ended_at);
}

std::string fates_of(const Job& job) {
  std::vector<const Rank*> news;
  for (const Rank& rank : job.ranks()) {
    if (is_news(rank)) news.push_back(&rank);
  }
  std::stable_sort(news.begin(), news.end(),
                   [](const Rank* a, const Rank* b) { return a->ended_at < b->ended_at; });
  std::string text;
  for (std::size_t at = 0; at < std::min(news.size(), named_ranks_max); ++at) {
    text += ", " + fate_of(job, *news[at]);
  }
  if (news.size() > named_ranks_max) {
    text += ", and " + std::to_string(news.size() - named_ranks_max) + " more";
  }
  return text;
}

bool has_ended_the_job(const Job& job, std::size_t rank) {
  const auto& end = job.job_end();
  return end && end->rank && *end->rank == rank;
}

// The rank that ended the job is neither finished nor stopped: it has a place of its own in the line.
template <class Condition>
std::size_t count_others(const Job& job, const Condition& condition) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < job.ranks().size(); ++at) {
    if (!has_ended_the_job(job, at) && condition(job.ranks()[at])) ++count;
  }
  return count;
}

std::size_t finished_count(const Job& job) {
  return count_others(
      job, [](const Rank& rank) { return rank.state == RankState::exited && rank.number == 0; });
}

std::size_t stopped_count(const Job& job) {
  return count_others(job, [](const Rank& rank) { return rank.state == RankState::stopped; });
}

std::string end_of(const Job& job) {
  if (!job.job_end()) return {};
  const JobEnd& end = *job.job_end();
  std::string text = ", ";
  if (end.rank) {
    const Rank& rank = job.ranks()[*end.rank];
    text += name_of(job, rank) + " ended the job" + when_and_where(rank, end.at) + ": " + end.words;
  } else {
    text += end.words + " after " + seconds(end.at);
  }
  if (stopped_count(job) > 0) text += ", " + std::to_string(stopped_count(job)) + " stopped";
  return text;
}

}  // namespace

std::optional<std::string> last_line(const Job& job, int status) {
  const auto expected_count = job.expected_count();
  if (expected_count == 0 && !job.job_end()) return std::nullopt;
  if (status == 0 && finished_count(job) == expected_count) return std::nullopt;
  if (expected_count == 0) {
    return "detourrun: " + job.job_end()->words + "; status " + std::to_string(status);
  }
  std::string line = "detourrun: " + std::to_string(expected_count) + " ranks, " +
                     std::to_string(finished_count(job)) + " finished";
  line += fates_of(job) + end_of(job);
  if (job.ranks().size() < expected_count) {
    line += ", " + std::to_string(expected_count - job.ranks().size()) + " never started";
  }
  return line + "; status " + std::to_string(status);
}

}  // namespace detour::run
