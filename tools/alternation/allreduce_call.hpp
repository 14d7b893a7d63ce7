// What is measured: a call that sums floats of all ranks.
#pragma once

#include <functional>

namespace detour::tool {

// An error code of MPI, zero if all went well. `send` is null for an operation in place.
using AllreduceCall = std::function<int(const void* send, void* receive, int count)>;

}  // namespace detour::tool
