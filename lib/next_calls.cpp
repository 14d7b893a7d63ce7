#include "next_calls.hpp"

namespace detour {

NextCalls& next_calls() {
  static NextCalls calls;
  return calls;
}

}  // namespace detour
