// What a step of one attempt at an operation has come to.
#pragma once

#include <cstdint>

namespace detour {

enum class AttemptProgress : std::uint8_t {
  moved,
  stuck,
  done,
  broken,  // a member has died too early: it takes another attempt without it
  fenced,  // the others take this rank for dead
};

}  // namespace detour
