// auto: asks all policies for a quote and builds the best.
//
//     quotes:  trees .55   ring .98   tree 1.0   combs refuses   ...
//                |
//                v built: .57 - still no worse than any other quote: done
//
// Quotes are estimates. If the winner's plan turns out dearer than the runner-up's quote, the
// runner-up is built as well and the better of the two plans is kept, and so on: at most as many
// plans as there are policies, nearly always one.
//
// Price: that of the best policy; planning costs all quotes and one plan.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"

namespace detour {
namespace {

struct Bid {
  const Policy* policy;
  Quote quote;
};

bool cheaper(const Quote& a, const Quote& b) {
  return std::tie(a.time, a.depth) < std::tie(b.time, b.depth);
}

class Auto final : public Policy {
 public:
  std::string_view name() const override { return "auto"; }
  std::string_view summary() const override {
    return "asks every policy for a quote and takes the best";
  }

 private:
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    std::string reasons;
    const auto bids = collect_bids(topology, request, reasons);
    if (bids.empty()) return Refusal{"every policy refuses:" + reasons};
    return bids.front().quote;
  }

  Outcome<Plan> make_plan(const Topology& topology, const Request& request) const override {
    std::string reasons;
    std::optional<Plan> best;
    Quote best_cost;
    for (const Bid& bid : collect_bids(topology, request, reasons)) {
      if (best && !cheaper(bid.quote, best_cost)) break;
      auto plan = bid.policy->plan(topology, request);
      if (!plan.ok()) {
        add_reason(reasons, *bid.policy, plan.reason());
        continue;
      }
      const Quote cost = quote_of(shape(topology, plan.value()), request);
      if (best && !cheaper(cost, best_cost)) continue;
      best = std::move(plan).value();
      best_cost = cost;
    }
    if (!best) return Refusal{"every policy refuses:" + reasons};
    return *std::move(best);
  }

  // The cheapest first. A policy that fails is passed over like one that refuses: another's plan is
  // checked just as well.
  std::vector<Bid> collect_bids(const Topology& topology, const Request& request,
                                std::string& reasons) const {
    std::vector<Bid> bids;
    for (const Policy* policy : PolicyRegistry::instance().all()) {
      if (policy == this) continue;
      const auto quote = policy->quote(topology, request);
      if (quote.ok()) {
        bids.push_back({policy, quote.value()});
      } else {
        add_reason(reasons, *policy, quote.reason());
      }
    }
    std::stable_sort(bids.begin(), bids.end(),
                     [](const Bid& a, const Bid& b) { return cheaper(a.quote, b.quote); });
    return bids;
  }

  static void add_reason(std::string& reasons, const Policy& policy, const std::string& reason) {
    reasons += " " + std::string(policy.name()) + ": " + reason + ";";
  }
};

const RegisterPolicy<Auto> registered;

}  // namespace
}  // namespace detour
