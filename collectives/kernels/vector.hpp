// The vectors of the level that is being compiled, and how they are loaded and stored.
//
// The headers from here on are compiled once per level, with different instructions. Everything in
// them has internal linkage, and they use no function of the standard library: the linker keeps one
// copy of an inline function, and baseline code must not end up in one that was compiled for AVX.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(DETOUR_KERNELS_X86)
#include <immintrin.h>
#endif

#define DETOUR_KERNEL_INLINE [[gnu::always_inline]] inline

namespace detour::kernels {
namespace {

#if defined(DETOUR_KERNELS_AVX512)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(DETOUR_KERNELS_AVX2)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

template <class T, std::size_t bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};

template <class T, std::size_t bytes = vector_bytes>
using Vector = typename VectorOf<T, bytes>::type;

// Callers' buffers may have any alignment.
template <class Pack>
DETOUR_KERNEL_INLINE Pack load(const std::byte* from) {
  Pack pack;
  __builtin_memcpy(&pack, from, sizeof(Pack));
  return pack;
}

#if defined(DETOUR_KERNELS_AVX512)
// Of fewer bytes than a vector has.
DETOUR_KERNEL_INLINE __mmask64 first_lanes(std::size_t bytes) {
  return (__mmask64{1} << bytes) - 1;
}
#endif

// Out of line: inlined into every kernel, it would make up most of their code.
[[gnu::noinline]] inline void copy_part(void* to, const void* from, std::size_t bytes) noexcept {
  __builtin_memcpy(to, from, bytes);
}

// The first bytes of a pack; the others are zero.
template <class Pack>
DETOUR_KERNEL_INLINE Pack load_part(const std::byte* from, std::size_t bytes) {
#if defined(DETOUR_KERNELS_AVX512)
  if constexpr (sizeof(Pack) == 64) {
    return __builtin_bit_cast(Pack, _mm512_maskz_loadu_epi8(first_lanes(bytes), from));
  }
#endif
  Pack pack{};
  copy_part(&pack, from, bytes);
  return pack;
}

template <class Pack>
DETOUR_KERNEL_INLINE void store_part(std::byte* to, Pack pack, std::size_t bytes) {
#if defined(DETOUR_KERNELS_AVX512)
  if constexpr (sizeof(Pack) == 64) {
    _mm512_mask_storeu_epi8(to, first_lanes(bytes), __builtin_bit_cast(__m512i, pack));
    return;
  }
#endif
  copy_part(to, &pack, bytes);
}

struct CachedStore {
  template <class Pack>
  DETOUR_KERNEL_INLINE static void store(std::byte* to, Pack pack) {
    __builtin_memcpy(to, &pack, sizeof(Pack));
  }
  template <class Pack>
  DETOUR_KERNEL_INLINE static void store_first(std::byte* to, Pack pack, std::size_t bytes) {
    store_part(to, pack, bytes);
  }
};

#if defined(DETOUR_KERNELS_X86)
// `to` is aligned to the pack.
struct StreamingStore {
  template <class Pack>
  DETOUR_KERNEL_INLINE static void store(std::byte* to, Pack pack) {
    void* const address = to;
    if constexpr (sizeof(Pack) == 16) {
      _mm_stream_si128(static_cast<__m128i*>(address), __builtin_bit_cast(__m128i, pack));
    }
#if defined(DETOUR_KERNELS_AVX2) || defined(DETOUR_KERNELS_AVX512)
    if constexpr (sizeof(Pack) == 32) {
      _mm256_stream_si256(static_cast<__m256i*>(address), __builtin_bit_cast(__m256i, pack));
    }
#endif
#if defined(DETOUR_KERNELS_AVX512)
    if constexpr (sizeof(Pack) == 64) {
      _mm512_stream_si512(static_cast<__m512i*>(address), __builtin_bit_cast(__m512i, pack));
    }
#endif
  }
  template <class Pack>
  DETOUR_KERNEL_INLINE static void store_first(std::byte* to, Pack pack, std::size_t bytes) {
    store_part(to, pack, bytes);
  }
};

// Streaming stores are not ordered with the store that tells another rank of the result.
DETOUR_KERNEL_INLINE void end_streaming() {
  _mm_sfence();
}
#else
using StreamingStore = CachedStore;
DETOUR_KERNEL_INLINE void end_streaming() {}
#endif

// To a place in the result, and to the same one in the copy.
template <class Second>
struct TwofoldStore {
  const std::byte* result;
  std::byte* copy;

  template <class Pack>
  DETOUR_KERNEL_INLINE void store(std::byte* to, Pack pack) const {
    CachedStore::store(to, pack);
    Second::store(copy + (to - result), pack);
  }
  template <class Pack>
  DETOUR_KERNEL_INLINE void store_first(std::byte* to, Pack pack, std::size_t bytes) const {
    store_part(to, pack, bytes);
    store_part(copy + (to - result), pack, bytes);
  }
};

}  // namespace
}  // namespace detour::kernels
