// The loops round an operation on packs: over blocks of packs, then single packs, then what is left.
#pragma once

#include "kernel_set.hpp"
#include "vector.hpp"

namespace detour::kernels {
namespace {

struct TwoInputs {
  const std::byte* first;
  const std::byte* second;

  static constexpr std::size_t count() { return 2; }
  DETOUR_KERNEL_INLINE const std::byte* operator[](std::size_t at) const {
    return at == 0 ? first : second;
  }
};

struct ManyInputs {
  const std::byte* const* list;
  std::size_t list_count;

  std::size_t count() const { return list_count; }
  DETOUR_KERNEL_INLINE const std::byte* operator[](std::size_t at) const { return list[at]; }
};

// Fewer bytes than a pack. The zeros that fill it up go through the operation too: so the last
// elements get the same instructions, and the same bits, as all others.
template <class Operation, class Store, class Inputs>
DETOUR_KERNEL_INLINE void fold_part(std::byte* result, const Inputs& inputs, std::size_t at,
                                    std::size_t bytes, const Store& store) {
  using Pack = typename Operation::Pack;
  Pack pack = load_part<Pack>(inputs[0] + at, bytes);
  for (std::size_t input = 1; input < inputs.count(); ++input) {
    pack = Operation::combine(pack, load_part<Pack>(inputs[input] + at, bytes));
  }
  store.store_first(result + at, pack, bytes);
}

// A few packs side by side, so that the operation on one need not wait for another's. All are loaded
// before any is stored: the result may be any of the inputs.
template <class Operation, std::size_t pack_count, class Store, class Inputs>
DETOUR_KERNEL_INLINE void fold_packs(std::byte* result, const Inputs& inputs, std::size_t at,
                                     const Store& store) {
  using Pack = typename Operation::Pack;
  Pack packs[pack_count];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < pack_count; ++i) {
    packs[i] = load<Pack>(inputs[0] + at + i * sizeof(Pack));
  }
  for (std::size_t input = 1; input < inputs.count(); ++input) {
    const std::byte* const from = inputs[input] + at;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < pack_count; ++i) {
      packs[i] = Operation::combine(packs[i], load<Pack>(from + i * sizeof(Pack)));
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < pack_count; ++i) {
    store.store(result + at + i * sizeof(Pack), packs[i]);
  }
}

template <class Operation, class Store, class Inputs>
DETOUR_KERNEL_INLINE void fold(std::byte* result, const Inputs& inputs, std::size_t at,
                               std::size_t end, const Store& store) {
  constexpr std::size_t pack_bytes = sizeof(typename Operation::Pack);
  constexpr std::size_t block_packs = 4;
  for (; end - at >= block_packs * pack_bytes; at += block_packs * pack_bytes) {
    fold_packs<Operation, block_packs>(result, inputs, at, store);
  }
  for (; end - at >= pack_bytes; at += pack_bytes) {
    fold_packs<Operation, 1>(result, inputs, at, store);
  }
  if (at < end) fold_part<Operation>(result, inputs, at, end - at, store);
}

// Streaming stores need an aligned address, which one that is not aligned to its own elements never becomes: then there
// is another store.
template <class Operation, class Store, class OtherStore, class Inputs>
DETOUR_KERNEL_INLINE void fold_streaming(std::byte* result, const Inputs& inputs, std::size_t end,
                                         const std::byte* streamed_to, const Store& store,
                                         const OtherStore& other_store) {
  constexpr std::size_t pack_bytes = sizeof(typename Operation::Pack);
  const std::size_t head = -reinterpret_cast<std::uintptr_t>(streamed_to) % pack_bytes;
  if (head % Operation::unit_bytes != 0 || head >= end) {
    fold<Operation>(result, inputs, 0, end, other_store);
    return;
  }
  if (head > 0) fold_part<Operation>(result, inputs, 0, head, store);
  fold<Operation>(result, inputs, head, end, store);
  end_streaming();
}

// element_bytes is a multiple of the operation's unit: a sum of complex numbers is one of floats.
template <class Operation, std::size_t element_bytes>
struct Kernels {
  static void cached(std::byte* result, const std::byte* a, const std::byte* b,
                     std::size_t count) noexcept {
    fold<Operation>(result, TwoInputs{a, b}, 0, count * element_bytes, CachedStore{});
  }

  static void streaming(std::byte* result, const std::byte* a, const std::byte* b,
                        std::size_t count) noexcept {
    fold_streaming<Operation>(result, TwoInputs{a, b}, count * element_bytes, result,
                              StreamingStore{}, CachedStore{});
  }

  static void fused_cached(std::byte* result, const std::byte* const* inputs,
                           std::size_t input_count, std::size_t count) noexcept {
    if (input_count == 0) return;
    fold<Operation>(result, ManyInputs{inputs, input_count}, 0, count * element_bytes,
                    CachedStore{});
  }

  static void fused_streaming(std::byte* result, const std::byte* const* inputs,
                              std::size_t input_count, std::size_t count) noexcept {
    if (input_count == 0) return;
    fold_streaming<Operation>(result, ManyInputs{inputs, input_count}, count * element_bytes,
                              result, StreamingStore{}, CachedStore{});
  }

  static void fused_twofold(std::byte* result, std::byte* copy, const std::byte* const* inputs,
                            std::size_t input_count, std::size_t count) noexcept {
    if (input_count == 0) return;
    fold_streaming<Operation>(result, ManyInputs{inputs, input_count}, count * element_bytes, copy,
                              TwofoldStore<StreamingStore>{result, copy},
                              TwofoldStore<CachedStore>{result, copy});
  }
};

template <class Operation, std::size_t element_bytes = Operation::unit_bytes>
KernelSet kernels_of() {
  using Made = Kernels<Operation, element_bytes>;
  return {&Made::cached, &Made::streaming, &Made::fused_cached, &Made::fused_streaming,
          &Made::fused_twofold};
}

}  // namespace
}  // namespace detour::kernels
