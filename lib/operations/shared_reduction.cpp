#include "operations/shared_reduction.hpp"

#include <algorithm>
#include <cstring>

#include "collectives/streaming_copy.hpp"
#include "fault_points.hpp"
#include "protocol_switches.hpp"

namespace detour {
namespace {

// More would cost more than waiting for the last one; fewer leave cores idle.
constexpr std::size_t part_count_wanted = 8;
static_assert(part_count_wanted <= WorkLedger::part_count_max);

// In whole elements.
std::size_t part_bytes(const SharedReduction::Job& job, std::size_t element_bytes) {
  const std::size_t wanted =
      std::max(job.part_bytes_min, (job.bytes + part_count_wanted - 1) / part_count_wanted);
  return (wanted + element_bytes - 1) / element_bytes * element_bytes;
}

}  // namespace

void SharedReduction::stage(const Member& own, std::uint64_t piece, const std::byte* input,
                            std::size_t bytes, SlotWriting& writing) {
  DETOUR_FAULT_POINT("staging");
  writing.copy(own.block->staging(own.pipeline_offset, piece), input, bytes);
}

SharedReduction::SharedReduction(std::size_t member_count_max, const SlotWriting& writing)
    : writing_(&writing) {
  members_.reserve(member_count_max);
  inputs_.reserve(member_count_max);
}

void SharedReduction::begin(const CallBoard& board, const Job& job, const Combiner& combiner) {
  members_.clear();
  for (const std::size_t rank : board.present()) {
    if (rank == board.rank()) position_ = members_.size();
    members_.push_back({rank, &board.members()[rank], board.entry(rank).places.pipeline_offset});
  }
  begin(job, combiner);
}

void SharedReduction::begin(std::span<const Member> members, std::size_t position, const Job& job,
                            const Combiner& combiner) {
  members_.assign(members.begin(), members.end());
  position_ = position;
  begin(job, combiner);
}

void SharedReduction::begin(const Job& job, const Combiner& combiner) {
  job_ = job;
  combiner_ = &combiner;
  ledger_ = &members_[0].block->ledger(job.call);
  part_bytes_ = part_bytes(job, combiner.element_bytes());
  part_count_ = (job.bytes + part_bytes_ - 1) / part_bytes_;
  taken_.reset();
  inputs_.resize(members_.size());
}

bool SharedReduction::step(std::byte* output) {
  if (job_.forms_all) {
    form_all(output);
    return false;
  }
  if (taken_) {
    const Part taken = part(*taken_);
    form(taken, sum_of(own()), writing_->way(taken.bytes));
    ledger_->set_done(job_.call, *taken_, own().rank);
  }
  taken_ = ledger_->take(job_.call, part_count_);
  if (taken_) {
    if (protocol_switches.say_done_too_early) ledger_->set_done(job_.call, *taken_, own().rank);
    DETOUR_FAULT_POINT("sharing");
    return true;
  }
  collect(output);
  return false;
}

SharedReduction::Part SharedReduction::part(std::size_t number) const {
  const std::size_t first = number * part_bytes_;
  return {first, std::min(part_bytes_, job_.bytes - first)};
}

// What this rank has staged is in its cache where it came from; but of several inputs only the first may be overwritten.
void SharedReduction::form(const Part& part, std::byte* place, SlotWriting::Way way) {
  const auto [first, bytes] = part;
  std::transform(members_.begin(), members_.end(), inputs_.begin(), [&](const Member& member) {
    return member.block->staging(member.pipeline_offset, job_.piece) + first;
  });
  if (place != job_.input || position_ == 0) inputs_[position_] = job_.input + first;
  const std::size_t element_count = bytes / combiner_->element_bytes();
  if (way == SlotWriting::Way::past_caches) {
    combiner_->combine_past_caches(place + first, inputs_, element_count);
  } else {
    combiner_->combine(place + first, inputs_, element_count);
  }
}

void SharedReduction::form_all(std::byte* output) {
  DETOUR_FAULT_POINT("sharing");
  form({0, job_.bytes}, output,
       job_.streams ? SlotWriting::Way::past_caches : SlotWriting::Way::through_caches);
}

void SharedReduction::collect(std::byte* output) {
  for (std::size_t number = 0; number < part_count_; ++number) {
    const auto rank = ledger_->done_by(job_.call, number);
    const Member* const teller = rank ? find_member(*rank) : nullptr;
    if (teller == nullptr) {
      form(part(number), output, SlotWriting::Way::through_caches);
      continue;
    }
    const auto [first, bytes] = part(number);
    const std::byte* const from = sum_of(*teller) + first;
    if (job_.streams) {
      copy_past_caches(output + first, from, bytes);
    } else {
      std::memcpy(output + first, from, bytes);
    }
  }
}

const SharedReduction::Member* SharedReduction::find_member(std::size_t rank) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [rank](const Member& member) { return member.rank == rank; });
  return found != members_.end() ? &*found : nullptr;
}

}  // namespace detour
