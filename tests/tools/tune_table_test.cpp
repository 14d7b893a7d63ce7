#include <set>

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "tune/candidates.hpp"
#include "tune/choice.hpp"
#include "tune/table_text.hpp"
#include "tune/tuned_lines.hpp"
#include "tune_times.hpp"

using namespace detour;
using namespace detour::test;
using tool::JobTimes;
using tool::tuned_lines;

namespace {

// Ranks, bytes and chunk.
using Essence = std::tuple<int, std::uint64_t, std::uint64_t>;

std::vector<Essence> essence_of(const std::vector<tool::TunedLine>& lines) {
  std::vector<Essence> essence;
  for (const tool::TunedLine& one : lines) {
    REQUIRE(one.line.operation == CallKind::allreduce);
    REQUIRE(one.line.nodes == NodeLayout::one);
    essence.emplace_back(one.line.rank_count_min, one.line.bytes_min, one.line.chunk_bytes);
  }
  return essence;
}

// Whole up to some size, pieces from there on.
JobTimes job_that_cuts_from(std::uint64_t bytes_min, int rank_count) {
  std::vector<tool::SizeTimes> sizes;
  for (std::uint64_t bytes = 16 * kib; bytes <= mib; bytes *= 4) {
    const bool is_cut = bytes >= bytes_min;
    sizes.push_back(whole_and_64k(bytes, is_cut ? 10 : 5, is_cut ? 5 : 10));
  }
  return job_of(rank_count, sizes);
}

}  // namespace

TEST_CASE("tune table: boundaries lie between what was measured") {
  using tool::boundary_bytes;
  REQUIRE(boundary_bytes(64 * kib, 256 * kib) == 128 * kib);
  REQUIRE(boundary_bytes(128 * kib, 256 * kib) == 181 * kib);
  REQUIRE(boundary_bytes(8 * kib, 16 * kib) == 11 * kib);
  REQUIRE(boundary_bytes(1 * kib, 2 * kib) == 2 * kib);
  REQUIRE(boundary_bytes(4, 16) == 16);
  REQUIRE(tool::boundary_rank_count(2, 4) == 3);
  REQUIRE(tool::boundary_rank_count(8, 16) == 12);
  REQUIRE(tool::boundary_rank_count(2, 3) == 3);
}

TEST_CASE("tune table: neighbours that agree share a line") {
  const std::vector jobs{job_that_cuts_from(256 * kib, 8)};
  const auto lines = tuned_lines(jobs);
  REQUIRE(essence_of(lines) ==
          std::vector<Essence>{{8, 16 * kib, whole_chunk}, {8, 128 * kib, 64 * kib}});
  REQUIRE(lines[0].is_built_in);
  REQUIRE(!lines[1].is_built_in);
  REQUIRE(lines[1].line.policies == std::vector<std::string>{"direct", "tree"});
}

TEST_CASE("tune table: numbers of ranks that agree share their lines") {
  std::vector jobs{job_that_cuts_from(256 * kib, 8), job_that_cuts_from(256 * kib, 16)};
  REQUIRE(essence_of(tuned_lines(jobs)) ==
          std::vector<Essence>{{8, 16 * kib, whole_chunk}, {8, 128 * kib, 64 * kib}});
  // What is the same for all is not said again.
  jobs.push_back(job_that_cuts_from(64 * kib, 32));
  REQUIRE(essence_of(tuned_lines(jobs)) == std::vector<Essence>{{8, 16 * kib, whole_chunk},
                                                                {8, 128 * kib, 64 * kib},
                                                                {23, 32 * kib, 64 * kib}});
  // But what another number of ranks has overridden is.
  jobs = {job_that_cuts_from(64 * kib, 8), job_that_cuts_from(256 * kib, 16)};
  REQUIRE(essence_of(tuned_lines(jobs)) == std::vector<Essence>{{8, 16 * kib, whole_chunk},
                                                                {8, 32 * kib, 64 * kib},
                                                                {12, 32 * kib, whole_chunk},
                                                                {12, 128 * kib, 64 * kib}});
}

TEST_CASE("tune table: the library reads the text, and selects what was chosen") {
  std::vector jobs{job_that_cuts_from(64 * kib, 2), job_that_cuts_from(256 * kib, 4),
                   job_that_cuts_from(mib, 8)};
  jobs[0].notes.emplace_back("combs is left out:\nno plan # 1");
  jobs[0].sizes[1].ways.push_back(times({"ring", 256 * kib, StoreChoice::automatic}, 1, 1));
  const std::string text = tool::table_text(jobs, {{"CPU", "fast"}}, "1.2");
  INFO(text);
  const auto table = SelectionTable::parse(text, "tuned");
  REQUIRE(table.ok());
  std::set<std::uint64_t> chunks;
  for (const JobTimes& job : jobs) {
    for (const tool::Choice& choice : tool::choose(job)) {
      const Selection selection = table.value().select({.operation = CallKind::allreduce,
                                                        .nodes = NodeLayout::one,
                                                        .rank_count = job.rank_count,
                                                        .bytes = choice.bytes},
                                                       Settings());
      REQUIRE(selection.policies.front() == choice.way.policy);
      REQUIRE(selection.policies.back() == "tree");
      REQUIRE(selection.chunk_bytes == choice.way.chunk_bytes);
      REQUIRE(selection.stores == choice.way.stores);
      chunks.insert(selection.chunk_bytes);
    }
  }
  REQUIRE(chunks.size() == 3);
}

TEST_CASE("tune table: comments say what was measured, and what it gains") {
  const std::vector jobs{job_that_cuts_from(256 * kib, 4), job_that_cuts_from(64 * kib, 8)};
  const std::string text = tool::table_text(jobs, {{"CPU", "fast"}}, "1.2");
  INFO(text);
  REQUIRE(contains(text, "DETOUR_TABLE"));
  REQUIRE(contains(text, "Detour 1.2, allreduce of 16 KiB to 1 MiB"));
  REQUIRE(contains(text, "4 and 8 ranks on one node"));
  REQUIRE(contains(text, "# CPU: fast\n"));
  REQUIRE(contains(text, "  # as built in\n"));
  // From 64 KiB on, where the built-in table is still whole.
  REQUIRE(contains(text, "  # 2.00 times as fast as built in\n"));
}

TEST_CASE("tune table: what a job tells in lines arrives as it was") {
  tool::PlaceTimes place{.nodes = NodeLayout::many,
                         .rank_count = 3,
                         .bytes = 4096,
                         .in_place = true,
                         .ways = {direct(whole_chunk, StoreChoice::streamed),
                                  {"ring", 64 * kib, StoreChoice::automatic}},
                         .medians = {median_of(3, 0.1), std::nullopt},
                         .notes = {"something\nwas left out"}};
  const std::string line = to_line(place);
  REQUIRE(!contains(line, "\n"));
  JobTimes job;
  add(job, tool::place_times_from(line).value());
  place.in_place = false;
  place.notes.clear();
  add(job, tool::place_times_from(to_line(place)).value());
  REQUIRE(job.nodes == NodeLayout::many);
  REQUIRE(job.rank_count == 3);
  REQUIRE(job.notes == std::vector<std::string>{"something\nwas left out"});
  REQUIRE(job.sizes.size() == 1);
  REQUIRE(job.sizes[0].ways[0].way == place.ways[0]);
  REQUIRE(job.sizes[0].ways[1].way == place.ways[1]);
  REQUIRE(job.sizes[0].ways[0].in_place->high_us == place.medians[0]->high_us);
  REQUIRE(job.sizes[0].ways[0].out_of_place->call_count == 100);
  REQUIRE(!job.sizes[0].ways[1].in_place);
  REQUIRE(!tool::place_times_from("{}"));
  REQUIRE(!tool::place_times_from("mpirun has something to say"));
}

TEST_CASE("tune table: candidates have the built-in ways among them") {
  const std::vector<std::uint64_t> sizes{kib, mib};
  const auto ways = tool::candidates({"ring", "auto"}, NodeLayout::one, 2, sizes);
  REQUIRE(ways == std::vector<tool::Way>{direct(whole_chunk, StoreChoice::cached),
                                         direct(whole_chunk, StoreChoice::streamed),
                                         direct(256 * kib, StoreChoice::cached),
                                         direct(256 * kib, StoreChoice::streamed),
                                         {"ring", 64 * kib, StoreChoice::automatic},
                                         {"ring", 256 * kib, StoreChoice::automatic}});
  REQUIRE(tool::candidates({"direct"}, NodeLayout::one, 2, sizes).size() == 4 * 2);
  // Between nodes messages are written by whoever sends them: no choice of stores.
  REQUIRE(tool::candidates({"direct"}, NodeLayout::many, 2, sizes).size() == 2 + 4);
}
