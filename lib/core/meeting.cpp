#include "core/meeting.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "fingerprint.hpp"

namespace detour {
namespace {

static_assert(std::has_unique_object_representations_v<Answer>);

class BitwiseOr final : public Combiner {
 public:
  std::size_t element_bytes() const override { return sizeof(std::uint64_t); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override {
    for (std::size_t at = 0; at < element_count; ++at) {
      std::uint64_t bits = 0;
      for (const std::byte* input : inputs) {
        std::uint64_t more = 0;
        std::memcpy(&more, input + at * sizeof more, sizeof more);
        bits |= more;
      }
      std::memcpy(result + at * sizeof bits, &bits, sizeof bits);
    }
  }
};

std::uint64_t fingerprint_of(const char* text) {
  Fingerprint fingerprint;
  fingerprint.add(text);
  return fingerprint.value();
}

}  // namespace

Meeting::Meeting(Communicator& communicator, const char* function)
    : communicator_(communicator), function_(fingerprint_of(function)) {}

// In parts that are small enough to need no memory but what each member has from the start. Each part is as good as a meeting of
// its own for those whose answers it has.
int Meeting::hold(const Answer& mine, int error) {
  constexpr std::size_t part_count_max = 4096 / sizeof(Answer);
  answers_.assign(static_cast<std::size_t>(communicator_.size()), Answer{.is_present = 0});
  answers_[static_cast<std::size_t>(communicator_.rank())] = mine;
  for (std::size_t first = 0; first < answers_.size(); first += part_count_max) {
    const std::size_t count = std::min(part_count_max, answers_.size() - first);
    const int result = hold_part(first, count, error);
    if (result != MPI_SUCCESS) return result;
  }
  present_.clear();
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    if (answer(rank).is_present != 0) present_.push_back(rank);
  }
  return MPI_SUCCESS;
}

int Meeting::hold_part(std::size_t first, std::size_t count, int error) {
  const BitwiseOr combiner;
  const std::span bytes = std::as_writable_bytes(std::span(answers_).subspan(first, count));
  Call call;
  call.header.kind = CallKind::allreduce;
  call.header.operation = user_defined_in_order;
  call.header.element = user_defined + sizeof(std::uint64_t);
  call.header.bytes = bytes.size();
  call.header.shape = function_;
  call.header.error = error;
  call.combiner = &combiner;
  call.is_commutative = false;  // straight from memory, whatever policies are in use
  call.input = bytes.data();
  call.output = bytes.data();
  call.output_bytes = bytes.size();
  return communicator_.run(call);
}

std::vector<int> Meeting::absent() const {
  std::vector<int> ranks;
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    if (answer(rank).is_present == 0) ranks.push_back(rank);
  }
  return ranks;
}

}  // namespace detour
