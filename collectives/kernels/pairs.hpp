// The pairs of MINLOC and MAXLOC, laid out as MPI says.
#pragma once

namespace detour::kernels {

template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
};

}  // namespace detour::kernels
