#include "demo/rank_line.hpp"

#include "support/catch.hpp"

using namespace detour::demo;

TEST_CASE("the lines that a rank writes are understood") {
  const auto started = parse_rank_line("pid 4711");
  REQUIRE(started);
  CHECK(std::get<Started>(*started).pid == 4711);

  const auto stepped = parse_rank_line("step 12 loss 1.234567 right 56.2 ranks 15 bytes 115304");
  REQUIRE(stepped);
  CHECK(std::get<Stepped>(*stepped).step == 12);
  CHECK(std::get<Stepped>(*stepped).loss == 1.234567);
  CHECK(std::get<Stepped>(*stepped).right_percent == 56.2);
  CHECK(std::get<Stepped>(*stepped).rank_count == 15);
  CHECK(std::get<Stepped>(*stepped).bytes == 115304);

  const auto ended = parse_rank_line("end loss 0x1.8p-4 weights 0123456789abcdef");
  REQUIRE(ended);
  CHECK(std::get<Ended>(*ended) == Ended{"0x1.8p-4", "0123456789abcdef"});
}

TEST_CASE("other lines are passed over") {
  for (const char* line : {"", "pid", "pid x", "pid 1 2", "step 12", "step 12 loss 1 right 2",
                           "end loss 0x1p0", "step 1 loss 1 right 2 ranks 3 bytes 4 more"}) {
    INFO(line);
    CHECK_FALSE(parse_rank_line(line));
  }
}
