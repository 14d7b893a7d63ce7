// Elements that prove what they are made of, and what a call must have given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectives/call.hpp"
#include "membership/member_set.hpp"
#include "sim/scenario.hpp"

namespace detour::sim {

// The census counts each rank's contributions, in six bits each; the mark is a sum that depends on call, rank and
// place. The value is a sum whose bits depend on the order of additions.
struct Element {
  std::uint64_t census = 0;
  std::uint32_t mark = 0;
  float value = 0;
  bool operator==(const Element&) const = default;
};
using Elements = std::vector<Element>;

// What a rank gives to a call, at a place of the payload.
Element contribution(std::size_t call, Rank rank, std::uint64_t place);
// What is in outputs before anything is there.
Element untouched();

class ElementSum final : public Combiner {
 public:
  std::size_t element_bytes() const override { return sizeof(Element); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override;
};

// Depends on the order of its operands.
class ElementChain final : public Combiner {
 public:
  std::size_t element_bytes() const override { return sizeof(Element); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override;
};

// The buffers of one rank in one call.
struct CallBuffers {
  Elements input;
  Elements output;
  Elements original_input;
  bool is_in_place = false;  // there is only the output, which the input was put into
};

CallBuffers make_buffers(const CallPlan& plan, std::size_t call, Rank rank);
// The buffers have to stay where they are, the combiner to live longer.
Call make_call(const CallPlan& plan, Rank rank, const Combiner& combiner, CallBuffers& buffers);

// Nothing if the rank's output is what these contributors give; otherwise what is wrong.
std::optional<std::string> find_wrong_output(const CallPlan& plan, std::size_t call, Rank rank,
                                             const CallBuffers& buffers,
                                             const MemberSet& contributors);
// The same of what must not have changed, if the call has ended well or with an error.
std::optional<std::string> find_damaged_input(const CallPlan& plan, Rank rank,
                                              const CallBuffers& buffers, bool has_failed);

}  // namespace detour::sim
