// What a rank of the training program writes into its log, line by line.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace detour::demo {

// "pid 4711"
struct Started {
  pid_t pid = 0;
};

// "step 12 loss 1.234567 right 56.2 ranks 16 bytes 115304"
struct Stepped {
  int step = 0;
  double loss = 0;
  double right_percent = 0;
  int rank_count = 0;  // whose gradients are in the sum
  std::uint64_t bytes = 0;
};

// "end loss 0x1.8p-4 weights 0123456789abcdef", kept as text: it is there to be compared bit for
// bit.
struct Ended {
  std::string loss;
  std::string weights;
  bool operator==(const Ended&) const = default;
};

using RankLine = std::variant<Started, Stepped, Ended>;

// Nothing for any other line.
std::optional<RankLine> parse_rank_line(std::string_view line);

}  // namespace detour::demo
