#include "operations/short_sums.hpp"

#include <span>

#include "fault_points.hpp"
#include "shm/fetching.hpp"

namespace detour {

// Room for all inputs: nothing here may fail once a call is entered.
ShortSums::ShortSums(View& view, Gathering& gathering, SlotWriting& writing)
    : view_(view), gathering_(gathering), writing_(writing) {
  inputs_.reserve(view.ranks().size());
}

ShortSums::Progress ShortSums::begin(const ShortSum& sum) {
  if (view_.is_given_up()) return Progress::not_begun;
  const bool is_roomy = gathering_.is_roomy();
  if (is_roomy) view_.board().fetch_slots(sum.header.bytes);
  if (!enter(sum)) return Progress::not_begun;
  const bool all_seem_there = gathering_.post({sum.input, sum.header.bytes});
  if (all_seem_there) return go_on(sum);
  // While the others' data is still to come.
  if (is_roomy && sum.output != sum.input) fetch_for_writing(sum.output, sum.header.bytes);
  return Progress::under_way;
}

bool ShortSums::enter(const ShortSum& sum) {
  CallBoard& board = view_.board();
  gathering_.begin(true);
  writing_.copy(board.own().small(board.call_number()), sum.input, sum.header.bytes);
  return board.enter({sum.header, {}, sum.output == sum.input ? 1U : 0U});
}

// Members only go when a call turns out to lack one, and that is not found here. So all who are there are those of the call
// before.
ShortSums::Progress ShortSums::go_on(const ShortSum& sum) {
  if (const auto teller = gathering_.teller()) {
    gathering_.copy_told(*teller, sum.output, sum.header.bytes);
    // A rank that was given up may have read anything.
    if (view_.is_given_up()) return Progress::under_way;
  } else if (!form(sum)) {
    return Progress::under_way;
  }
  gathering_.end();
  view_.board().leave();
  return Progress::done;
}

bool ShortSums::form(const ShortSum& sum) {
  const CallBoard& board = view_.board();
  if (!board.notices_agree()) return false;
  DETOUR_FAULT_POINT("reducing-small");
  board.collect_small_data(sum.header.bytes, inputs_);
  sum.combiner->combine(sum.output, inputs_, sum.element_count);
  if (view_.is_given_up()) return false;
  gathering_.tell(sum.output, sum.header.bytes);
  return true;
}

}  // namespace detour
