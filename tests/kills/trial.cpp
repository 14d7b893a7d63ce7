#include "trial.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "calls.hpp"
#include "digest.hpp"

namespace detour::kills {
namespace {

// Behind each buffer: nobody may write there.
constexpr std::size_t guard_bytes = 64;

std::string error_text(int error) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

bool is_blank(const std::byte* place, std::size_t bytes) {
  return std::all_of(place, place + bytes, [](std::byte byte) { return byte == blank; });
}

bool has_blocks(Kind kind) {
  return kind == Kind::allgather || kind == Kind::allgatherv || kind == Kind::reduce_scatter ||
         kind == Kind::reduce_scatter_block;
}

bool gathers(Kind kind) {
  return kind == Kind::allgather || kind == Kind::allgatherv;
}

std::pmr::memory_resource* memory_for(const Step& step, const TeamComm& team,
                                      SharedMemory& shared) {
  // Where there is little, all of it is for operations that are under way at the same time.
  const bool is_scarce = std::getenv("DETOUR_MEMORY_BYTES") != nullptr;
  const bool is_shared = step.shared_buffers == SharedBuffers::all ||
                         (step.shared_buffers == SharedBuffers::every_other && team.rank % 2 == 0);
  return is_shared && !is_scarce ? &shared : std::pmr::new_delete_resource();
}

bool scatters(Kind kind) {
  return kind == Kind::reduce_scatter || kind == Kind::reduce_scatter_block;
}

}  // namespace

Trial::Trial(const Step& step, std::uint32_t number, const TeamComm& team,
             const MpiElements& elements, SharedMemory& shared)
    : step_(step),
      number_(number),
      team_(team),
      mpi_(elements),
      root_(static_cast<int>(step.root % team.world_ranks.size())),
      stride_(element_bytes(step.element)),
      input_(memory_for(step, team, shared)),
      output_(memory_for(step, team, shared)) {
  if (has_blocks(step_.kind)) lay_out_blocks();
  make_buffers();
}

// Where they may differ, ranks have blocks of different sizes, some of none, and for gathering with room between them and
// the last one first.
void Trial::lay_out_blocks() {
  const bool is_uneven = step_.kind == Kind::allgatherv || step_.kind == Kind::reduce_scatter;
  std::size_t first = 0;
  for (int rank = 0; rank < team_.size(); ++rank) {
    std::size_t count = step_.count;
    if (is_uneven && count > 0) {
      const auto size = static_cast<std::size_t>(rank);
      count = count * ((size + 2) % 3) / 2 + size % 2;
    }
    blocks_.push_back({first, first, count});
    first += count;
  }
  if (step_.kind == Kind::allgatherv) {
    std::size_t place = 0;
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      block->first_place = place;
      place += block->count + 1;
    }
  }
  for (const Block& block : blocks_) {
    counts_.push_back(static_cast<int>(block.count));
    places_.push_back(static_cast<int>(block.first_place));
  }
}

std::size_t Trial::input_count() const {
  if (scatters(step_.kind)) return blocks_.back().first + blocks_.back().count;
  if (gathers(step_.kind)) return blocks_[static_cast<std::size_t>(team_.rank)].count;
  return step_.kind == Kind::barrier ? 0 : step_.count;
}

std::size_t Trial::output_count() const {
  if (scatters(step_.kind)) {
    return step_.is_in_place ? input_count() : blocks_[static_cast<std::size_t>(team_.rank)].count;
  }
  if (!gathers(step_.kind)) return step_.kind == Kind::barrier ? 0 : step_.count;
  std::size_t end = 0;
  for (const Block& block : blocks_) end = std::max(end, block.first_place + block.count);
  return end;
}

Elements Trial::elements(std::size_t first, std::size_t count) const {
  return {step_.element, number_ * 4 + team_.salt, first, count};
}

void Trial::make_buffers() {
  input_.assign(input_count() * stride_ + guard_bytes, blank);
  output_.assign(output_count() * stride_ + guard_bytes, blank);
  if (step_.kind == Kind::barrier) return;
  if (step_.kind == Kind::bcast) {
    if (is_root()) fill(output_.data(), elements(0, step_.count), team_.rank);
    return;
  }
  std::size_t first = 0;
  std::size_t place = 0;
  if (gathers(step_.kind)) {
    const Block& own = blocks_[static_cast<std::size_t>(team_.rank)];
    first = own.first;
    place = step_.is_in_place ? own.first_place : 0;
  }
  std::byte* const from = step_.is_in_place ? output_.data() : input_.data();
  fill(from + place * stride_, elements(first, input_count()), team_.rank);
}

const void* Trial::send_buffer() const {
  // Only the root of a reduction has two buffers to choose from.
  if (step_.kind == Kind::reduce && !is_root() && step_.is_in_place) return output_.data();
  return step_.is_in_place ? MPI_IN_PLACE : static_cast<const void*>(input_.data());
}

void* Trial::receive_buffer() {
  return step_.kind == Kind::reduce && !is_root() ? nullptr : output_.data();
}

void Trial::call() {
  error_ = carry_out();
}

int Trial::carry_out() {
  const void* const from = send_buffer();
  void* const to = receive_buffer();
  const int count = static_cast<int>(step_.count);
  const MPI_Datatype type = mpi_.type(step_.element);
  const MPI_Op operation = mpi_.operation(step_.element);
  const int sent = static_cast<int>(input_count());
  const MPI_Comm comm = team_.comm;
  switch (step_.kind) {
    case Kind::allreduce:
      return KILLS_CALL(Allreduce)(from, to, count, type, operation, comm);
    case Kind::iallreduce:
      return KILLS_CALL(Iallreduce)(from, to, count, type, operation, comm, &request_);
    case Kind::reduce:
      return KILLS_CALL(Reduce)(from, to, count, type, operation, root_, comm);
    case Kind::bcast:
      return KILLS_CALL(Bcast)(output_.data(), count, type, root_, comm);
    case Kind::barrier:
      return KILLS_CALL(Barrier)(comm);
    case Kind::allgather:
      return KILLS_CALL(Allgather)(from, sent, type, to, count, type, comm);
    case Kind::allgatherv:
      return KILLS_CALL(Allgatherv)(from, sent, type, to, counts_.data(), places_.data(), type,
                                    comm);
    case Kind::reduce_scatter:
      return KILLS_CALL(Reduce_scatter)(from, to, counts_.data(), type, operation, comm);
    case Kind::reduce_scatter_block:
      return KILLS_CALL(Reduce_scatter_block)(from, to, count, type, operation, comm);
  }
  return MPI_ERR_OTHER;
}

Finding Trial::check(bool was_last) {
  Finding finding;
  if (error_ != MPI_SUCCESS) {
    judge_error(finding);
    return finding;
  }
  judge_result(finding);
  if (!finding.complaint.empty()) return finding;
  if (!judge_input()) finding.complaint = "the input was changed";
  const auto told = was_last ? last_contributors(team_.comm) : std::nullopt;
  if (told && known_ranks_ && *told != *known_ranks_) {
    finding.complaint = "contributors are " + std::to_string(*known_ranks_) + " by the result, " +
                        std::to_string(*told) + " by the library";
  }
  // Whoever has the root's data knows nothing of the others.
  if (step_.kind == Kind::bcast) return finding;
  if (const auto ranks = known_ranks_ ? known_ranks_ : told) {
    finding.contributors = world_ranks(*ranks);
  }
  return finding;
}

void Trial::judge_error(Finding& finding) const {
  const std::string text = error_text(error_);
  finding.outcome = Outcome::process_failed;
  if (!has_root(step_.kind) || text.find("died") == std::string::npos) {
    finding.complaint = "an error: " + text;
  }
}

void Trial::judge_result(Finding& finding) {
  std::vector<std::byte> expected(output_.size(), blank);
  std::size_t bytes = output_.size();
  if (gathers(step_.kind)) {
    judge_blocks(finding);
    return;
  }
  if (step_.kind == Kind::bcast) {
    fill(expected.data(), elements(0, step_.count), root_);
  } else if (step_.kind == Kind::reduce && !is_root()) {
    return;
  } else if (step_.kind != Kind::barrier) {
    Block block{0, 0, step_.count};
    if (scatters(step_.kind)) {
      block = blocks_[static_cast<std::size_t>(team_.rank)];
      // In place, what comes after the block is anything.
      if (step_.is_in_place) bytes = block.count * stride_;
    }
    if (!judge_sum(block, finding)) return;
    fill_with_sum(expected.data(), elements(block.first, block.count), known_ranks_.value_or(0));
  }
  compare(expected, bytes, finding);
  const bool is_the_same_on_all = !scatters(step_.kind) && step_.kind != Kind::reduce;
  if (is_the_same_on_all) finding.digest = digest_of(output_);
}

// Who is in the first element. False if that is not as it should be.
bool Trial::judge_sum(const Block& block, Finding& finding) {
  if (block.count == 0) return true;
  known_ranks_ = ranks_in(output_.data(), elements(block.first, block.count));
  if (!known_ranks_) {
    finding.complaint = "the first element is no sum";
  } else if ((*known_ranks_ >> team_.rank & 1) == 0) {
    finding.complaint = "the rank itself is not in the sum";
  }
  return finding.complaint.empty();
}

// Each block is whole, or as it was before.
void Trial::judge_blocks(Finding& finding) {
  std::vector<std::byte> expected(output_.size(), blank);
  Ranks ranks = 0;
  bool all_are_known = true;
  for (int rank = 0; rank < team_.size(); ++rank) {
    const Block& block = blocks_[static_cast<std::size_t>(rank)];
    if (block.count == 0) {
      all_are_known = false;
      continue;
    }
    const std::byte* const place = output_.data() + block.first_place * stride_;
    if (is_blank(place, std::min(stride_, sizeof(std::uint64_t)))) continue;
    ranks |= 1U << rank;
    fill(expected.data() + block.first_place * stride_, elements(block.first, block.count), rank);
  }
  if (all_are_known) known_ranks_ = ranks;
  compare(expected, output_.size(), finding);
  finding.digest = digest_of(output_);
  const bool is_in = (ranks >> team_.rank & 1) != 0;
  if (finding.complaint.empty() && all_are_known && !is_in) {
    finding.complaint = "the rank's own block is not there";
  }
}

bool Trial::judge_input() const {
  if (step_.kind == Kind::barrier || step_.kind == Kind::bcast) return true;
  const bool is_own_output = step_.is_in_place && !(step_.kind == Kind::reduce && !is_root());
  if (is_own_output) return true;
  const auto& buffer = step_.is_in_place ? output_ : input_;
  std::vector<std::byte> expected(buffer.size(), blank);
  const std::size_t first =
      gathers(step_.kind) ? blocks_[static_cast<std::size_t>(team_.rank)].first : 0;
  fill(expected.data(), elements(first, input_count()), team_.rank);
  return std::ranges::equal(expected, buffer);
}

void Trial::compare(const std::vector<std::byte>& expected, std::size_t bytes,
                    Finding& finding) const {
  const auto end = expected.begin() + static_cast<std::ptrdiff_t>(bytes);
  const auto [wrong, found] = std::mismatch(expected.begin(), end, output_.begin());
  if (wrong == end) return;
  const auto offset = static_cast<std::size_t>(wrong - expected.begin());
  finding.complaint = "wrong from byte " + std::to_string(offset) + " (element " +
                      std::to_string(offset / stride_) + ") on";
}

std::uint64_t Trial::world_ranks(Ranks ranks) const {
  std::uint64_t world = 0;
  for (; ranks != 0; ranks &= ranks - 1) {
    world |=
        std::uint64_t{1} << team_.world_ranks[static_cast<std::size_t>(std::countr_zero(ranks))];
  }
  return world;
}

}  // namespace detour::kills
