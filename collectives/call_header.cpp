#include "collectives/call_header.hpp"

#include <algorithm>

namespace detour {
namespace {

Disagreement first_difference(const CallHeader& a, const CallHeader& b) {
  if (a.kind != b.kind) return Disagreement::kind;
  if (a.operation != b.operation) return Disagreement::operation;
  if (a.element != b.element) return Disagreement::element;
  if (a.root != b.root) return Disagreement::root;
  if (a.bytes != b.bytes) return Disagreement::bytes;
  if (a.shape != b.shape) return Disagreement::shape;
  if (a.settings != b.settings) return Disagreement::settings;
  return Disagreement::none;
}

// Zero stands for nothing.
template <class Number>
Number least_nonzero(Number a, Number b) {
  if (a == Number{}) return b;
  return b == Number{} ? a : std::min(a, b);
}

// From the lowest bit on, what it takes to tell all of them.
constexpr unsigned kind_bits = 3;
constexpr unsigned operation_bits = 6;
constexpr unsigned element_bits = 6;
constexpr unsigned size_bits = 17;
static_assert(kind_bits + operation_bits + element_bits + size_bits == 32);
static_assert(brief_bytes_max >> size_bits == 0);

bool fits(std::uint64_t number, unsigned bits) {
  return number >> bits == 0;
}

}  // namespace

std::uint64_t brief(const CallHeader& header) {
  const auto kind = static_cast<std::uint64_t>(header.kind);
  const bool is_plain = header.root == -1 && header.shape == 0 && header.error == 0;
  const bool all_fit = fits(kind, kind_bits) && fits(header.operation, operation_bits) &&
                       fits(header.element, element_bits) && header.bytes <= brief_bytes_max;
  if (!is_plain || !all_fit) return 0;
  std::uint64_t number = header.settings;
  number = number << size_bits | header.bytes;
  number = number << element_bits | header.element;
  number = number << operation_bits | header.operation;
  return number << kind_bits | kind;
}

CallVerdict merge(const CallVerdict& a, const CallVerdict& b) {
  CallVerdict merged = a;
  merged.header.error = least_nonzero(a.header.error, b.header.error);
  merged.disagreement = least_nonzero(a.disagreement, b.disagreement);
  if (merged.all_agree()) merged.disagreement = first_difference(a.header, b.header);
  return merged;
}

}  // namespace detour
