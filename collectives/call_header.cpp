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

}  // namespace

CallVerdict merge(const CallVerdict& a, const CallVerdict& b) {
  CallVerdict merged = a;
  merged.header.error = least_nonzero(a.header.error, b.header.error);
  merged.disagreement = least_nonzero(a.disagreement, b.disagreement);
  if (merged.all_agree()) merged.disagreement = first_difference(a.header, b.header);
  return merged;
}

}  // namespace detour
