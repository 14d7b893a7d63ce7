#include "tune/built_in_way.hpp"

#include "node/member_block.hpp"

namespace detour::tool {

Way built_in_way(const Situation& situation) {
  static const SelectionTable table = SelectionTable::built_in();
  const Selection selection = table.select(situation, Settings());
  return {selection.policies.front(), selection.chunk_bytes, selection.stores};
}

StoreChoice usual_stores(std::uint64_t bytes) {
  const MemberBlockLayout usual;
  if (bytes < usual.streamed_bytes_min) return StoreChoice::cached;
  return bytes < usual.streamed_in_place_bytes_min ? StoreChoice::apart : StoreChoice::streamed;
}

}  // namespace detour::tool
