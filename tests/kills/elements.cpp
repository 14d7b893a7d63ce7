#include "elements.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "words.hpp"

namespace detour::kills {
namespace {

std::uint64_t mixed(std::uint64_t salt, std::size_t index) {
  std::uint64_t value = salt * 0x9e3779b97f4a7c15 + index * 0xc2b2ae3d27d4eb4f + 1;
  value ^= value >> 29;
  return value * 0xbf58476d1ce4e5b9;
}

// The inverse of an odd number, modulo 2^64.
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t result = odd;
  for (int bits = 3; bits < 64; bits *= 2) result *= 2 - odd * result;
  return result;
}

template <class Number>
std::optional<Ranks> ranks_of_digits(Number digits, int digit_bits) {
  Ranks ranks = 0;
  for (int rank = 0; digits != 0; ++rank, digits = static_cast<Number>(digits >> digit_bits)) {
    const auto digit = digits & ((1U << digit_bits) - 1);
    if (digit > 1 || rank >= 16) return std::nullopt;
    if (digit == 1) ranks |= 1U << rank;
  }
  return ranks;
}

std::uint64_t digits_of_ranks(Ranks ranks, int digit_bits) {
  std::uint64_t digits = 0;
  for (; ranks != 0; ranks &= ranks - 1) {
    digits |= std::uint64_t{1} << (std::countr_zero(ranks) * digit_bits);
  }
  return digits;
}

// Sums modulo a power of 2: an odd weight can be divided out again.
template <class Number, int digit_bits>
struct Modular {
  using Value = Number;
  static Value sum(std::uint64_t mix, Ranks ranks) {
    return static_cast<Value>(digits_of_ranks(ranks, digit_bits) * (mix | 1));
  }
  static std::optional<Ranks> ranks(std::uint64_t mix, Value value) {
    return ranks_of_digits(static_cast<Value>(value * static_cast<Value>(inverse(mix | 1))),
                           digit_bits);
  }
};

// Exact as long as digits and weight fit into the mantissa.
template <class Number, int digit_bits, unsigned weight_max>
struct Floating {
  using Value = Number;
  static Value weight(std::uint64_t mix) { return static_cast<Value>(mix % weight_max + 1); }
  static Value sum(std::uint64_t mix, Ranks ranks) {
    return static_cast<Value>(digits_of_ranks(ranks, digit_bits)) * weight(mix);
  }
  static std::optional<Ranks> ranks(std::uint64_t mix, Value value) {
    const Value digits = value / weight(mix);
    if (!(digits >= 0 && digits < static_cast<Value>(std::uint64_t{1} << 48))) return std::nullopt;
    const auto whole = static_cast<std::uint64_t>(digits);
    if (static_cast<Value>(whole) * weight(mix) != value) return std::nullopt;
    return ranks_of_digits(whole, digit_bits);
  }
};

struct Bits {
  using Value = std::uint16_t;
  static int turn(std::uint64_t mix) { return static_cast<int>(mix >> 60); }
  static Value sum(std::uint64_t mix, Ranks ranks) {
    return std::rotl(static_cast<Value>(ranks), turn(mix));
  }
  static std::optional<Ranks> ranks(std::uint64_t mix, Value value) {
    return std::rotr(value, turn(mix));
  }
};

struct Words {
  using Value = Word;
  static Value sum(std::uint64_t mix, Ranks ranks) {
    Word word{};
    for (; ranks != 0; ranks &= ranks - 1) {
      const auto rank = static_cast<unsigned>(std::countr_zero(ranks));
      word = joined(word, {rank, 1, Modular<std::uint64_t, 4>::sum(mix, 1U << rank)});
    }
    return word;
  }
  static std::optional<Ranks> ranks(std::uint64_t mix, const Value& value) {
    const auto ranks = Modular<std::uint64_t, 4>::ranks(mix, value.sum);
    if (!ranks) return std::nullopt;
    const Word expected = sum(mix, *ranks);
    if (std::memcmp(&expected, &value, sizeof value) != 0) return std::nullopt;
    return ranks;
  }
};

template <class Type>
void fill_with_sum_of(std::byte* place, std::size_t stride, const Elements& elements, Ranks ranks) {
  for (std::size_t at = 0; at < elements.count; ++at) {
    const auto value = Type::sum(mixed(elements.salt, elements.first + at), ranks);
    std::memcpy(place + at * stride, &value, sizeof value);
  }
}

template <class Type>
std::optional<Ranks> ranks_in_one(const std::byte* place, const Elements& elements) {
  typename Type::Value value;
  std::memcpy(&value, place, sizeof value);
  return Type::ranks(mixed(elements.salt, elements.first), value);
}

struct ElementType {
  const char* name;
  std::size_t stride;
  void (*fill)(std::byte*, std::size_t, const Elements&, Ranks);
  std::optional<Ranks> (*ranks)(const std::byte*, const Elements&);
};

template <class Type>
constexpr ElementType type(const char* name, std::size_t stride = sizeof(typename Type::Value)) {
  return {name, stride, fill_with_sum_of<Type>, ranks_in_one<Type>};
}

// In the order of ElementNumber. The last two have operations of the program's.
constexpr std::array<ElementType, element_number_count> types{
    type<Modular<std::uint64_t, 4>>("uint64"),
    type<Modular<std::uint32_t, 2>>("int32"),
    type<Floating<double, 3, 31>>("double"),
    type<Floating<float, 1, 255>>("float"),
    type<Bits>("bits"),
    type<Words>("words"),
    type<Modular<std::uint64_t, 4>>("spread", spread_bytes)};

}  // namespace

std::size_t element_count() {
  return types.size();
}

std::string element_name(std::size_t number) {
  return types[number].name;
}

std::size_t element_bytes(std::size_t number) {
  return types[number].stride;
}

bool is_user_defined(std::size_t number) {
  return number == static_cast<std::size_t>(ElementNumber::words) ||
         number == static_cast<std::size_t>(ElementNumber::spread);
}

void fill(std::byte* place, const Elements& elements, int rank) {
  fill_with_sum(place, elements, 1U << rank);
}

void fill_with_sum(std::byte* place, const Elements& elements, Ranks ranks) {
  const ElementType& entry = types[elements.number];
  entry.fill(place, entry.stride, elements, ranks);
}

std::optional<Ranks> ranks_in(const std::byte* place, const Elements& elements) {
  return types[elements.number].ranks(place, elements);
}

}  // namespace detour::kills
