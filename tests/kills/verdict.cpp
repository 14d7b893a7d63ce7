#include "verdict.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

namespace detour::kills {
namespace {

// More would not be read.
constexpr std::size_t complaint_count_max = 12;

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string text_of(const Record& record) {
  return std::string(record.outcome == Outcome::success ? "success" : "process failed") +
         ", digest " + hex(record.digest) + ", contributors " + hex(record.contributors);
}

class Judge {
 public:
  Judge(const std::vector<Step>& script, const std::vector<const RankFile*>& files,
        const std::vector<int>& doomed)
      : script_(script), files_(files), doomed_(doomed) {}

  std::vector<std::string> judge() {
    for (int rank = 0; rank < rank_count(); ++rank) judge_rank(rank);
    for (std::uint32_t number = 0; number < script_.size(); ++number) {
      for (const auto& members : teams_of(number)) judge_step(number, members);
    }
    return std::move(complaints_);
  }

 private:
  int rank_count() const { return static_cast<int>(files_.size()); }
  const RankFile& file(int rank) const { return *files_[static_cast<std::size_t>(rank)]; }
  const Record& record(int rank, std::uint32_t number) const { return file(rank).records[number]; }
  bool is_doomed(int rank) const {
    return std::find(doomed_.begin(), doomed_.end(), rank) != doomed_.end();
  }

  void complain(const std::string& words) {
    if (complaints_.size() < complaint_count_max) complaints_.push_back(words);
  }

  void complain(std::uint32_t number, const std::string& words) {
    complain("step " + std::to_string(number) + ", " + kills::text_of(script_[number]) + ": " +
             words);
  }

  void judge_rank(int rank) {
    const RankFile& own = file(rank);
    const std::string name = "rank " + std::to_string(rank);
    if (own.has_complaint.load()) complain(name + ": " + own.complaint);
    if (own.phase.load() >= Phase::initialized) {
      for (std::size_t team = 0; team < team_count; ++team) judge_team(team, rank);
    }
    if (own.phase.load() == Phase::done || is_doomed(rank)) return;
    complain(name + " has not finished: it came to step " +
             std::to_string(own.entered_count.load()) + " of " + std::to_string(script_.size()));
  }

  // Whoever lives has made the same team as all others in it.
  void judge_team(std::size_t team, int rank) {
    const std::uint64_t ranks = file(rank).team_ranks[team];
    for (int other = 0; other < rank_count(); ++other) {
      if ((ranks >> other & 1) == 0 || file(other).phase.load() < Phase::initialized) continue;
      if (file(other).team_ranks[team] == ranks) continue;
      complain("team " + std::to_string(team) + " is " + hex(ranks) + " on rank " +
               std::to_string(rank) + ", " + hex(file(other).team_ranks[team]) + " on rank " +
               std::to_string(other));
    }
  }

  std::vector<std::vector<int>> teams_of(std::uint32_t number) const {
    const Team team = script_[number].team;
    std::set<std::uint64_t> sets;
    for (const RankFile* own : files_) sets.insert(own->team_ranks[static_cast<std::size_t>(team)]);
    std::vector<std::vector<int>> teams;
    for (const std::uint64_t ranks : sets) teams.push_back(team_members(team, ranks));
    return teams;
  }

  void judge_step(std::uint32_t number, const std::vector<int>& members) {
    int first = -1;
    for (const int rank : members) {
      const Record& own = record(rank, number);
      if (own.state.load() != RecordState::returned) continue;
      judge_record(number, members, rank);
      if (first < 0) {
        first = rank;
      } else if (differ(record(first, number), own)) {
        complain(number, "ranks differ: " + std::to_string(first) + " has " +
                             text_of(record(first, number)) + "; " + std::to_string(rank) +
                             " has " + text_of(own));
      }
      // The next ones are compared with who knows most.
      if (record(first, number).contributors == 0 && own.contributors != 0) first = rank;
    }
  }

  static bool differ(const Record& a, const Record& b) {
    const bool both_know = a.contributors != 0 && b.contributors != 0;
    return a.outcome != b.outcome || a.digest != b.digest ||
           (both_know && a.contributors != b.contributors);
  }

  void judge_record(std::uint32_t number, const std::vector<int>& members, int rank) {
    const Record& own = record(rank, number);
    const Step& step = script_[number];
    const std::string name = "rank " + std::to_string(rank);
    if (has_root(step.kind)) {
      const int root = members[step.root % members.size()];
      if (own.outcome == Outcome::process_failed) {
        if (!is_doomed(root)) complain(number, name + " got an error, but its root lives");
        return;
      }
      if (record(root, number).state.load() == RecordState::none) {
        complain(number, name + " succeeded without a root");
      }
    }
    if (own.contributors == 0) return;
    for (const int member : members) judge_contributor(number, rank, member);
  }

  void judge_contributor(std::uint32_t number, int rank, int member) {
    const bool is_in = (record(rank, number).contributors >> member & 1) != 0;
    const RecordState state = record(member, number).state.load();
    const std::string names = std::to_string(member) + " in the result of " + std::to_string(rank);
    if (is_in && state == RecordState::none) complain(number, names + ", but it never came");
    if (is_in) return;
    if (state == RecordState::returned) complain(number, "not " + names + ", but it returned");
    if (!is_doomed(member)) complain(number, "not " + names + ", but it lives");
  }

  const std::vector<Step>& script_;
  const std::vector<const RankFile*>& files_;
  const std::vector<int>& doomed_;
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> judge(const std::vector<Step>& script,
                               const std::vector<const RankFile*>& files,
                               const std::vector<int>& doomed) {
  return Judge(script, files, doomed).judge();
}

}  // namespace detour::kills
