#include "bench/pattern.hpp"

#include <algorithm>
#include <string>

#include "bench/validator.hpp"
#include "support/catch.hpp"

using namespace detour::tool;

namespace {

double reduce(Operation operation, double a, double b) {
  const auto left = static_cast<std::uint64_t>(a);
  const auto right = static_cast<std::uint64_t>(b);
  switch (operation) {
    case Operation::sum:
      return a + b;
    case Operation::prod:
      return a * b;
    case Operation::min:
      return std::min(a, b);
    case Operation::max:
      return std::max(a, b);
    case Operation::band:
      return static_cast<double>(left & right);
    case Operation::bor:
      return static_cast<double>(left | right);
    case Operation::bxor:
      return static_cast<double>(left ^ right);
    case Operation::land:
      return left != 0 && right != 0 ? 1 : 0;
    case Operation::lor:
      return left != 0 || right != 0 ? 1 : 0;
    default:
      return (left != 0) != (right != 0) ? 1 : 0;
  }
}

void require_result(const char* type_name, Operation operation, int rank_count) {
  const NumberType& type = find_number_type(type_name);
  std::vector<double> expected(Pattern::period_count);
  std::size_t inexact_count = 0;
  for (int rank = 0; rank < rank_count; ++rank) {
    const Pattern input = Pattern::input(type, operation, rank, rank_count);
    for (std::size_t index = 0; index < expected.size(); ++index) {
      const double value = decode(type, input.element(index));
      expected[index] = rank == 0 ? value : reduce(operation, expected[index], value);
      // Every order of adding is exact as long as the whole is.
      if (expected[index] > static_cast<double>(type.exact_max())) ++inexact_count;
    }
  }
  const Pattern result = Pattern::result(type, operation, rank_count);
  std::size_t wrong_count = 0;
  for (std::size_t index = 0; index < expected.size(); ++index) {
    if (decode(type, result.element(index)) != expected[index]) ++wrong_count;
  }
  INFO(type_name << " " << name_of(operation) << " of " << rank_count << " ranks");
  REQUIRE(inexact_count == 0);
  REQUIRE(wrong_count == 0);
}

}  // namespace

TEST_CASE("bench patterns: the result is what the operation makes of the inputs") {
  for (const int rank_count : {1, 2, 3, 8, 300}) {
    for (int operation = 0; operation <= static_cast<int>(Operation::lxor); ++operation) {
      for (const char* type : {"int8", "uint16", "long"}) {
        require_result(type, static_cast<Operation>(operation), rank_count);
      }
    }
    for (int operation = 0; operation <= static_cast<int>(Operation::max); ++operation) {
      for (const char* type : {"float", "double", "float16", "bfloat16"}) {
        require_result(type, static_cast<Operation>(operation), rank_count);
      }
    }
  }
}

TEST_CASE("bench patterns: every rank's input matters, and places differ") {
  const NumberType& type = find_number_type("float");
  for (int rank = 0; rank < 5; ++rank) {
    const Pattern input = Pattern::input(type, Operation::sum, rank, 5);
    for (std::size_t index = 0; index < Pattern::period_count; ++index) {
      REQUIRE(decode(type, input.element(index)) > 0);
    }
  }
  const Pattern result = Pattern::result(type, Operation::sum, 5);
  std::vector<std::byte> shifted(400);
  result.fill(shifted, 1);
  REQUIRE(result.find_difference(shifted, 0).has_value());
}

TEST_CASE("bench patterns: what was filled in compares equal from any element on") {
  const Pattern pattern = Pattern::result(find_number_type("int"), Operation::sum, 3);
  for (const std::size_t first : {0u, 1u, 1020u, 1021u, 5000u}) {
    for (const std::size_t count : {0u, 1u, 1020u, 1021u, 1022u, 5000u}) {
      std::vector<std::byte> buffer(count * 4);
      pattern.fill(buffer, first);
      REQUIRE(!pattern.find_difference(buffer, first));
      if (count == 0) continue;
      buffer[(count - 1) * 4 + 3] ^= std::byte{1};
      REQUIRE(pattern.find_difference(buffer, first) == count - 1);
      REQUIRE(std::ranges::equal(pattern.element(first + count / 2),
                                 pattern.element(first + count / 2 + 1021)));
    }
  }
}

TEST_CASE("bench validation: samples hold both ends and move from round to round") {
  REQUIRE(sampled_elements(3, 5) == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(sampled_elements(0, 5).empty());
  const auto samples = sampled_elements(1'000'000, 5);
  REQUIRE(samples.front() == 0);
  REQUIRE(samples.back() == 999'999);
  REQUIRE(std::ranges::is_sorted(samples));
  REQUIRE(samples != sampled_elements(1'000'000, 6));
}

TEST_CASE("bench validation: results of a call before don't count") {
  const Pattern expected = Pattern::result(find_number_type("float"), Operation::sum, 3);
  const Validator validator(expected, 2);
  std::vector<std::byte> buffer(4000);
  for (const auto thoroughness : {Thoroughness::sampled, Thoroughness::whole}) {
    expected.fill(buffer, 0);
    REQUIRE(!validator.find_defect(buffer, 0, thoroughness, 4));
    validator.spoil(buffer, thoroughness, 4);
    const auto defect = validator.find_defect(buffer, 0, thoroughness, 4);
    REQUIRE(defect.has_value());
    REQUIRE(defect->starts_with("rank 2, element 0: got "));
  }
}

TEST_CASE("bench validation: a defect is told with place and numbers") {
  const NumberType& type = find_number_type("int");
  const Pattern expected = Pattern::result(type, Operation::sum, 3);
  const Validator validator(expected, 1);
  std::vector<std::byte> buffer(4000);
  expected.fill(buffer, 0);
  encode(type, 77, std::span(buffer).subspan(4 * 999, 4));
  const double right = decode(type, expected.element(999));
  const std::string words =
      "rank 1, element 999: got 77, expected " + std::to_string(static_cast<int>(right));
  REQUIRE(validator.find_defect(buffer, 0, Thoroughness::whole, 0) == words);
  REQUIRE(validator.find_defect(buffer, 0, Thoroughness::sampled, 0) == words);
}
