#include "counts/counting.hpp"

#include <valgrind/callgrind.h>

#include <cstddef>

namespace detour::counts {
namespace {

Tally* open_tally = nullptr;

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
  if (open_tally != nullptr) {
    open_tally->reduced_bytes += inputs.size() * element_count * element_bytes();
  }
  KernelCombiner::combine(result, inputs, element_count);
}

}  // namespace detour::counts

// The linker puts these in the place of memcpy wherever the library, or this program, calls it. Bytes are counted, but not
// the instructions that copy them: how many that takes is up to glibc and to the processor.
extern "C" {
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes);
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
