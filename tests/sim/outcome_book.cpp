#include "sim/outcome_book.hpp"

#include <fmt/format.h>

#include "sim/sim_member.hpp"

namespace detour::sim {

OutcomeBook::OutcomeBook(const Scenario& scenario) : scenario_(scenario) {
  for (const CallPlan& call : scenario.calls) {
    endings_.emplace_back(scenario.communicators[call.communicator].processes.size());
  }
}

void OutcomeBook::record(std::size_t call, Rank rank, Ending ending) {
  endings_[call][static_cast<std::size_t>(rank)] = std::move(ending);
}

void OutcomeBook::record_withdrawal(std::size_t communicator, Rank rank) {
  withdrawn_.emplace(communicator, rank);
}

bool OutcomeBook::is_left(std::size_t communicator, Rank rank,
                          const std::vector<bool>& survives) const {
  return survives[static_cast<std::size_t>(process_of(communicator, rank))] &&
         !withdrawn_.contains({communicator, rank});
}

int OutcomeBook::process_of(std::size_t communicator, Rank rank) const {
  return scenario_.communicators[communicator].processes[static_cast<std::size_t>(rank)];
}

std::optional<std::string> OutcomeBook::find_violation(const std::vector<bool>& survives,
                                                       const std::vector<bool>& was_fenced,
                                                       ResultBits& bits) const {
  for (std::size_t call = 0; call < endings_.size(); ++call) {
    auto violation = check_call(call, survives, was_fenced);
    if (!violation) violation = check_bits(call, bits);
    if (violation) return fmt::format("call {}: {}", call, *violation);
  }
  return check_fences();
}

// Those who died later, or were taken for dead later, have seen the same.
std::optional<std::string> OutcomeBook::check_call(std::size_t call,
                                                   const std::vector<bool>& survives,
                                                   const std::vector<bool>& was_fenced) const {
  const CallPlan& plan = scenario_.calls[call];
  const Ending* reference = nullptr;
  for (std::size_t at = 0; at < endings_[call].size(); ++at) {
    const auto rank = static_cast<Rank>(at);
    const auto process = static_cast<std::size_t>(process_of(plan.communicator, rank));
    const auto& ending = endings_[call][at];
    if (!ending) {
      if (is_left(plan.communicator, rank, survives)) {
        return fmt::format("rank {} has no result (G1)", rank);
      }
      continue;
    }
    if (ending->error == fenced) {
      if (was_fenced[process] || withdrawn_.contains({plan.communicator, rank})) continue;
      return fmt::format("rank {} is told that it was given up, but was not", rank);
    }
    if (reference == nullptr) reference = &*ending;
    if (reference->error != ending->error) {
      return fmt::format("rank {} got \"{}\", another one \"{}\" (G2)", rank,
                         to_text(ending->error), to_text(reference->error));
    }
    if (auto damage = find_damaged_input(plan, rank, ending->buffers, ending->error != 0)) {
      return fmt::format("rank {}: {} (G4)", rank, *damage);
    }
    if (ending->error != 0) {
      if (auto violation = check_error(plan, ending->error, survives)) return violation;
      continue;
    }
    if (!(reference->contributors == ending->contributors)) {
      return fmt::format("rank {} knows of other contributors (G2)", rank);
    }
    if (auto violation = check_result(call, rank, *ending, survives)) return violation;
  }
  return std::nullopt;
}

std::optional<std::string> OutcomeBook::check_error(const CallPlan& plan, int error,
                                                    const std::vector<bool>& survives) const {
  const auto is_possible = [&] {
    switch (error) {
      case wrong_arguments:
        return plan.wrong_rank != no_rank;
      case no_memory:
        return plan.poor_rank != no_rank;
      case lost:
        return plan.root != no_rank && !is_left(plan.communicator, plan.root, survives);
      default:
        return false;
    }
  };
  if (is_possible()) return std::nullopt;
  return fmt::format("it ended with \"{}\" for no reason (G1)", to_text(error));
}

std::optional<std::string> OutcomeBook::check_result(std::size_t call, Rank rank,
                                                     const Ending& ending,
                                                     const std::vector<bool>& survives) const {
  const CallPlan& plan = scenario_.calls[call];
  for (std::size_t other = 0; other < endings_[call].size(); ++other) {
    if (is_left(plan.communicator, static_cast<Rank>(other), survives) &&
        !ending.contributors.has(other)) {
      return fmt::format("survivor {} has not contributed (G3)", other);
    }
  }
  if (auto wrong = find_wrong_output(plan, call, rank, ending.buffers, ending.contributors)) {
    return fmt::format("rank {}: {} (G3)", rank, *wrong);
  }
  return std::nullopt;
}

// Whoever has been told once that it was given up is told so for ever, and is in no later result.
std::optional<std::string> OutcomeBook::check_fences() const {
  for (std::size_t communicator = 0; communicator < scenario_.communicators.size();
       ++communicator) {
    std::vector<bool> is_out(scenario_.communicators[communicator].processes.size());
    for (std::size_t call = 0; call < endings_.size(); ++call) {
      if (scenario_.calls[call].communicator != communicator) continue;
      for (std::size_t rank = 0; rank < is_out.size(); ++rank) {
        const auto& ending = endings_[call][rank];
        if (is_out[rank] && ending && ending->error != fenced) {
          return fmt::format("call {}: rank {} was given up and takes part again (G5)", call, rank);
        }
        for (std::size_t other = 0; other < is_out.size(); ++other) {
          if (is_out[other] && ending && ending->error == 0 && ending->contributors.has(other)) {
            return fmt::format("call {}: rank {} was given up and contributes (G5)", call, other);
          }
        }
      }
      for (std::size_t rank = 0; rank < is_out.size(); ++rank) {
        const auto& ending = endings_[call][rank];
        if (ending && ending->error == fenced) is_out[rank] = true;
      }
    }
  }
  return std::nullopt;
}

// All ranks have the same bits, and so have all runs in which the same ones contributed.
std::optional<std::string> OutcomeBook::check_bits(std::size_t call, ResultBits& bits) const {
  const CallKind kind = scenario_.calls[call].kind;
  if (kind == CallKind::reduce_scatter || kind == CallKind::allgather) return std::nullopt;
  for (const auto& ending : endings_[call]) {
    if (!ending || ending->error != 0 || ending->buffers.output.empty()) continue;
    const auto [known, is_new] =
        bits.try_emplace({call, ending->contributors.words()}, ending->buffers.output);
    if (!is_new && !(known->second == ending->buffers.output)) {
      return "the same contributors have given other bits (G2, G6)";
    }
  }
  return std::nullopt;
}

}  // namespace detour::sim
