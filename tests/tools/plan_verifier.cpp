#include "plan_verifier.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace detour::test {
namespace {

using nlohmann::json;
using Place = std::pair<int, int>;
using Pair = std::pair<Place, Place>;

Place place(const json& cell) {
  return {cell.at(0).get<int>(), cell.at(1).get<int>()};
}

Pair pair_of(const json& hop) {
  return {place(hop.at(0)), place(hop.at(1))};
}

std::set<std::string> keys(const json& object) {
  std::set<std::string> result;
  for (const auto& item : object.items()) result.insert(item.key());
  return result;
}

class Verifier {
 public:
  explicit Verifier(const json& plan) : plan_(plan) {}

  std::string verify() {
    if (keys(plan_) !=
        std::set<std::string>{"mesh", "failed", "policy", "flows", "bridges", "time"})
      return "wrong keys";
    if (keys(plan_["time"]) != std::set<std::string>{"predicted", "limit", "limit_partition"})
      return "wrong keys of time";
    find_live_cells();
    for (const json& bridge : plan_["bridges"]) {
      const auto [a, b] = pair_of(bridge);
      bridges_.insert({a, b});
      bridges_.insert({b, a});
    }
    double shares = 0;
    for (const json& flow : plan_["flows"]) {
      if (keys(flow) != std::set<std::string>{"share", "root", "reduce", "broadcast"})
        return "wrong keys of a flow";
      shares += flow["share"].get<double>();
      if (auto defect = verify_flow(flow); !defect.empty()) return defect;
    }
    if (live_.size() > 1 && std::abs(shares - 1) > 1e-9) return "shares don't add up to 1";
    return verify_time();
  }

 private:
  void find_live_cells() {
    std::set<Place> failed;
    for (const json& cell : plan_["failed"]) failed.insert(place(cell));
    for (int row = 0; row < plan_["mesh"]["rows"].get<int>(); ++row) {
      for (int col = 0; col < plan_["mesh"]["cols"].get<int>(); ++col) {
        if (!failed.contains({row, col})) live_.insert({row, col});
      }
    }
  }

  bool may_hop(const Place& a, const Place& b) const {
    const int distance = std::abs(a.first - b.first) + std::abs(a.second - b.second);
    return distance == 1 || bridges_.contains({a, b});
  }

  std::string verify_flow(const json& flow) {
    const Place root = place(flow["root"]);
    std::map<Place, Place> up;
    std::map<Place, Place> down;
    for (const json& hop : flow["reduce"]) {
      const auto [child, parent] = pair_of(hop);
      if (!up.emplace(child, parent).second) return "a cell is reduced twice";
      loads_[{child, parent}] += flow["share"].get<double>();
    }
    for (const json& hop : flow["broadcast"]) {
      const auto [parent, child] = pair_of(hop);
      if (!down.emplace(child, parent).second) return "a cell gets the sum twice";
      loads_[{parent, child}] += flow["share"].get<double>();
    }
    if (auto defect = verify_tree(root, up); !defect.empty()) return "reduce: " + defect;
    if (auto defect = verify_tree(root, down); !defect.empty()) return "broadcast: " + defect;
    return {};
  }

  std::string verify_tree(const Place& root, const std::map<Place, Place>& parents) const {
    if (parents.contains(root)) return "the root has a parent";
    if (parents.size() + 1 != live_.size()) return "not every live cell is in it once";
    for (const auto& [child, parent] : parents) {
      if (!live_.contains(child) || !live_.contains(parent)) return "a dead cell";
      if (!may_hop(child, parent)) return "a hop that is no link and no bridge";
      Place at = child;
      for (std::size_t steps = 0; at != root; ++steps) {
        if (steps > live_.size() || !parents.contains(at))
          return "a cell that never reaches the root";
        at = parents.at(at);
      }
    }
    return {};
  }

  std::string verify_time() const {
    double largest = 0;
    for (const auto& [hop, load] : loads_) largest = std::max(largest, load);
    if (std::abs(largest - plan_["time"]["predicted"].get<double>()) > 1e-9) {
      return "predicted time is not the largest load, " + std::to_string(largest);
    }
    std::set<Place> covered;
    for (const json& part : plan_["time"]["limit_partition"]) {
      for (const json& cell : part) {
        if (!covered.insert(place(cell)).second) return "a cell in two parts";
      }
    }
    if (live_.size() > 1 && covered != live_) return "the partition is not one of the live cells";
    return verify_limit();
  }

  // (parts - 1) / links between them; no limit where there are none.
  std::string verify_limit() const {
    std::map<Place, std::size_t> part_of;
    const json& parts = plan_["time"]["limit_partition"];
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (const json& cell : parts[part]) part_of[place(cell)] = part;
    }
    double links = 0;
    for (const auto& [cell, part] : part_of) {
      for (const Place& next :
           {Place{cell.first + 1, cell.second}, {cell.first, cell.second + 1}}) {
        if (part_of.contains(next) && part_of.at(next) != part) ++links;
      }
    }
    const json& limit = plan_["time"]["limit"];
    if (parts.size() <= 1) return limit == 0 ? "" : "a limit without a proof";
    if (links == 0) return limit.is_null() ? "" : "a limit for parts without links";
    if (limit.is_null()) return "no limit, although links join the parts";
    const double proven = (static_cast<double>(parts.size()) - 1) / links;
    return std::abs(limit.get<double>() - proven) < 1e-9 ? ""
                                                         : "the partition proves another limit";
  }

  const json& plan_;
  std::set<Place> live_;
  std::set<Pair> bridges_;
  std::map<Pair, double> loads_;
};

}  // namespace

std::string find_json_defect(const json& plan) {
  return Verifier(plan).verify();
}

}  // namespace detour::test
