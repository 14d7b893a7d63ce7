// Keeps account of what was tried: how often each thing was, and what was wrong.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "combination.hpp"
#include "trial.hpp"

namespace detour::parity {

class Ledger {
 public:
  explicit Ledger(const Universe& universe);

  void add(const Combination& combination, const Finding& finding);

  // Compares the ranks' findings since the last time, and prints what was wrong. Collective over the
  // world; tells all ranks whether the first one wants to stop.
  bool settle(bool wants_to_stop);
  bool is_due() const;

  std::size_t combination_count() const { return combination_count_; }
  std::size_t wrong_count() const { return wrong_count_; }
  // Of combinations that the library has to do itself.
  std::size_t own_count() const { return own_count_; }

  // How often each count, policy and so on was tried in the product, and how often each other function.
  void print_coverage() const;
  // What has not been tried in the product at all; empty if nothing.
  std::string missing() const;

 private:
  struct Entry {
    Combination combination;
    Finding finding;
  };
  // Which is the order of numbers too.
  struct ShorterFirst {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
  };
  using Tally = std::map<std::string, std::size_t, ShorterFirst>;

  static std::string line(const Tally& tally);

  void count(const Combination& combination);
  void judge(const Entry& entry, const std::vector<std::uint64_t>& columns, std::size_t column);
  void complain(const Combination& about, const std::string& complaint) const;

  const Universe& universe_;
  int world_rank_ = 0;
  int world_size_ = 0;
  std::vector<Entry> open_;
  std::size_t combination_count_ = 0;
  std::size_t own_count_ = 0;
  std::size_t wrong_count_ = 0;
  // Of the product; filled with zeros for all there is.
  Tally types_, operations_, counts_, places_, policies_;
  Tally others_;
};

}  // namespace detour::parity
