#include "ledger.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace detour::parity {
namespace {

constexpr std::size_t batch_count = 32;

// Of each combination every rank tells the digest and whether it complains.
constexpr std::size_t columns_per_entry = 2;

const char* place_name(bool in_place) {
  return in_place ? "in place" : "apart";
}

bool is_in_product(const Combination& combination, const Universe& universe) {
  return combination.kind == Kind::allreduce && combination.group == Group::world &&
         combination.subject < universe.predefined_count;
}

}  // namespace

Ledger::Ledger(const Universe& universe) : universe_(universe) {
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size_);
  for (std::size_t i = 0; i < universe.predefined_count; ++i) {
    types_[universe.subjects[i].name] = 0;
    for (const Operation& operation : universe.subjects[i].operations) {
      operations_[operation.name] = 0;
    }
  }
  for (const std::size_t count : parity::counts) counts_[std::to_string(count)] = 0;
  for (const std::string& policy : universe.policies) policies_[policy] = 0;
  for (const bool in_place : {false, true}) places_[place_name(in_place)] = 0;
}

void Ledger::add(const Combination& combination, const Finding& finding) {
  open_.push_back({combination, finding});
  count(combination);
}

void Ledger::count(const Combination& combination) {
  ++combination_count_;
  // A user's function runs in the program's threads only, so MPI does its nonblocking ones.
  const bool is_left_to_mpi =
      combination.kind == Kind::iallreduce && universe_.subject(combination).is_users;
  if (!is_left_to_mpi) ++own_count_;
  if (!is_in_product(combination, universe_)) {
    const auto kind = static_cast<std::size_t>(combination.kind);
    ++others_[std::string(kind_names[kind])];
    return;
  }
  ++types_[universe_.subject(combination).name];
  ++operations_[universe_.operation(combination).name];
  ++counts_[std::to_string(combination.count)];
  ++policies_[universe_.policies[combination.policy]];
  ++places_[place_name(combination.in_place)];
}

bool Ledger::is_due() const {
  return open_.size() >= batch_count;
}

bool Ledger::settle(bool wants_to_stop) {
  std::vector<std::uint64_t> own{wants_to_stop ? 1u : 0u};
  for (const Entry& entry : open_) {
    own.push_back(entry.finding.digest);
    own.push_back(entry.finding.complaint.empty() ? 0 : 1);
  }
  const int length = static_cast<int>(own.size());
  std::vector<std::uint64_t> all(own.size() * static_cast<std::size_t>(world_size_));
  PMPI_Allgather(own.data(), length, MPI_UINT64_T, all.data(), length, MPI_UINT64_T,
                 MPI_COMM_WORLD);
  for (std::size_t i = 0; i < open_.size(); ++i) {
    judge(open_[i], all, 1 + i * columns_per_entry);
  }
  open_.clear();
  return all.front() != 0;
}

// The lowest rank that complains does it aloud; if there is none, the first rank looks for differences.
void Ledger::judge(const Entry& entry, const std::vector<std::uint64_t>& columns,
                   std::size_t column) {
  const std::size_t row_length = columns.size() / static_cast<std::size_t>(world_size_);
  const auto at = [&](int rank, std::size_t offset) {
    return columns[static_cast<std::size_t>(rank) * row_length + column + offset];
  };
  int complaining = 0;
  while (complaining < world_size_ && at(complaining, 1) == 0) ++complaining;
  if (complaining < world_size_) {
    ++wrong_count_;
    if (complaining == world_rank_) complain(entry.combination, entry.finding.complaint);
    return;
  }
  const auto first_of_team = [&](int rank) {
    return static_cast<int>(color_of(entry.combination.group, rank));
  };
  for (int rank = 0; rank < world_size_; ++rank) {
    if (at(rank, 0) == at(first_of_team(rank), 0)) continue;
    ++wrong_count_;
    if (world_rank_ == 0) {
      complain(entry.combination, "rank " + std::to_string(rank) +
                                      " has another result than rank " +
                                      std::to_string(first_of_team(rank)));
    }
    return;
  }
}

void Ledger::complain(const Combination& about, const std::string& complaint) const {
  const char* transport = std::getenv("DETOUR_TRANSPORT");
  std::ostringstream text;
  text << "parity: rank " << world_rank_ << ": " << complaint
       << "; once more: DETOUR_TRANSPORT=" << (transport == nullptr ? "auto" : transport)
       << " mpirun --oversubscribe -np " << world_size_ << " parity --only "
       << text_of(about, universe_) << "\n";
  std::cerr << text.str() << std::flush;
}

std::string Ledger::line(const Tally& tally) {
  std::ostringstream text;
  for (const auto& [name, times] : tally) text << "  " << name << " x" << times;
  return text.str();
}

void Ledger::print_coverage() const {
  const auto least = std::min_element(types_.begin(), types_.end(),
                                      [](auto& a, auto& b) { return a.second < b.second; });
  std::cout << "  types:     " << types_.size() << ", each at least " << least->second << " times\n"
            << "  operations:" << line(operations_) << "\n"
            << "  counts:    " << line(counts_) << "\n"
            << "  policies:  " << line(policies_) << "\n"
            << "  buffers:   " << line(places_) << "\n"
            << "  others:    " << line(others_) << "\n";
}

std::string Ledger::missing() const {
  std::string names;
  for (const Tally* tally : {&types_, &operations_, &counts_, &places_, &policies_}) {
    for (const auto& [name, times] : *tally) {
      if (times == 0) names += " " + name;
    }
  }
  return names;
}

}  // namespace detour::parity
