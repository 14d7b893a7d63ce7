// Every kernel: against a plain reference, level against level, in one pass or in many, with every
// alignment and aliasing that callers may use.
#include "collectives/kernels.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "collectives/streaming_copy.hpp"
#include "kernel_reference.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::test;

namespace {

constexpr std::size_t counts[] = {0, 1, 2, 3, 5, 8, 17, 31, 64, 1000, 4099};
constexpr Stores both_stores[] = {Stores::cached, Stores::streaming};

std::vector<ElementType> all_types() {
  std::vector<ElementType> types;
  for (std::size_t at = 0; at < element_type_count; ++at) types.push_back(ElementType(at));
  return types;
}

std::vector<ReduceOp> all_ops() {
  std::vector<ReduceOp> ops;
  for (std::size_t at = 0; at < reduce_op_count; ++at) ops.push_back(ReduceOp(at));
  return ops;
}

std::vector<Isa> levels_here() {
  std::vector<Isa> levels;
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (isa <= isa_in_use()) levels.push_back(isa);
  }
  return levels;
}

std::string describe(ReduceOp op, ElementType type) {
  return std::string(name(op)) + " of " + std::string(name(type));
}

template <class Visitor>
void for_each_defined(Visitor visit) {
  for (const ElementType type : all_types()) {
    for (const ReduceOp op : all_ops()) {
      if (is_defined(op, type)) visit(op, type);
    }
  }
}

// Bytes at any distance from an aligned address, with nothing after them that may be read or, as far
// as can be seen, written.
class Buffer {
 public:
  Buffer(const Bytes& content, std::size_t offset)
      : memory_(new std::byte[offset + content.size()]), offset_(offset), bytes_(content.size()) {
    std::copy(content.begin(), content.end(), data());
  }
  std::byte* data() const { return memory_.get() + offset_; }
  Bytes content() const { return Bytes(data(), data() + bytes_); }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t offset_;
  std::size_t bytes_;
};

// Where the bytes differ first; nothing if they don't. Shorter to read than all of them.
std::string difference(const Bytes& expected, const Bytes& actual) {
  const auto [at, found] = std::mismatch(expected.begin(), expected.end(), actual.begin());
  if (at == expected.end()) return "";
  return "byte " + std::to_string(at - expected.begin()) + " is " + std::to_string(int(*found)) +
         " instead of " + std::to_string(int(*at));
}

enum class Alias { none, first, second };

Bytes run(Kernel kernel, const Bytes& a, const Bytes& b, std::size_t count, std::size_t offset,
          Alias alias = Alias::none) {
  // Each buffer at its own distance: what is aligned in one is not in another.
  const Buffer first(a, offset);
  const Buffer second(b, 2 * offset);
  const Buffer other(Bytes(a.size(), std::byte{0x5A}), 3 * offset);
  const Buffer& result = alias == Alias::first ? first : alias == Alias::second ? second : other;
  kernel(result.data(), first.data(), second.data(), count);
  if (alias != Alias::first) REQUIRE(first.content() == a);
  if (alias != Alias::second) REQUIRE(second.content() == b);
  return result.content();
}

Bytes run_fused(FusedKernel kernel, const std::vector<Bytes>& inputs, std::size_t count,
                std::size_t offset, std::size_t result_input) {
  std::vector<Buffer> buffers;
  std::vector<const std::byte*> addresses;
  for (const Bytes& input : inputs) buffers.emplace_back(input, offset);
  for (const Buffer& buffer : buffers) addresses.push_back(buffer.data());
  if (result_input == inputs.size()) {
    buffers.emplace_back(Bytes(inputs[0].size(), std::byte{0x5A}), offset + 1);
  }
  const Buffer& result = buffers[result_input];
  kernel(result.data(), addresses.data(), inputs.size(), count);
  return result.content();
}

// The result, and behind it the copy, which is an input or, after the last, none of them.
Bytes run_twofold(TwofoldKernel kernel, const std::vector<Bytes>& inputs, std::size_t count,
                  std::size_t offset, std::size_t copy_input) {
  std::vector<Buffer> buffers;
  std::vector<const std::byte*> addresses;
  for (const Bytes& input : inputs) buffers.emplace_back(input, offset);
  for (const Buffer& buffer : buffers) addresses.push_back(buffer.data());
  buffers.emplace_back(Bytes(inputs[0].size(), std::byte{0x5A}), offset + 1);
  const Buffer result(Bytes(inputs[0].size(), std::byte{0x5A}), 3);
  const Buffer& copy = buffers[copy_input];
  kernel(result.data(), copy.data(), addresses.data(), inputs.size(), count);
  Bytes both = result.content();
  const Bytes second = copy.content();
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

// The rule book, written down a second time: columns are sum and product, minimum and maximum,
// logical, bitwise, locations.
std::string rules(ElementType type) {
  switch (type) {
    case ElementType::byte:
      return "...b.";
    case ElementType::boolean:
    case ElementType::logical:
      return "..l..";
    case ElementType::float16:
    case ElementType::bfloat16:
    case ElementType::float32:
    case ElementType::float64:
    case ElementType::long_double:
    case ElementType::float128:
      return "sm...";
    case ElementType::complex_float32:
    case ElementType::complex_float64:
    case ElementType::complex_long_double:
    case ElementType::complex_float128:
      return "s....";
    case ElementType::float_int:
    case ElementType::double_int:
    case ElementType::long_int:
    case ElementType::int_int:
    case ElementType::short_int:
    case ElementType::long_double_int:
    case ElementType::float_float:
    case ElementType::double_double:
      return "....p";
    default:
      return "smlb.";
  }
}

std::size_t rules_column(ReduceOp op) {
  constexpr std::size_t columns[reduce_op_count] = {0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4};
  return columns[static_cast<std::size_t>(op)];
}

}  // namespace

TEST_CASE("kernels are there where MPI defines the operation and nowhere else") {
  for (const ElementType type : all_types()) {
    for (const ReduceOp op : all_ops()) {
      INFO(describe(op, type));
      const bool expected = rules(type)[rules_column(op)] != '.';
      REQUIRE(is_defined(op, type) == expected);
      for (const Stores stores : both_stores) {
        REQUIRE((find_kernel(op, type, stores) != nullptr) == expected);
        REQUIRE((find_fused_kernel(op, type, stores) != nullptr) == expected);
        for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
          const bool here = expected && isa <= isa_in_use();
          REQUIRE((find_kernel(op, type, isa, stores) != nullptr) == here);
          REQUIRE((find_fused_kernel(op, type, isa, stores) != nullptr) == here);
        }
      }
    }
  }
}

TEST_CASE("types and operations have names of their own") {
  std::vector<std::string_view> names;
  for (const ElementType type : all_types()) names.push_back(name(type));
  for (const ReduceOp op : all_ops()) names.push_back(name(op));
  for (const Isa isa : levels_here()) names.push_back(name(isa));
  std::sort(names.begin(), names.end());
  REQUIRE(names.front() != "");
  REQUIRE(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("elements have the layout of MPI's C types") {
  struct ShortInt {
    short value;
    int index;
  };
  struct LongDoubleInt {
    long double value;
    int index;
  };
  REQUIRE(element_bytes(ElementType::short_int) == sizeof(ShortInt));
  REQUIRE(element_bytes(ElementType::long_double_int) == sizeof(LongDoubleInt));
  REQUIRE(element_bytes(ElementType::double_int) == 16);
  REQUIRE(element_bytes(ElementType::float_int) == 8);
  REQUIRE(element_bytes(ElementType::boolean) == 1);
  REQUIRE(element_bytes(ElementType::bfloat16) == 2);
  REQUIRE(element_bytes(ElementType::complex_float64) == 16);
}

TEST_CASE("the level in use is the same at every call") {
  REQUIRE(isa_in_use() == isa_in_use());
  for_each_defined([](ReduceOp op, ElementType type) {
    REQUIRE(find_kernel(op, type) == find_kernel(op, type, isa_in_use()));
  });
}

TEST_CASE("every kernel agrees with the reference") {
  std::mt19937_64 random(1);
  for_each_defined([&](ReduceOp op, ElementType type) {
    for (const std::size_t count : counts) {
      const Bytes a = random_elements(type, count, random);
      const Bytes b = random_elements(type, count, random);
      const Bytes expected = combine(op, type, a, b);
      for (const Isa isa : levels_here()) {
        INFO(describe(op, type) << ", " << count << " elements, " << name(isa));
        REQUIRE(same_numbers(type, expected, run(find_kernel(op, type, isa), a, b, count, 0)));
      }
    }
  });
}

TEST_CASE("levels, stores, alignment and aliasing make no difference to a single bit",
          "[exhaustive]") {
  std::mt19937_64 random(2);
  for_each_defined([&](ReduceOp op, ElementType type) {
    for (const std::size_t count : counts) {
      const Bytes a = random_elements(type, count, random);
      const Bytes b = random_elements(type, count, random);
      const Bytes expected = run(find_kernel(op, type, Isa::baseline), a, b, count, 0);
      for (const Isa isa : levels_here()) {
        for (const Stores stores : both_stores) {
          const Kernel kernel = find_kernel(op, type, isa, stores);
          for (const std::size_t offset : {0u, 1u, 4u, 16u}) {
            for (const Alias alias : {Alias::none, Alias::first, Alias::second}) {
              INFO(describe(op, type)
                   << ", " << count << " elements, " << name(isa) << ", stores " << int(stores)
                   << ", offset " << offset << ", alias " << int(alias));
              REQUIRE(difference(expected, run(kernel, a, b, count, offset, alias)) == "");
            }
          }
        }
      }
    }
  });
}

TEST_CASE("a fused kernel gives the bits of one kernel call after the other", "[exhaustive]") {
  std::mt19937_64 random(3);
  for_each_defined([&](ReduceOp op, ElementType type) {
    const Kernel kernel = find_kernel(op, type, Isa::baseline);
    for (const std::size_t input_count : {1u, 2u, 3u, 8u}) {
      for (const std::size_t count : {0u, 1u, 3u, 31u, 1000u}) {
        std::vector<Bytes> inputs;
        for (std::size_t at = 0; at < input_count; ++at) {
          inputs.push_back(random_elements(type, count, random));
        }
        Bytes expected = inputs[0];
        for (std::size_t at = 1; at < input_count; ++at) {
          expected = run(kernel, expected, inputs[at], count, 0);
        }
        for (const Isa isa : levels_here()) {
          for (const Stores stores : both_stores) {
            for (const std::size_t offset : {0u, 1u}) {
              // The result may be any input; the one after the last stands for none of them.
              for (std::size_t result = 0; result <= input_count; result += (input_count + 1) / 2) {
                INFO(describe(op, type) << ", " << input_count << " inputs, " << count
                                        << " elements, " << name(isa) << ", result " << result);
                const FusedKernel fused = find_fused_kernel(op, type, isa, stores);
                const Bytes actual = run_fused(fused, inputs, count, offset, result);
                REQUIRE(difference(expected, actual) == "");
              }
            }
          }
        }
      }
    }
  });
}

TEST_CASE("a twofold kernel stores what a fused one does, in both places", "[exhaustive]") {
  std::mt19937_64 random(4);
  for_each_defined([&](ReduceOp op, ElementType type) {
    const FusedKernel fused = find_fused_kernel(op, type, Isa::baseline);
    for (const std::size_t input_count : {1u, 2u, 5u}) {
      for (const std::size_t count : {0u, 1u, 3u, 31u, 1000u}) {
        std::vector<Bytes> inputs;
        for (std::size_t at = 0; at < input_count; ++at) {
          inputs.push_back(random_elements(type, count, random));
        }
        Bytes expected = run_fused(fused, inputs, count, 0, input_count);
        const Bytes once = expected;
        expected.insert(expected.end(), once.begin(), once.end());
        for (const Isa isa : levels_here()) {
          for (const std::size_t offset : {0u, 1u, 8u, 63u}) {
            for (const std::size_t copy_input : {std::size_t{0}, input_count}) {
              INFO(describe(op, type) << ", " << input_count << " inputs, " << count
                                      << " elements, " << name(isa) << ", offset " << offset);
              const TwofoldKernel kernel = find_twofold_kernel(op, type, isa);
              const Bytes actual = run_twofold(kernel, inputs, count, offset, copy_input);
              REQUIRE(difference(expected, actual) == "");
            }
          }
        }
      }
    }
  });
}

TEST_CASE("copies past the caches are copies, wherever they begin and end") {
  std::mt19937_64 random(5);
  for (const std::size_t bytes : {0u, 1u, 63u, 64u, 65u, 1000u, 4096u}) {
    const Bytes content = random_elements(ElementType::uint8, bytes, random);
    for (const std::size_t offset : {0u, 1u, 13u, 63u}) {
      const Buffer from(content, offset);
      const Buffer to(Bytes(bytes, std::byte{0x5A}), (offset * 7) % 64);
      copy_past_caches(to.data(), from.data(), bytes);
      REQUIRE(to.content() == content);
    }
  }
}

TEST_CASE("nothing is written without inputs, and nothing beyond the result") {
  for_each_defined([](ReduceOp op, ElementType type) {
    INFO(describe(op, type));
    for (const Isa isa : levels_here()) {
      for (const Stores stores : both_stores) {
        const FusedKernel fused = find_fused_kernel(op, type, isa, stores);
        Bytes untouched(element_bytes(type) * 20, std::byte{0x5A});
        fused(untouched.data(), nullptr, 0, 20);
        REQUIRE(untouched == Bytes(untouched.size(), std::byte{0x5A}));

        const Bytes ones(untouched.size(), std::byte{1});
        find_kernel(op, type, isa, stores)(untouched.data(), ones.data(), ones.data(), 17);
        REQUIRE(std::all_of(untouched.begin() + std::ptrdiff_t(element_bytes(type) * 17),
                            untouched.end(), [](std::byte b) { return b == std::byte{0x5A}; }));
      }
    }
  });
}
