// Loads and predicted times against figures worked out by hand.
#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

Request request_of(std::uint64_t bytes) {
  Request request;
  request.bytes = bytes;
  request.machine.link_bytes_per_us = 1000;
  request.machine.hop_latency_us = 2;
  request.machine.message_overhead_us = 0.5;
  request.machine.chunk_bytes = 1000;
  return request;
}

}  // namespace

TEST_CASE("one pipelined tree: the first chunk through all hops, the rest behind it") {
  const Topology line = drawn({"..."});
  const Shape tree = shape(line, plan_by("tree", line));
  CHECK(tree.depth == 2);
  CHECK(tree.link_load == 1);
  CHECK(tree.cell_load == 2);
  // 10 chunks of 1000 bytes, each 0.5 + 1 us on a link, 2 hops of 2 us latency.
  CHECK(predicted_us(tree, request_of(10'000)) == Approx(2 * 1.5 + 2 * 2 + 9 * 1.5));
  // Less than a chunk: one short message.
  CHECK(predicted_us(tree, request_of(100)) == Approx(2 * (0.5 + 0.1 + 2)));
}

TEST_CASE("a ring takes 2(n-1) steps of its n-th part") {
  const Topology square = drawn({"..", ".."});
  const Shape ring = shape(square, plan_by("ring", square));
  CHECK(ring.depth == 6);
  CHECK(ring.link_load == Approx(3.0 / 4));
  CHECK(ring.flow_share == Approx(1.0 / 8));
  // Both ways at once: 8 flows of 1000 bytes, each link is busy in every one of 6 steps.
  CHECK(predicted_us(ring, request_of(8000)) == Approx(6 * (0.5 + 1 + 2)));
}

TEST_CASE(
    "large messages cost the busiest link, or the busiest cell where injection is the limit") {
  const Topology mesh = drawn({"....", "....", "....", "...."});
  const Shape combs = shape(mesh, plan_by("combs", mesh));
  CHECK(predicted_time(combs, {}) == Approx(15.0 / 24));
  Request injection;
  injection.machine.injection_bytes_per_us = injection.machine.link_bytes_per_us;
  CHECK(predicted_time(combs, injection) == Approx(combs.cell_load));
  CHECK(combs.cell_load > 15.0 / 8);
  Request large = request_of(1'000'000'000);
  large.machine.message_overhead_us = 0;
  CHECK(predicted_time(combs, large) == Approx(15.0 / 24).epsilon(1e-4));
}

TEST_CASE("a bridge costs the latency of the links it spans, and the bandwidth of one") {
  const Topology parts = drawn({".xxx."});
  const Plan plan = plan_by("tree", parts);
  REQUIRE(plan.bridges == std::vector<Hop>{{0, 4}});
  const Shape bridged = shape(parts, plan);
  CHECK(bridged.link_load == 1);
  CHECK(bridged.depth == 2);
  CHECK(bridged.distance == 8);
  CHECK(predicted_us(bridged, request_of(1000)) == Approx(2 * 1.5 + 8 * 2));
}

TEST_CASE("loads of a ring are those of its flows written out") {
  // A ring with a tail of one cell and one of three, a bridge among them; then a ring of two across a
  // bridge. Shares differ, as those of a user's policy may.
  const Topology topology = GENERATE(drawn({"...xx", "...x.", "...xx"}), drawn({"....", "..xx"}),
                                     drawn({".xxx."}), drawn({"...", "...", "..."}));
  Plan ring = plan_by("ring", topology);
  REQUIRE_FALSE(ring.cycles.empty());
  for (Cycle& cycle : ring.cycles) {
    for (std::size_t at = 0; at < cycle.shares.size(); ++at) {
      cycle.shares[at] = static_cast<Share>(1 + at % 3);
    }
  }
  ring.total_share = share_sum(ring);
  Plan written_out;
  written_out.bridges = ring.bridges;
  written_out.total_share = ring.total_share;
  for_each_flow(ring, [&](const Flow& flow) { written_out.flows.push_back(flow); });
  CHECK(written_out.flows.size() == flow_count(ring));
  CHECK_FALSE(find_defect(topology, written_out));
  const LinkLoads compact(topology, ring);
  const LinkLoads loads(topology, written_out);
  int link_count = 0;
  loads.for_each([&](Hop hop, std::uint64_t load) {
    CHECK(compact.load(hop) == load);
    ++link_count;
  });
  CHECK(link_count > 0);
  CHECK(compact.load_max() == loads.load_max());
  CHECK(compact.cell_load_max() == loads.cell_load_max());
  const Shape as_ring = shape(topology, ring);
  const Shape as_flows = shape(topology, written_out);
  CHECK(as_ring.depth == as_flows.depth);
  CHECK(as_ring.distance == as_flows.distance);
  CHECK(as_ring.link_load == as_flows.link_load);
  CHECK(as_ring.cell_load == as_flows.cell_load);
}

TEST_CASE("the busiest cell counts what leaves it, and what enters it") {
  const Topology line = drawn({"..."});
  Plan one_way;  // everything to the right, and back along the same links
  one_way.flows = {
      {.share = 1, .root = 2, .reduce = {{0, 1}, {1, 2}}, .broadcast = {{2, 1}, {1, 0}}}};
  CHECK(shape(line, one_way).cell_load == 2);
  Plan fan = plan_by("tree", drawn({".x.", "...", ".x."}));
  CHECK(shape(drawn({".x.", "...", ".x."}), fan).cell_load >= 2);
}

TEST_CASE("the slowest flow decides: the deepest, of these the largest") {
  const Topology line = drawn({"...."});
  Plan plan;
  plan.flows = {{.share = 5,
                 .root = 1,
                 .reduce = {{3, 2}, {2, 1}, {0, 1}},
                 .broadcast = {{1, 2}, {2, 3}, {1, 0}}},
                {.share = 1,
                 .root = 0,
                 .reduce = {{3, 2}, {2, 1}, {1, 0}},
                 .broadcast = {{0, 1}, {1, 2}, {2, 3}}},
                {.share = 2,
                 .root = 3,
                 .reduce = {{0, 1}, {1, 2}, {2, 3}},
                 .broadcast = {{3, 2}, {2, 1}, {1, 0}}}};
  const Shape result = shape(line, plan);
  CHECK(result.depth == 6);
  CHECK(result.flow_share == Approx(2.0 / 8));
}

TEST_CASE("a message of no bytes is priced like the smallest") {
  const Topology mesh = intact(4, 4);
  const Shape tree = shape(mesh, plan_by("tree", mesh));
  CHECK(predicted_time(tree, request_of(0)) == predicted_time(tree, request_of(1)));
  CHECK(policy("auto").plan(mesh, request_of(0)).value().policy == "tree");
}

TEST_CASE("unless it is given, the chunk size is the best one") {
  const Topology mesh = intact(8, 8);
  const Shape combs = shape(mesh, plan_by("combs", mesh));
  Request request = request_of(4 * 1024 * 1024);
  CHECK(best_chunk_bytes(combs, request) == 1000);
  request.machine.chunk_bytes.reset();
  const double best_us = predicted_us(combs, request);
  for (std::uint64_t chunk = 1024; chunk <= 1024 * 1024; chunk *= 2) {
    request.machine.chunk_bytes = chunk;
    CHECK(predicted_us(combs, request) >= best_us);
  }
  request.machine.chunk_bytes.reset();
  request.bytes = 8;
  CHECK(predicted_us(combs, request) > 0);
}

TEST_CASE("medium messages on an intact mesh come near the limit too") {
  Request request;
  request.bytes = 4 * 1024 * 1024;
  const Topology mesh = intact(8, 8);
  const auto plan = policy("auto").plan(mesh, request);
  REQUIRE(plan.ok());
  CHECK(predicted_time(shape(mesh, plan.value()), request) < 0.70);
}

TEST_CASE("limited injection has a limit of its own, which plans can come near") {
  const Topology mesh = intact(8, 8);
  Request request;
  CHECK(injection_limit(mesh, request) == 0);
  request.machine.injection_bytes_per_us = request.machine.link_bytes_per_us / 2;
  CHECK(injection_limit(mesh, request) == Approx(2 * 63.0 / 64 * 2));
  const auto plan = policy("auto").plan(mesh, request);
  REQUIRE(plan.ok());
  const double time = predicted_time(shape(mesh, plan.value()), request);
  CHECK(time >= injection_limit(mesh, request));
  CHECK(time <= 1.05 * injection_limit(mesh, request));
}

TEST_CASE("no cell alone costs anything") {
  const Topology one = drawn({".x"});
  const Plan plan = plan_by("auto", one);
  CHECK(plan.flows.empty());
  CHECK(predicted_time(shape(one, plan), {}) == 0);
  CHECK(predicted_us(shape(one, plan), request_of(1000)) == 0);
}
