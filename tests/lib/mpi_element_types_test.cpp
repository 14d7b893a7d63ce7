// Elements and operations against what MPI itself does with them.
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "collectives/kernels.hpp"
#include "mpi/element_types.hpp"
#include "mpi/packing.hpp"
#include "mpi/reduce_ops.hpp"
#include "support/catch.hpp"
#include "support/mpi_session.hpp"
#include "support/mpi_types.hpp"

namespace {

using detour::ElementType;
using detour::ReduceOp;
using detour::test::NamedOp;
using detour::test::NamedType;
using detour::test::OwnType;
using Bytes = std::vector<std::byte>;

// The largest element has 32 bytes.
constexpr std::size_t element_count = 5;
constexpr std::size_t buffer_bytes = 32 * element_count;

int error_class_of_mpi(MPI_Datatype type, MPI_Op op) {
  Bytes send(buffer_bytes);
  Bytes receive(buffer_bytes);
  const int code = PMPI_Allreduce(send.data(), receive.data(), 1, type, op, MPI_COMM_SELF);
  int error_class = MPI_SUCCESS;
  PMPI_Error_class(code, &error_class);
  return error_class;
}

bool is_allowed(MPI_Op op, MPI_Datatype type) {
  const auto reduce_op = detour::reduce_op_of(op);
  return reduce_op && detour::is_allowed(*reduce_op, type);
}

template <class Number>
void write_numbers(Bytes& memory, const std::vector<int>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<Number>(values[i]);
    std::memcpy(memory.data() + i * sizeof(Number), &number, sizeof(Number));
  }
}

// Numbers that are themselves in this type. Of types that are made of parts only the first parts
// get a number, by way of the part's type; padding stays zero.
Bytes elements(ElementType type, const std::vector<int>& values) {
  Bytes memory(buffer_bytes);
  switch (type) {
    case ElementType::float32:
    case ElementType::complex_float32:
    case ElementType::float_float:
      write_numbers<float>(memory, values);
      break;
    case ElementType::float64:
    case ElementType::complex_float64:
    case ElementType::double_double:
      write_numbers<double>(memory, values);
      break;
    case ElementType::long_double:
    case ElementType::complex_long_double:
      write_numbers<long double>(memory, values);
      break;
    case ElementType::float128:
    case ElementType::complex_float128:
      write_numbers<__float128>(memory, values);
      break;
    case ElementType::boolean:
      write_numbers<bool>(memory, values);
      break;
    case ElementType::logical:
      for (std::size_t i = 0; i < values.size(); ++i) memory[4 * i] = std::byte(values[i] != 0);
      break;
    case ElementType::float_int:
      write_numbers<float>(memory, {values[0]});
      break;
    case ElementType::double_int:
      write_numbers<double>(memory, {values[0]});
      break;
    case ElementType::long_double_int:
      write_numbers<long double>(memory, {values[0]});
      break;
    default:
      for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = std::byte(37 * values[i % values.size()] + static_cast<int>(i));
      }
  }
  return memory;
}

// Without what the C types leave undefined.
Bytes meaningful(const Bytes& memory, ElementType element, MPI_Datatype type) {
  const detour::Layout layout = detour::layout_of(type, element_count);
  Bytes packed(layout.packed_bytes());
  layout.pack(memory.data(), packed.data());
  // An x87 number has 10 bytes, the rest is anything.
  const std::size_t period = element == ElementType::long_double_int ? 20 : 16;
  if (element == ElementType::long_double || element == ElementType::complex_long_double ||
      element == ElementType::long_double_int) {
    for (std::size_t i = 0; i < packed.size(); ++i) {
      if (i % period >= 10 && i % period < 16) packed[i] = std::byte{0};
    }
  }
  return packed;
}

// Where Open MPI 4.1 is wrong: it compares MPI_UNSIGNED_LONG as signed and MPI_OFFSET as unsigned, and
// takes Fortran's 16-byte reals for C's long doubles.
bool is_wrong_in_mpi(ReduceOp op, MPI_Datatype type) {
  const bool compares = op == ReduceOp::minimum || op == ReduceOp::maximum;
  return type == MPI_REAL16 || type == MPI_COMPLEX32 ||
         (compares && (type == MPI_UNSIGNED_LONG || type == MPI_OFFSET));
}

template <class Number>
Number combined(ReduceOp op, MPI_Datatype type, Number a, Number b) {
  Number result{};
  detour::find_kernel(op, *detour::element_type_of(type))(
      reinterpret_cast<std::byte*>(&result), reinterpret_cast<const std::byte*>(&a),
      reinterpret_cast<const std::byte*>(&b), 1);
  return result;
}

void compare_with_mpi(ReduceOp reduce_op, MPI_Op op, MPI_Datatype type) {
  const ElementType element = *detour::element_type_of(type);
  const Bytes a = elements(element, {3, -7, 5, 0, 1});
  const Bytes b = elements(element, {-2, 6, 5, 1, 0});
  Bytes expected = b;
  REQUIRE(PMPI_Reduce_local(a.data(), expected.data(), element_count, type, op) == MPI_SUCCESS);
  Bytes result(buffer_bytes);
  detour::find_kernel(reduce_op, element)(result.data(), a.data(), b.data(), element_count);
  CHECK(meaningful(result, element, type) == meaningful(expected, element, type));
}

}  // namespace

TEST_CASE_METHOD(detour::test::MpiSession, "operations take the datatypes that they take in MPI") {
  for (const NamedType& type : detour::test::predefined_types()) {
    for (const NamedOp& op : detour::test::predefined_ops()) {
      INFO(op.name << " on " << type.name);
      const int error = error_class_of_mpi(type.type, op.op);
      CHECK((error == MPI_SUCCESS || error == MPI_ERR_OP));
      CHECK(is_allowed(op.op, type.type) == (error == MPI_SUCCESS));
    }
  }
}

TEST_CASE_METHOD(detour::test::MpiSession, "kernels give what MPI gives") {
  int compared = 0;
  for (const NamedType& type : detour::test::predefined_types()) {
    for (const NamedOp& op : detour::test::predefined_ops()) {
      const auto reduce_op = detour::reduce_op_of(op.op);
      if (is_allowed(op.op, type.type) && !is_wrong_in_mpi(*reduce_op, type.type)) {
        INFO(op.name << " on " << type.name);
        compare_with_mpi(*reduce_op, op.op, type.type);
        ++compared;
      }
    }
  }
  CHECK(compared > 300);
}

TEST_CASE_METHOD(detour::test::MpiSession, "kernels are right where MPI is not") {
  CHECK(combined(ReduceOp::maximum, MPI_UNSIGNED_LONG, ~0UL, 1UL) == ~0UL);
  CHECK(combined(ReduceOp::minimum, MPI_OFFSET, MPI_Offset{-1}, MPI_Offset{1}) == -1);
  CHECK((combined<__float128>(ReduceOp::sum, MPI_REAL16, 1.5, 2) == 3.5));
}

TEST_CASE_METHOD(detour::test::MpiSession, "elements are as far apart as in MPI") {
  for (const NamedType& type : detour::test::predefined_types()) {
    if (const auto element = detour::element_type_of(type.type)) {
      INFO(type.name);
      MPI_Aint lower_bound = 0;
      MPI_Aint extent = 0;
      PMPI_Type_get_extent(type.type, &lower_bound, &extent);
      CHECK(static_cast<MPI_Aint>(detour::element_bytes(*element)) == extent);
    }
  }
}

TEST_CASE_METHOD(detour::test::MpiSession, "some datatypes take no operation") {
  for (MPI_Datatype type : {MPI_PACKED, MPI_WCHAR, MPI_2COMPLEX, MPI_DATATYPE_NULL}) {
    CHECK_FALSE(detour::element_type_of(type).has_value());
  }
  // Derived datatypes take none either, even those that amount to a predefined one.
  MPI_Datatype same = MPI_DATATYPE_NULL;
  PMPI_Type_dup(MPI_INT, &same);
  const OwnType duplicate(same);
  CHECK_FALSE(detour::element_type_of(duplicate).has_value());
  CHECK_FALSE(is_allowed(MPI_SUM, duplicate));
  CHECK(error_class_of_mpi(duplicate, MPI_SUM) == MPI_ERR_OP);
}

TEST_CASE_METHOD(detour::test::MpiSession, "Fortran types chosen by precision are elements") {
  const auto real = [](int digits, int range) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    PMPI_Type_create_f90_real(digits, range, &type);
    return type;
  };
  CHECK(detour::element_type_of(real(6, 30)) == ElementType::float32);
  CHECK(detour::element_type_of(real(15, 300)) == ElementType::float64);
  CHECK(detour::element_type_of(real(18, 4000)) == ElementType::long_double);
  compare_with_mpi(ReduceOp::sum, MPI_SUM, real(6, 30));
  compare_with_mpi(ReduceOp::sum, MPI_SUM, real(15, 300));
  compare_with_mpi(ReduceOp::sum, MPI_SUM, real(18, 4000));

  MPI_Datatype integer = MPI_DATATYPE_NULL;
  PMPI_Type_create_f90_integer(12, &integer);
  CHECK(detour::element_type_of(integer) == ElementType::int64);
  MPI_Datatype complex = MPI_DATATYPE_NULL;
  PMPI_Type_create_f90_complex(15, 300, &complex);
  CHECK(detour::element_type_of(complex) == ElementType::complex_float64);
  CHECK(detour::is_allowed(ReduceOp::product, complex));
  CHECK_FALSE(detour::is_allowed(ReduceOp::maximum, complex));
}

TEST_CASE_METHOD(detour::test::MpiSession, "a datatype can be made an element") {
  MPI_Datatype two_bytes = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(2, MPI_BYTE, &two_bytes);
  const OwnType half(two_bytes);
  CHECK_FALSE(detour::is_allowed(ReduceOp::sum, half));
  detour::set_element_type(half, ElementType::float16);
  CHECK(detour::element_type_of(half) == ElementType::float16);
  CHECK(detour::is_allowed(ReduceOp::sum, half));
  CHECK_FALSE(detour::is_allowed(ReduceOp::bit_and, half));
  CHECK(detour::layout_of(half, 3).element() == ElementType::float16);
}

TEST_CASE_METHOD(detour::test::MpiSession, "operations are told apart") {
  CHECK(detour::reduce_op_of(MPI_SUM) == ReduceOp::sum);
  CHECK(detour::reduce_op_of(MPI_MAXLOC) == ReduceOp::maximum_location);
  for (MPI_Op op : {MPI_OP_NULL, MPI_REPLACE, MPI_NO_OP}) {
    CHECK_FALSE(detour::reduce_op_of(op).has_value());
    CHECK_FALSE(detour::is_user_defined(op));
  }
  MPI_Op own = MPI_OP_NULL;
  PMPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 0, &own);
  CHECK(detour::is_user_defined(own));
  CHECK_FALSE(detour::is_commutative(own));
  CHECK(detour::is_commutative(MPI_SUM));
  CHECK_FALSE(detour::reduce_op_of(own).has_value());
  PMPI_Op_free(&own);
}
