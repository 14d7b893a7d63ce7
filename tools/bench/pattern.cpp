#include "bench/pattern.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace detour::tool {
namespace {

constexpr std::uint64_t small_value_max = 100;  // exact in every type
constexpr std::uint64_t sum_value_max = 7;
constexpr std::uint64_t doubling_count_max = 6;  // 2 to that power fits into every type

// Looks random, and is the same everywhere.
std::uint64_t scramble(std::uint64_t rank, std::uint64_t index) {
  std::uint64_t bits = rank * 0x9e3779b97f4a7c15u + index * 0xc2b2ae3d27d4eb4fu + 1;
  bits ^= bits >> 29;
  bits *= 0xbf58476d1ce4e5b9u;
  return bits ^ (bits >> 32);
}

// How one rank's value at an index is chosen.
class Values {
 public:
  Values(const NumberType& type, Operation operation, int rank_count)
      : operation_(operation), rank_count_(static_cast<std::uint64_t>(rank_count)) {
    const std::uint64_t exact_max = type.exact_max();
    sum_value_max_ = std::clamp<std::uint64_t>(exact_max / rank_count_, 1, sum_value_max);
    // Where ranks are too many to take part at every index, they take turns.
    const std::uint64_t taking_part_max =
        operation == Operation::prod ? doubling_count_max : exact_max;
    turn_count_ = rank_count_ / taking_part_max + (rank_count_ % taking_part_max == 0 ? 0 : 1);
  }

  std::uint64_t of(std::uint64_t rank, std::uint64_t index) const {
    const std::uint64_t random = scramble(rank, index);
    const bool takes_part = (rank + index) % turn_count_ == 0;
    switch (operation_) {
      case Operation::sum:
        return takes_part ? 1 + random % sum_value_max_ : 0;
      case Operation::prod:
        return takes_part ? 1 + random % 2 : 1;
      case Operation::min:
      case Operation::max:
        return 1 + random % small_value_max;
      case Operation::band:
      case Operation::bor:
      case Operation::bxor:
        return random & 0x7f;
      default:
        return random & 1;
    }
  }

  std::uint64_t result(std::uint64_t index) const {
    std::uint64_t result = of(0, index);
    for (std::uint64_t rank = 1; rank < rank_count_; ++rank) {
      result = combine(result, of(rank, index));
    }
    return result;
  }

 private:
  std::uint64_t combine(std::uint64_t a, std::uint64_t b) const {
    switch (operation_) {
      case Operation::sum:
        return a + b;
      case Operation::prod:
        return a * b;
      case Operation::min:
        return std::min(a, b);
      case Operation::max:
        return std::max(a, b);
      // Truth values are 0 and 1, on which both kinds agree.
      case Operation::band:
      case Operation::land:
        return a & b;
      case Operation::bor:
      case Operation::lor:
        return a | b;
      default:
        return a ^ b;
    }
  }

  Operation operation_;
  std::uint64_t rank_count_;
  std::uint64_t sum_value_max_ = 1;
  std::uint64_t turn_count_ = 1;
};

}  // namespace

Pattern::Pattern(const NumberType& type, const std::vector<std::uint64_t>& values)
    : type_(type), bytes_(values.size() * type.bytes) {
  for (std::size_t index = 0; index < values.size(); ++index) {
    encode(type, values[index], std::span(bytes_).subspan(index * type.bytes, type.bytes));
  }
}

Pattern Pattern::input(const NumberType& type, Operation operation, int rank, int rank_count) {
  const Values values(type, operation, rank_count);
  std::vector<std::uint64_t> period(period_count);
  for (std::size_t index = 0; index < period.size(); ++index) {
    period[index] = values.of(static_cast<std::uint64_t>(rank), index);
  }
  return {type, period};
}

Pattern Pattern::result(const NumberType& type, Operation operation, int rank_count) {
  const Values values(type, operation, rank_count);
  std::vector<std::uint64_t> period(period_count);
  for (std::size_t index = 0; index < period.size(); ++index) period[index] = values.result(index);
  return {type, period};
}

std::span<const std::byte> Pattern::element(std::size_t index) const {
  return std::span(bytes_).subspan(index % period_count * type_.bytes, type_.bytes);
}

void Pattern::fill(std::span<std::byte> buffer, std::size_t first) const {
  std::size_t offset = first % period_count * type_.bytes;
  while (!buffer.empty()) {
    const std::size_t bytes = std::min(buffer.size(), bytes_.size() - offset);
    std::memcpy(buffer.data(), bytes_.data() + offset, bytes);
    buffer = buffer.subspan(bytes);
    offset = 0;
  }
}

std::optional<std::size_t> Pattern::find_difference(std::span<const std::byte> buffer,
                                                    std::size_t first) const {
  std::size_t offset = first % period_count * type_.bytes;
  std::size_t done = 0;
  while (done < buffer.size()) {
    const std::size_t bytes = std::min(buffer.size() - done, bytes_.size() - offset);
    const auto got = buffer.subspan(done, bytes);
    if (std::memcmp(got.data(), bytes_.data() + offset, bytes) != 0) {
      const auto expected = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
      const auto at = std::mismatch(got.begin(), got.end(), expected).first - got.begin();
      return (done + static_cast<std::size_t>(at)) / type_.bytes;
    }
    done += bytes;
    offset = 0;
  }
  return std::nullopt;
}

}  // namespace detour::tool
