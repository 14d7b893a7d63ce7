// What became of every call on every rank, and whether that is what the library promises.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/payload.hpp"
#include "sim/scenario.hpp"

namespace detour::sim {

struct Ending {
  int error = 0;
  MemberSet contributors{0};
  CallBuffers buffers;
};

// By call and contributors: the bits of a result. Shared by the variants of a scenario.
using ResultBits = std::map<std::pair<std::size_t, std::vector<std::uint64_t>>, Elements>;

class OutcomeBook {
 public:
  explicit OutcomeBook(const Scenario& scenario);

  void record(std::size_t call, Rank rank, Ending ending);
  // It gave up in the middle of a call, which has no ending for it: like a death, but of this member alone.
  void record_withdrawal(std::size_t communicator, Rank rank);
  // Whether it has neither died nor withdrawn.
  bool is_left(std::size_t communicator, Rank rank, const std::vector<bool>& survives) const;

  // After the run: those who lived to its end and were never taken for dead; and those who were taken for dead, by
  // process. Nothing, or what is wrong in one line.
  std::optional<std::string> find_violation(const std::vector<bool>& survives,
                                            const std::vector<bool>& was_fenced,
                                            ResultBits& bits) const;

 private:
  using Endings = std::vector<std::optional<Ending>>;  // by rank

  std::optional<std::string> check_call(std::size_t call, const std::vector<bool>& survives,
                                        const std::vector<bool>& was_fenced) const;
  std::optional<std::string> check_error(const CallPlan& plan, int error,
                                         const std::vector<bool>& survives) const;
  std::optional<std::string> check_result(std::size_t call, Rank rank, const Ending& ending,
                                          const std::vector<bool>& survives) const;
  std::optional<std::string> check_fences() const;
  std::optional<std::string> check_bits(std::size_t call, ResultBits& bits) const;
  int process_of(std::size_t communicator, Rank rank) const;

  const Scenario& scenario_;
  std::vector<Endings> endings_;                      // by call
  std::set<std::pair<std::size_t, Rank>> withdrawn_;  // by communicator
};

}  // namespace detour::sim
