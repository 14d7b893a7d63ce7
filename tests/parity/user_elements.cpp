#include "user_elements.hpp"

#include <cstring>

namespace detour::parity {
namespace {

// Products of 2x2 matrices: the order of the factors shows.
struct Matrix {
  std::uint32_t at[2][2];

  static Matrix made_of(std::uint64_t bits) {
    const auto part = [bits](int shift) {
      return static_cast<std::uint32_t>(mixed(bits) >> shift);
    };
    return {{{part(0) | 1, part(8)}, {part(16), part(24)}}};
  }
  static Matrix combined(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 2; ++column) {
        product.at[row][column] = a.at[row][0] * b.at[0][column] + a.at[row][1] * b.at[1][column];
      }
    }
    return product;
  }
  static std::vector<ByteRange> values() { return {{0, sizeof(Matrix)}}; }
};

// One after the other, x -> factor * x + summand: the order shows too. There are gaps in the midst and
// at the end.
struct alignas(16) Affine {
  std::uint32_t factor;
  std::uint32_t gap;
  std::uint16_t summand;

  static Affine made_of(std::uint64_t bits) {
    return {static_cast<std::uint32_t>(bits) | 1, 0, static_cast<std::uint16_t>(bits >> 32)};
  }
  static Affine combined(const Affine& a, const Affine& b) {
    return {a.factor * b.factor, 0, static_cast<std::uint16_t>(b.factor * a.summand + b.summand)};
  }
  static std::vector<ByteRange> values() {
    return {{offsetof(Affine, factor), sizeof factor}, {offsetof(Affine, summand), sizeof summand}};
  }
};

// Two sums at once, in any order, with a gap before the first.
struct Sums {
  std::uint16_t gap;
  std::uint16_t narrow;
  std::uint64_t wide;

  static Sums made_of(std::uint64_t bits) {
    return {0, static_cast<std::uint16_t>(bits), mixed(bits)};
  }
  static Sums combined(const Sums& a, const Sums& b) {
    return {0, static_cast<std::uint16_t>(a.narrow + b.narrow), a.wide + b.wide};
  }
  static std::vector<ByteRange> values() {
    return {{offsetof(Sums, narrow), sizeof narrow}, {offsetof(Sums, wide), sizeof wide}};
  }
};

template <class Value>
Value loaded(const std::byte* from) {
  Value value{};
  for (const ByteRange& range : Value::values()) {
    std::memcpy(reinterpret_cast<std::byte*>(&value) + range.first, from + range.first,
                range.count);
  }
  return value;
}

template <class Value>
void store(const Value& value, std::byte* to) {
  for (const ByteRange& range : Value::values()) {
    std::memcpy(to + range.first, reinterpret_cast<const std::byte*>(&value) + range.first,
                range.count);
  }
}

template <class Value>
class UserElements final : public Elements {
 public:
  UserElements() : Elements(sizeof(Value), Value::values()) {}

  void put(std::uint64_t bits, std::byte* at) const override { store(Value::made_of(bits), at); }

  bool is_reduction(std::span<const std::uint64_t> bits, const std::byte* at) const override {
    Value result = Value::made_of(bits.front());
    for (const std::uint64_t more : bits.subspan(1)) {
      result = Value::combined(result, Value::made_of(more));
    }
    for (const ByteRange& range : values()) {
      if (std::memcmp(reinterpret_cast<const std::byte*>(&result) + range.first, at + range.first,
                      range.count) != 0) {
        return false;
      }
    }
    return true;
  }
};

// As MPI calls it: the contributions of lower ranks come first.
template <class Value>
void combine_all(void* in, void* in_out, int* count, MPI_Datatype*) {
  auto* left = static_cast<const std::byte*>(in);
  auto* right = static_cast<std::byte*>(in_out);
  for (int i = 0; i < *count; ++i, left += sizeof(Value), right += sizeof(Value)) {
    store(Value::combined(loaded<Value>(left), loaded<Value>(right)), right);
  }
}

template <class Value>
MPI_Datatype make_type() {
  std::vector<int> lengths;
  std::vector<MPI_Aint> offsets;
  std::vector<MPI_Datatype> types;
  for (const ByteRange& range : Value::values()) {
    lengths.push_back(static_cast<int>(range.count));
    offsets.push_back(static_cast<MPI_Aint>(range.first));
    types.push_back(MPI_BYTE);
  }
  MPI_Datatype unpadded = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(static_cast<int>(types.size()), lengths.data(), offsets.data(),
                         types.data(), &unpadded);
  MPI_Type_create_resized(unpadded, 0, sizeof(Value), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&unpadded);
  return type;
}

template <class Value>
UserReduction make_reduction(std::string type_name, std::string op_name, bool is_commutative) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(&combine_all<Value>, is_commutative ? 1 : 0, &op);
  return {std::move(type_name), std::move(op_name), make_type<Value>(), op,
          std::make_unique<UserElements<Value>>()};
}

}  // namespace

std::vector<UserReduction> user_reductions() {
  std::vector<UserReduction> all;
  all.push_back(make_reduction<Matrix>("matrix", "product-in-order", false));
  all.push_back(make_reduction<Affine>("affine-with-gaps", "one-after-the-other", false));
  all.push_back(make_reduction<Sums>("sums-with-gaps", "both-sums", true));
  return all;
}

}  // namespace detour::parity
