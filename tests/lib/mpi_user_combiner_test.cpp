// A user's operations: order, layouts, and numbers of elements around the size of a batch.
#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "mpi/packing.hpp"
#include "mpi/user_combiner.hpp"
#include "support/catch.hpp"
#include "support/mpi_session.hpp"

namespace {

using detour::UserCombiner;
using detour::test::OwnType;

// x -> factor * x + shift, modulo 2^32: composing these is associative, and not commutative.
struct Affine {
  unsigned factor = 1;
  unsigned shift = 0;
  bool operator==(const Affine&) const = default;
};

Affine composed(const Affine& a, const Affine& b) {
  return {a.factor * b.factor, a.factor * b.shift + a.shift};
}

int calls = 0;

// Where the datatype puts the two numbers, relative to the address that a buffer has.
std::ptrdiff_t factor_offset = 0;
std::ptrdiff_t shift_offset = 4;
std::ptrdiff_t distance = 8;

Affine load(const std::byte* at) {
  Affine value;
  std::memcpy(&value.factor, at + factor_offset, sizeof(unsigned));
  std::memcpy(&value.shift, at + shift_offset, sizeof(unsigned));
  return value;
}

void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  ++calls;
  auto* left = static_cast<std::byte*>(in);
  auto* right = static_cast<std::byte*>(inout);
  for (int i = 0; i < *count; ++i, left += distance, right += distance) {
    const Affine result = composed(load(left), load(right));
    std::memcpy(right + factor_offset, &result.factor, sizeof(unsigned));
    std::memcpy(right + shift_offset, &result.shift, sizeof(unsigned));
  }
}

void add(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

class OwnOp {
 public:
  OwnOp(MPI_User_function* function, bool commutes) {
    PMPI_Op_create(function, commutes ? 1 : 0, &op_);
  }
  OwnOp(const OwnOp&) = delete;
  OwnOp& operator=(const OwnOp&) = delete;
  ~OwnOp() { PMPI_Op_free(&op_); }
  operator MPI_Op() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

// The datatype of an Affine with the numbers at given places, in a given order.
MPI_Datatype affine_type(std::ptrdiff_t factor, std::ptrdiff_t shift, std::ptrdiff_t lower_bound,
                         std::ptrdiff_t extent) {
  factor_offset = factor;
  shift_offset = shift;
  distance = extent;
  const int lengths[] = {1, 1};
  const MPI_Aint offsets[] = {factor, shift};
  const MPI_Datatype parts[] = {MPI_UNSIGNED, MPI_UNSIGNED};
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_create_struct(2, lengths, offsets, parts, &pair);
  PMPI_Type_create_resized(pair, lower_bound, extent, &type);
  PMPI_Type_free(&pair);
  return type;
}

std::vector<std::vector<Affine>> make_inputs(std::size_t input_count, std::size_t element_count) {
  std::vector<std::vector<Affine>> inputs(input_count, std::vector<Affine>(element_count));
  unsigned next = 1;
  for (auto& input : inputs) {
    for (Affine& value : input) value = {next += 2, next += 3};
  }
  return inputs;
}

void check_composition(MPI_Datatype type, std::size_t input_count, std::size_t element_count) {
  INFO(input_count << " inputs, " << element_count << " elements");
  const OwnOp op(compose, false);
  const UserCombiner combiner(op, type);
  REQUIRE(combiner.element_bytes() == sizeof(Affine));

  auto inputs = make_inputs(input_count, element_count);
  std::vector<Affine> expected = inputs.front();
  for (std::size_t k = 1; k < input_count; ++k) {
    for (std::size_t i = 0; i < element_count; ++i) {
      expected[i] = composed(expected[i], inputs[k][i]);
    }
  }
  std::vector<const std::byte*> addresses;
  for (const auto& input : inputs) {
    addresses.push_back(reinterpret_cast<const std::byte*>(input.data()));
  }
  const auto others = std::vector(inputs.begin() + 1, inputs.end());

  std::vector<Affine> result(element_count);
  combiner.combine(reinterpret_cast<std::byte*>(result.data()), addresses, element_count);
  CHECK(result == expected);
  combiner.combine(reinterpret_cast<std::byte*>(inputs.front().data()), addresses, element_count);
  CHECK(inputs.front() == expected);
  CHECK(std::vector(inputs.begin() + 1, inputs.end()) == others);
}

void check_compositions(MPI_Datatype type) {
  for (std::size_t input_count : {1u, 2u, 3u, 5u}) {
    for (std::size_t element_count : {0u, 1u, 17u, 4095u, 4096u, 4097u, 20000u}) {
      check_composition(type, input_count, element_count);
    }
  }
}

}  // namespace

TEST_CASE_METHOD(detour::test::MpiSession, "operations that don't commute keep their order") {
  const OwnType type(affine_type(0, 4, 0, 8));
  REQUIRE(detour::layout_of(type, 2).is_contiguous());
  calls = 0;
  check_compositions(type);
  CHECK(calls > 0);
}

TEST_CASE_METHOD(detour::test::MpiSession, "operations see elements as the datatype has them") {
  SECTION("with gaps") {
    check_compositions(OwnType(affine_type(0, 12, 0, 24)));
  }
  SECTION("in another order") {
    check_compositions(OwnType(affine_type(4, 0, 0, 8)));
  }
  SECTION("below the address") {
    check_compositions(OwnType(affine_type(-8, -20, -20, 32)));
  }
  SECTION("far above it") {
    check_compositions(OwnType(affine_type(4000, 4100, 0, 8192)));
  }
  SECTION("one into another") {
    check_compositions(OwnType(affine_type(0, 12, 0, -32)));
  }
}

TEST_CASE_METHOD(detour::test::MpiSession, "operations that commute work in place") {
  const OwnOp op(add, true);
  const UserCombiner combiner(op, MPI_INT);
  const std::vector<int> a(50000, 1);
  const std::vector<int> b(50000, 20);
  const std::vector<int> c(50000, 300);
  std::vector<int> result(50000);
  const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(a.data()),
                               reinterpret_cast<const std::byte*>(b.data()),
                               reinterpret_cast<const std::byte*>(c.data())};
  combiner.combine(reinterpret_cast<std::byte*>(result.data()), inputs, result.size());
  CHECK(result == std::vector<int>(50000, 321));
}

TEST_CASE_METHOD(detour::test::MpiSession, "a shifted datatype in one piece works in place") {
  MPI_Datatype shifted = MPI_DATATYPE_NULL;
  const int one = 1;
  const MPI_Aint offset = 400;
  const MPI_Datatype part = MPI_INT;
  PMPI_Type_create_struct(1, &one, &offset, &part, &shifted);
  const OwnType type(shifted);
  const OwnOp op(
      [](void* in, void* inout, int* count, MPI_Datatype*) {
        for (int i = 0; i < *count; ++i) {
          static_cast<int*>(inout)[100 + i] += static_cast<int*>(in)[100 + i];
        }
      },
      true);
  const UserCombiner combiner(op, type);
  const std::vector<int> a{1, 2, 3};
  const std::vector<int> b{10, 20, 30};
  std::vector<int> result(3);
  const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(a.data()),
                               reinterpret_cast<const std::byte*>(b.data())};
  combiner.combine(reinterpret_cast<std::byte*>(result.data()), inputs, 3);
  CHECK(result == std::vector<int>{11, 22, 33});
}
