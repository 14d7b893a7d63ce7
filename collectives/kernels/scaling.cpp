// Numbers times a factor. Compiled for every processor alike, so that all compute the same.
#include "collectives/scaling.hpp"

#include <cstring>
#include <limits>

#include "narrow_floats.hpp"

namespace detour {
namespace kernels {
namespace {

#if defined(__SIZEOF_FLOAT128__)
using Float128 = __float128;
#else
using Float128 = long double;
#endif

// What is left of a number's memory is padding, which stays as it is.
template <class T>
constexpr std::size_t value_bytes = sizeof(T);
template <>
constexpr std::size_t value_bytes<long double> = std::numeric_limits<long double>::digits == 64
                                                     ? 10
                                                     : sizeof(long double);

template <class T, class Factor>
void scale_each(std::byte* data, std::size_t count, Factor factor) noexcept {
  for (std::size_t at = 0; at < count; ++at, data += sizeof(T)) {
    T value;
    std::memcpy(&value, data, sizeof(T));
    value = static_cast<T>(static_cast<Factor>(value) * factor);
    std::memcpy(data, &value, value_bytes<T>);
  }
}

// Two narrow numbers in each word: see OnWords.
template <class Format>
Words scale_words(Words words, float factor) noexcept {
  const Words low = Format::round(Format::widen(words & 0xFFFF) * factor);
  const Words high = Format::round(Format::widen(words >> 16) * factor);
  return low | (high << 16);
}

template <class Format>
void scale_narrow(std::byte* data, std::size_t count, float factor) noexcept {
  std::size_t bytes = count * 2;
  for (; bytes >= sizeof(Words); bytes -= sizeof(Words), data += sizeof(Words)) {
    CachedStore::store(data, scale_words<Format>(load<Words>(data), factor));
  }
  store_part(data, scale_words<Format>(load_part<Words>(data, bytes), factor), bytes);
}

}  // namespace
}  // namespace kernels

void scale(ElementType type, std::byte* data, std::size_t count, double factor) noexcept {
  using namespace kernels;
  switch (type) {
    case ElementType::float16:
      return scale_narrow<Float16>(data, count, static_cast<float>(factor));
    case ElementType::bfloat16:
      return scale_narrow<BFloat16>(data, count, static_cast<float>(factor));
    case ElementType::float32:
      return scale_each<float>(data, count, factor);
    case ElementType::complex_float32:
      return scale_each<float>(data, 2 * count, factor);
    case ElementType::float64:
      return scale_each<double>(data, count, factor);
    case ElementType::complex_float64:
      return scale_each<double>(data, 2 * count, factor);
    case ElementType::long_double:
      return scale_each<long double>(data, count, static_cast<long double>(factor));
    case ElementType::complex_long_double:
      return scale_each<long double>(data, 2 * count, static_cast<long double>(factor));
    case ElementType::float128:
      return scale_each<Float128>(data, count, static_cast<Float128>(factor));
    case ElementType::complex_float128:
      return scale_each<Float128>(data, 2 * count, static_cast<Float128>(factor));
    default:
      return;
  }
}

}  // namespace detour
