#include "tune/way.hpp"

#include "way_words.hpp"

namespace detour::tool {

std::string way_text(const Way& way) {
  const std::string text = way.policy + " " + chunk_text(way.chunk_bytes);
  return way.stores == StoreChoice::automatic ? text : text + " " + stores_text(way.stores);
}

}  // namespace detour::tool
