#include "collectives/scaling.hpp"

#include <complex>
#include <cstring>
#include <vector>

#include "collectives/reduce_op.hpp"
#include "kernel_reference.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::test;

namespace {

template <class T>
std::vector<T> scaled(ElementType type, std::vector<T> values, std::size_t count, double factor) {
  // At an odd address, between bytes that have to stay.
  std::vector<std::byte> memory(values.size() * sizeof(T) + 2, std::byte{0x5a});
  std::memcpy(memory.data() + 1, values.data(), values.size() * sizeof(T));
  scale(type, memory.data() + 1, count, factor);
  REQUIRE(memory.front() == std::byte{0x5a});
  REQUIRE(memory.back() == std::byte{0x5a});
  std::memcpy(values.data(), memory.data() + 1, values.size() * sizeof(T));
  return values;
}

Call sum_of(ElementType type, std::vector<float>& output) {
  Call call;
  call.header.operation = static_cast<std::uint32_t>(ReduceOp::sum) + 1;
  call.header.element = static_cast<std::uint32_t>(type) + 1;
  call.output = reinterpret_cast<std::byte*>(output.data());
  call.output_bytes = output.size() * sizeof(float);
  return call;
}

}  // namespace

TEST_CASE("numbers are scaled, real and complex ones") {
  REQUIRE(scaled<float>(ElementType::float32, {1, 2, 3}, 3, 1.5) ==
          std::vector<float>{1.5, 3, 4.5});
  REQUIRE(scaled<double>(ElementType::float64, {1, -2}, 2, 4.0 / 3) ==
          std::vector<double>{4.0 / 3, -8.0 / 3});
  using Complex = std::complex<double>;
  REQUIRE(scaled<Complex>(ElementType::complex_float64, {{1, 2}, {-3, 4}}, 2, 2) ==
          std::vector<Complex>{{2, 4}, {-6, 8}});
  REQUIRE(scaled<std::complex<float>>(ElementType::complex_float32, {{1, 2}}, 1, 2) ==
          std::vector<std::complex<float>>{{2, 4}});
  REQUIRE(scaled<long double>(ElementType::long_double, {3}, 1, 2) == std::vector<long double>{6});
  REQUIRE(scaled<std::complex<long double>>(ElementType::complex_long_double, {{3, 1}}, 1, 2) ==
          std::vector<std::complex<long double>>{{6, 2}});
}

TEST_CASE("a float is rounded once") {
  // The factor as a float would give another neighbour.
  const float value = 16777213;
  const double factor = 16.0 / 13;
  REQUIRE(scaled<float>(ElementType::float32, {value}, 1, factor)[0] ==
          static_cast<float>(static_cast<double>(value) * factor));
}

TEST_CASE("padding stays zero") {
  std::vector<std::byte> memory(2 * sizeof(long double));
  const long double value = 1;
  std::memcpy(memory.data(), &value, 10);
  std::memcpy(memory.data() + sizeof(long double), &value, 10);
  scale(ElementType::long_double, memory.data(), 2, 3);
  for (std::size_t at = 10; at < sizeof(long double); ++at) REQUIRE(memory[at] == std::byte{0});
}

TEST_CASE("16-bit numbers are scaled like others, any number of them") {
  const auto check = [](ElementType type, NarrowFormat format) {
    for (std::size_t count = 0; count < 20; ++count) {
      std::vector<std::uint16_t> values(20);
      for (std::size_t at = 0; at < 20; ++at) {
        values[at] = encode(format, (at % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(at) / 7);
      }
      const auto results = scaled(type, values, count, 16.0 / 13);
      for (std::size_t at = 0; at < 20; ++at) {
        const double product =
            static_cast<double>(static_cast<float>(decode(format, values[at])) * (16.0F / 13));
        REQUIRE(results[at] == (at < count ? encode(format, product) : values[at]));
      }
    }
  };
  check(ElementType::float16, float16_format);
  check(ElementType::bfloat16, bfloat16_format);
}

TEST_CASE("only floating-point sums that somebody is missing from are rescaled") {
  std::vector<float> output{3, 6};
  rescale_result(sum_of(ElementType::float32, output), 4, 4);
  REQUIRE(output == std::vector<float>{3, 6});
  rescale_result(sum_of(ElementType::float32, output), 4, 3);
  REQUIRE(output == std::vector<float>{4, 8});
  rescale_result(sum_of(ElementType::int32, output), 4, 3);
  Call maximum = sum_of(ElementType::float32, output);
  maximum.header.operation = static_cast<std::uint32_t>(ReduceOp::maximum) + 1;
  rescale_result(maximum, 4, 3);
  Call users = sum_of(ElementType::float32, output);
  users.header.operation = user_defined;
  rescale_result(users, 4, 3);
  Call moved = sum_of(ElementType::float32, output);
  moved.header.operation = 0;
  moved.header.element = 0;
  rescale_result(moved, 4, 3);
  REQUIRE(output == std::vector<float>{4, 8});
}
