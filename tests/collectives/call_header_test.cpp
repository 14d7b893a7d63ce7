#include "collectives/call_header.hpp"

#include <set>
#include <vector>

#include "support/catch.hpp"

using namespace detour;

namespace {

CallHeader usual() {
  return {.kind = CallKind::allreduce,
          .operation = operation_number(ReduceOp::sum),
          .element = element_number(ElementType::float32),
          .bytes = 4,
          .settings = 77};
}

// Each differs from the usual one in one thing.
std::vector<CallHeader> others() {
  std::vector<CallHeader> list;
  const auto add = [&](auto change) {
    CallHeader header = usual();
    change(header);
    list.push_back(header);
  };
  add([](CallHeader& header) { header.kind = CallKind::nonblocking_allreduce; });
  add([](CallHeader& header) { header.operation = operation_number(ReduceOp::maximum_location); });
  add([](CallHeader& header) { header.element = element_number(ElementType::double_double); });
  add([](CallHeader& header) { header.bytes = 0; });
  add([](CallHeader& header) { header.bytes = 131071; });
  add([](CallHeader& header) { header.settings = 0xffffffff; });
  return list;
}

}  // namespace

TEST_CASE("brief headers are the same only if the headers are") {
  std::set<std::uint64_t> seen{brief(usual())};
  CHECK(brief(usual()) == brief(usual()));
  for (const CallHeader& header : others()) {
    CHECK(brief(header) != 0);
    CHECK(seen.insert(brief(header)).second);
  }
}

TEST_CASE("what can't be said briefly is not") {
  const auto with = [](auto change) {
    CallHeader header = usual();
    change(header);
    return brief(header);
  };
  CHECK(with([](CallHeader& header) { header.root = 0; }) == 0);
  CHECK(with([](CallHeader& header) { header.shape = 1; }) == 0);
  CHECK(with([](CallHeader& header) { header.error = 1; }) == 0);
  CHECK(with([](CallHeader& header) { header.bytes = 131072; }) == 0);
  CHECK(with([](CallHeader& header) { header.operation = user_defined; }) == 0);
  CHECK(with([](CallHeader& header) { header.element = user_defined + 4; }) == 0);
}

TEST_CASE("of barriers there is a brief header, too") {
  CHECK(brief(CallHeader{}) != 0);
}
