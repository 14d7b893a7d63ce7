#include "alternation/series.hpp"

namespace detour::tool {

std::string place_words(bool in_place) {
  return in_place ? "in place" : "out of place";
}

}  // namespace detour::tool
