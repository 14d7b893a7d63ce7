#include "selection/selection_table.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "support/catch.hpp"

using namespace detour;

namespace {

constexpr std::uint64_t kibibyte = 1024;

std::string policies(const Selection& selection) {
  std::string text;
  for (const std::string& policy : selection.policies) text += (text.empty() ? "" : ",") + policy;
  return text;
}

std::string chosen(const SelectionTable& table, const Situation& situation) {
  return policies(table.select(situation, {}));
}

SelectionTable parsed(std::string_view text) {
  auto table = SelectionTable::parse(text, "a file");
  INFO(table.reason());
  REQUIRE(table.ok());
  return std::move(table).value();
}

std::string problem_of(std::string_view text) {
  return SelectionTable::parse(text, "a file").reason();
}

constexpr std::array all_operations{CallKind::allreduce, CallKind::reduce,
                                    CallKind::broadcast, CallKind::barrier,
                                    CallKind::allgather, CallKind::reduce_scatter};

}  // namespace

TEST_CASE("the built-in table has a line for everything") {
  const auto table = SelectionTable::built_in();
  for (const CallKind operation : all_operations) {
    for (const NodeLayout nodes : {NodeLayout::one, NodeLayout::many}) {
      for (const std::uint64_t bytes : {std::uint64_t{0}, kibibyte, kibibyte << 20}) {
        const auto selection = table.select({operation, nodes, 2, bytes}, {});
        REQUIRE(selection.policies.back() == "tree");
        const bool is_tuned = operation == CallKind::allreduce && nodes == NodeLayout::one;
        if (!is_tuned) REQUIRE(selection.chunk_bytes == 64 * kibibyte);
      }
    }
  }
}

TEST_CASE("what the built-in table says") {
  const auto table = SelectionTable::built_in();
  for (const CallKind operation : all_operations) {
    REQUIRE(chosen(table, {operation, NodeLayout::one, 8, kibibyte << 10}) == "direct,tree");
    REQUIRE(chosen(table, {operation, NodeLayout::many, 8, 16 * kibibyte - 1}) == "tree");
  }
  for (const CallKind operation : {CallKind::allreduce, CallKind::reduce, CallKind::broadcast}) {
    REQUIRE(chosen(table, {operation, NodeLayout::many, 8, 16 * kibibyte}) == "auto,tree");
  }
  for (const CallKind operation : {CallKind::allgather, CallKind::reduce_scatter}) {
    REQUIRE(chosen(table, {operation, NodeLayout::many, 8, kibibyte << 20}) == "tree");
  }
}

TEST_CASE("within a node short messages stay whole, longer ones if there are more ranks") {
  const auto table = SelectionTable::built_in();
  const auto chunk = [&](std::int32_t rank_count, std::uint64_t bytes) {
    return table.select({CallKind::allreduce, NodeLayout::one, rank_count, bytes}, {}).chunk_bytes;
  };
  REQUIRE(chunk(2, 4 * kibibyte) == whole_chunk);
  REQUIRE(chunk(2, 64 * kibibyte) == whole_chunk);
  REQUIRE(chunk(2, 128 * kibibyte) == 256 * kibibyte);
  REQUIRE(chunk(8, 64 * kibibyte) == whole_chunk);
  REQUIRE(chunk(8, kibibyte << 10) == 256 * kibibyte);
}

TEST_CASE("chunks may be whole, and stores are told or not") {
  const auto table = parsed(
      "allreduce one 0 0 direct whole streamed\n"
      "allreduce one 0 1K direct 4K\n"
      "allreduce one 0 2K direct 4K apart");
  const auto select = [&](std::uint64_t bytes, const Settings& settings = {}) {
    return table.select({CallKind::allreduce, NodeLayout::one, 2, bytes}, settings);
  };
  REQUIRE(select(0).chunk_bytes == whole_chunk);
  REQUIRE(select(0).stores == StoreChoice::streamed);
  REQUIRE(select(kibibyte).chunk_bytes == 4 * kibibyte);
  REQUIRE(select(kibibyte).stores == StoreChoice::automatic);
  REQUIRE(select(2 * kibibyte).stores == StoreChoice::apart);
  Settings settings;
  settings.stores = StoreChoice::cached;
  REQUIRE(select(0, settings).stores == StoreChoice::cached);
  // What suits one policy is nothing to another.
  settings.policy = "ring";
  REQUIRE(select(0, settings).chunk_bytes == 64 * kibibyte);
  settings.chunk_bytes = whole_chunk;
  REQUIRE(select(0, settings).chunk_bytes == whole_chunk);
  REQUIRE(problem_of("allreduce one 0 0 direct 4K fast") ==
          "a file, line 1: stores are 'auto', 'cached', 'apart' or 'streamed', not 'fast'");
}

TEST_CASE("the last line that holds counts") {
  const auto table = parsed(
      "# mine\n"
      "\n"
      "allreduce many 4 1M ring2d,ring 128K  # from four ranks on\n"
      "  reduce\t*  0 0 trees 4096\r\n"
      "allreduce many 16 1M trees,tree 256K");
  REQUIRE(table.lines().size() == SelectionTable::built_in().lines().size() + 3);
  const Situation large{CallKind::allreduce, NodeLayout::many, 4, kibibyte * kibibyte};
  REQUIRE(chosen(table, large) == "ring2d,ring,tree");
  REQUIRE(table.select(large, {}).chunk_bytes == 128 * kibibyte);
  REQUIRE(chosen(table, {CallKind::allreduce, NodeLayout::many, 3, kibibyte * kibibyte}) ==
          "auto,tree");
  REQUIRE(chosen(table, {CallKind::allreduce, NodeLayout::many, 4, kibibyte * kibibyte - 1}) ==
          "auto,tree");
  REQUIRE(chosen(table, {CallKind::allreduce, NodeLayout::many, 16, kibibyte * kibibyte}) ==
          "trees,tree");
  REQUIRE(chosen(table, {CallKind::reduce, NodeLayout::one, 1, 0}) == "trees,tree");
  REQUIRE(chosen(table, {CallKind::allreduce, NodeLayout::one, 16, kibibyte * kibibyte}) ==
          "direct,tree");
}

TEST_CASE("settings go before the table") {
  const auto table = SelectionTable::built_in();
  Settings settings;
  settings.policy = "ring";
  settings.chunk_bytes = 1000;
  const auto selection =
      table.select({CallKind::allreduce, NodeLayout::many, 4, kibibyte << 10}, settings);
  REQUIRE(policies(selection) == "ring,auto,tree");
  REQUIRE(selection.chunk_bytes == 1000);
  settings.policy = "auto";
  REQUIRE(policies(table.select({CallKind::allreduce, NodeLayout::many, 4, kibibyte << 10},
                                settings)) == "auto,tree");
}

TEST_CASE("a line that makes no sense is told with its number") {
  REQUIRE(
      problem_of("# comment\n\nallreduce many 0 0 tree\n") ==
      "a file, line 3: has 5 words instead of 6 or 7: operation, nodes, ranks, bytes, policies, "
      "chunk, stores");
  REQUIRE(problem_of("allreduse many 0 0 tree 64K") ==
          "a file, line 1: unknown operation 'allreduse'; did you mean 'allreduce'?");
  REQUIRE(problem_of("allreduce man 0 0 tree 64K") ==
          "a file, line 1: unknown layout of nodes 'man'; did you mean 'many'?");
  REQUIRE(problem_of("allreduce many -1 0 tree 64K") ==
          "a file, line 1: ranks has to be a whole number, not '-1'");
  REQUIRE(problem_of("allreduce many 0 some tree 64K") ==
          "a file, line 1: bytes 'some' is no size: write a number of bytes, or 64K, 4M, 1G");
  REQUIRE(problem_of("allreduce many 0 0 treee 64K") ==
          "a file, line 1: unknown policy 'treee'; did you mean 'tree'?");
  REQUIRE(problem_of("allreduce many 0 0 ring,ring 64K") ==
          "a file, line 1: the policy 'ring' is there twice");
  REQUIRE(problem_of("allreduce many 0 0 tree,ring 64K") ==
          "a file, line 1: 'tree' never refuses: nothing after it is ever asked");
  REQUIRE(problem_of("allreduce many 0 0 , 64K") == "a file, line 1: no policy");
  REQUIRE(problem_of("allreduce many 0 0 tree 0") ==
          "a file, line 1: chunk has to be more than zero");
}

TEST_CASE("a table is printed as it can be read again") {
  const auto table = parsed("allgather one 3 100 ring 2M");
  const std::string text = table.text();
  REQUIRE(text.starts_with("# operation  nodes  ranks  bytes  policies     chunk  stores\n"));
  REQUIRE(text.find("\nallgather    one    3      100    ring,tree    2M     auto\n") != text.npos);
  const auto again = parsed(text);
  REQUIRE(again.text().ends_with(text.substr(text.find('\n') + 1)));
}

TEST_CASE("ranks tell different tables by their fingerprint") {
  REQUIRE(parsed("").fingerprint() == SelectionTable::built_in().fingerprint());
  REQUIRE(parsed("# a comment").fingerprint() == parsed("").fingerprint());
  REQUIRE(parsed("* one 0 0 tree 64K").fingerprint() != parsed("").fingerprint());
}

TEST_CASE("a table is loaded from the file of the settings") {
  REQUIRE(SelectionTable::load({}).value().text() == SelectionTable::built_in().text());
  char path[] = "/tmp/detour-table-XXXXXX";
  const int file = ::mkstemp(path);
  REQUIRE(file >= 0);
  ::close(file);
  std::ofstream(path) << "barrier one 0 0 tree 1K\n";
  Settings settings;
  settings.table_path = path;
  const auto table = SelectionTable::load(settings);
  std::ofstream(path) << "barrier one\n";
  const auto broken = SelectionTable::load(settings);
  std::remove(path);
  REQUIRE(table.ok());
  REQUIRE(chosen(table.value(), {CallKind::barrier, NodeLayout::one, 2, 0}) == "tree");
  REQUIRE(broken.reason().starts_with(std::string(path) + ", line 1: has 2 words"));
  REQUIRE(SelectionTable::load(settings).reason() ==
          "can't read the selection table '" + std::string(path) + "': No such file or directory");
  settings.table_path = "/tmp";
  REQUIRE(SelectionTable::load(settings).reason() ==
          "can't read the selection table '/tmp': Is a directory");
}
