// Words that settings are made of, as far as detourrun, which does without libdetour, has to know them too.
#pragma once

#include <array>
#include <string_view>

namespace detour {

template <class Value>
struct Word {
  std::string_view text;
  Value value;
};

// The first word for a value is the one that is written.
inline constexpr std::array switch_words{
    Word{"on", true},   Word{"off", false},   Word{"1", true},   Word{"0", false},
    Word{"true", true}, Word{"false", false}, Word{"yes", true}, Word{"no", false}};

inline constexpr const char* shared_malloc_variable = "DETOUR_SHARED_MALLOC";

}  // namespace detour
