#include "operations/short_sums.hpp"

#include <span>

#include "fault_points.hpp"
#include "shm/fetching.hpp"

namespace detour {

// Room for all inputs: nothing here may fail once a call is entered.
ShortSums::ShortSums(const Means& means) : means_(means) {
  inputs_.reserve(means.view.ranks().size());
}

ShortSums::Progress ShortSums::begin(const ShortSum& sum) {
  if (means_.view.is_given_up()) return Progress::not_begun;
  const std::size_t bytes = sum.header.bytes;
  const bool prepares = means_.gathering.is_roomy() && is_small(bytes);
  if (prepares) means_.view.board().fetch_slots(bytes);
  if (!enter(sum)) return Progress::not_begun;
  const std::span<const std::byte> small{sum.input, is_small(bytes) ? bytes : 0};
  const bool all_seem_there = means_.gathering.post(small);
  if (all_seem_there) return go_on(sum);
  // While the others' data is still to come.
  if (prepares && sum.output != sum.input) fetch_for_writing(sum.output, bytes);
  return Progress::under_way;
}

bool ShortSums::enter(const ShortSum& sum) {
  return is_small(sum.header.bytes) ? enter_with_small_data(sum) : enter_with_staged_data(sum);
}

bool ShortSums::enter_with_small_data(const ShortSum& sum) {
  CallBoard& board = means_.view.board();
  means_.gathering.begin(true);
  means_.writing.copy(board.own().small(board.call_number()), sum.input, sum.header.bytes);
  return board.enter({sum.header, {}, sum.output == sum.input ? 1U : 0U});
}

// Where its input lies is not said: nobody reads what is so short there.
bool ShortSums::enter_with_staged_data(const ShortSum& sum) {
  const auto pipeline = means_.memory.pipeline_if_there();
  if (!pipeline) return false;
  CallBoard& board = means_.view.board();
  SharedReduction::stage({board.rank(), &board.own(), *pipeline}, means_.piece_count, sum.input,
                         sum.header.bytes, means_.writing);
  means_.gathering.begin(false);
  return board.enter(
      {sum.header, {.pipeline_offset = *pipeline}, sum.output == sum.input ? 1U : 0U});
}

// Members only go when a call turns out to lack one, and that is not found here. So all who are there are those of the call
// before.
ShortSums::Progress ShortSums::go_on(const ShortSum& sum) {
  const bool has_result = is_small(sum.header.bytes) ? get_small(sum) : share(sum);
  if (!has_result) return Progress::under_way;
  means_.gathering.end();
  means_.view.board().leave();
  return Progress::done;
}

bool ShortSums::get_small(const ShortSum& sum) {
  const auto teller = means_.gathering.teller();
  if (!teller) return form_small(sum);
  means_.gathering.copy_told(*teller, sum.output, sum.header.bytes);
  // A rank that was given up may have read anything.
  return !means_.view.is_given_up();
}

bool ShortSums::form_small(const ShortSum& sum) {
  const CallBoard& board = means_.view.board();
  if (!board.notices_agree()) return false;
  DETOUR_FAULT_POINT("reducing-small");
  board.collect_small_data(sum.header.bytes, inputs_);
  sum.combiner->combine(sum.output, inputs_, sum.element_count);
  if (means_.view.is_given_up()) return false;
  means_.gathering.tell(sum.output, sum.header.bytes);
  return true;
}

// See DirectOperation::begin_sharing(), share() and end().
bool ShortSums::share(const ShortSum& sum) {
  const View& view = means_.view;
  const CallBoard& board = view.board();
  if (!board.notices_agree()) return false;
  const bool replaces_input = sum.output == sum.input;
  const SharedReduction::Job job{
      .call = board.call_number(),
      .piece = means_.piece_count,
      .bytes = sum.header.bytes,
      .part_bytes_min = means_.layout.part_bytes_min,
      .streams = way_.streams(means_.layout, sum.header.bytes, replaces_input),
      .forms_all = means_.gathering.is_among_few(),
      .input = sum.input};
  means_.sharing.begin(board, job, *sum.combiner);
  // Then what the entries said was of another call.
  if (view.is_given_up()) return false;
  while (means_.sharing.step(sum.output)) {
  }
  if (view.is_given_up() || !board.own().copied().raise_to(means_.piece_count + 1)) return false;
  ++means_.piece_count;
  view.say_left();
  return true;
}

}  // namespace detour
