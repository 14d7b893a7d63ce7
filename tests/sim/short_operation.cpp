#include "sim/short_operation.hpp"

namespace detour::sim {

ShortSums* ShortOperation::way_of(const Call& call, Engine& engine) {
  const bool is_plain =
      call.header.kind == CallKind::allreduce && call.is_commutative && call.moves_data();
  return is_plain ? engine.short_sums(call.header.bytes) : nullptr;
}

ShortOperation::ShortOperation(Engine& engine, ShortSums& sums, const Call& call,
                               std::uint64_t look_count)
    : engine_(engine),
      sums_(sums),
      call_(call),
      sum_{.header = call.header,
           .combiner = call.combiner,
           .element_count = call.header.bytes / call.combiner->element_bytes(),
           .input = call.input,
           .output = call.output},
      looks_left_(look_count) {}

bool ShortOperation::begin() {
  progress_ = sums_.begin(sum_);
  return progress_ != ShortSums::Progress::not_begun;
}

Operation::Progress ShortOperation::step() {
  if (at_length_ != nullptr) return at_length_->step();
  if (progress_ != ShortSums::Progress::done && sums_.has_news()) progress_ = sums_.go_on(sum_);
  if (progress_ == ShortSums::Progress::done) return Progress::ended;
  if (looks_left_-- > 0) return Progress::stuck;
  at_length_ = &engine_.take_over(call_);
  return Progress::moved;
}

}  // namespace detour::sim
