#include "counts/counting.hpp"

#include <valgrind/callgrind.h>

#include <cstddef>

namespace detour::counts {
namespace {

Tally* open_tally = nullptr;

void count_copied(std::size_t bytes) {
  if (open_tally != nullptr) open_tally->copied_bytes += bytes;
}

void count_reduced(std::size_t bytes) {
  if (open_tally != nullptr) open_tally->reduced_bytes += bytes;
}

}  // namespace

Counting::Counting(Tally& tally) {
  open_tally = &tally;
  CALLGRIND_TOGGLE_COLLECT;
}

Counting::~Counting() {
  CALLGRIND_TOGGLE_COLLECT;
  open_tally = nullptr;
}

void name_what_was_counted(const char* name) {
  CALLGRIND_DUMP_STATS_AT(name);
}

void CountedSum::combine(std::byte* result, std::span<const std::byte* const> inputs,
                         std::size_t element_count) const {
  count_reduced(inputs.size() * element_count * element_bytes());
  KernelCombiner::combine(result, inputs, element_count);
}

void CountedSum::combine_past_caches(std::byte* result, std::span<const std::byte* const> inputs,
                                     std::size_t element_count) const {
  count_reduced(inputs.size() * element_count * element_bytes());
  KernelCombiner::combine_past_caches(result, inputs, element_count);
}

void CountedSum::combine_twofold(std::byte* result, std::byte* copy,
                                 std::span<const std::byte* const> inputs,
                                 std::size_t element_count) const {
  count_reduced(inputs.size() * element_count * element_bytes());
  count_copied(element_count * element_bytes());
  KernelCombiner::combine_twofold(result, copy, inputs, element_count);
}

}  // namespace detour::counts

// The linker puts these in the place of memcpy wherever the library, or this program, calls it. Bytes are counted, but not
// the instructions that copy them: how many that takes is up to glibc and to the processor.
extern "C" {
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes);
// detour::copy_past_caches, as the linker knows it.
void __real__ZN6detour16copy_past_cachesEPSt4bytePKS0_m(std::byte* to, const std::byte* from,
                                                        std::size_t bytes);
void __wrap__ZN6detour16copy_past_cachesEPSt4bytePKS0_m(std::byte* to, const std::byte* from,
                                                        std::size_t bytes);
}

void __wrap__ZN6detour16copy_past_cachesEPSt4bytePKS0_m(std::byte* to, const std::byte* from,
                                                        std::size_t bytes) {
  detour::counts::count_copied(bytes);
  __real__ZN6detour16copy_past_cachesEPSt4bytePKS0_m(to, from, bytes);
}

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  detour::counts::Tally* const tally = detour::counts::open_tally;
  if (tally == nullptr) return __real_memcpy(to, from, bytes);
  tally->copied_bytes += bytes;
  CALLGRIND_TOGGLE_COLLECT;
  __real_memcpy(to, from, bytes);
  CALLGRIND_TOGGLE_COLLECT;
  return to;
}
