#include "sim/payload.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numeric>

namespace detour::sim {
namespace {

std::uint32_t mix(std::uint64_t number) {
  number = (number ^ (number >> 31)) * 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 29)) * 0xbf58476d1ce4e5b9;
  return static_cast<std::uint32_t>(number >> 32);
}

template <class Combine>
void combine_elements(std::byte* result, std::span<const std::byte* const> inputs,
                      std::size_t element_count, Combine combine) {
  for (std::size_t at = 0; at < element_count; ++at) {
    const auto load = [&](const std::byte* input) {
      Element element;
      std::memcpy(&element, input + at * sizeof element, sizeof element);
      return element;
    };
    Element sum = load(inputs[0]);
    for (const std::byte* input : inputs.subspan(1)) combine(sum, load(input));
    std::memcpy(result + at * sizeof sum, &sum, sizeof sum);
  }
}

void add(Element& sum, const Element& next) {
  sum.census += next.census;
  sum.mark += next.mark;
  sum.value += next.value;
}

void chain(Element& sum, const Element& next) {
  sum.census += next.census;
  sum.mark = sum.mark * 31 + next.mark;
  sum.value = sum.value / 2 + next.value;
}

std::uint64_t first_of_block(const CallPlan& plan, Rank rank) {
  return std::accumulate(plan.block_counts.begin(), plan.block_counts.begin() + rank,
                         std::uint64_t{0});
}

Element combined(const CallPlan& plan, std::size_t call, std::uint64_t place,
                 const MemberSet& contributors) {
  const auto ranks = contributors.members();
  Element sum = contribution(call, static_cast<Rank>(ranks.front()), place);
  for (std::size_t at = 1; at < ranks.size(); ++at) {
    const Element next = contribution(call, static_cast<Rank>(ranks[at]), place);
    plan.is_commutative ? add(sum, next) : chain(sum, next);
  }
  return sum;
}

bool is_same_but_for_rounding(const Element& a, const Element& b) {
  return a.census == b.census && a.mark == b.mark &&
         std::abs(a.value - b.value) <= 1e-3F * (1 + std::abs(b.value));
}

std::uint64_t output_count(const CallPlan& plan, Rank rank) {
  if (plan.kind == CallKind::reduce && rank != plan.root) return 0;
  if (plan.kind == CallKind::reduce_scatter) {
    return plan.block_counts[static_cast<std::size_t>(rank)];
  }
  return plan.element_count;
}

}  // namespace

Element contribution(std::size_t call, Rank rank, std::uint64_t place) {
  const std::uint32_t mark =
      mix((std::uint64_t{call} + 1) << 32 | static_cast<std::uint64_t>(rank) << 16 | place);
  return {std::uint64_t{1} << (6 * rank), mark,
          std::ldexp(1.0F + static_cast<float>(mark % 977) / 1024, static_cast<int>(mark % 7))};
}

Element untouched() {
  return {~std::uint64_t{0}, 0xeeeeeeee, -1};
}

void ElementSum::combine(std::byte* result, std::span<const std::byte* const> inputs,
                         std::size_t element_count) const {
  combine_elements(result, inputs, element_count, add);
}

void ElementChain::combine(std::byte* result, std::span<const std::byte* const> inputs,
                           std::size_t element_count) const {
  combine_elements(result, inputs, element_count, chain);
}

CallBuffers make_buffers(const CallPlan& plan, std::size_t call, Rank rank) {
  CallBuffers buffers;
  Elements input(plan.element_count);
  for (std::uint64_t place = 0; place < input.size(); ++place) {
    input[place] = contribution(call, rank, place);
  }
  if (plan.kind == CallKind::broadcast) {
    buffers.is_in_place = true;
    if (rank != plan.root) input.assign(input.size(), untouched());
  } else if (plan.kind == CallKind::allgather) {
    buffers.is_in_place = true;
    const std::uint64_t first = first_of_block(plan, rank);
    const std::uint64_t end = first + plan.block_counts[static_cast<std::size_t>(rank)];
    for (std::uint64_t place = 0; place < input.size(); ++place) {
      if (place < first || place >= end) input[place] = untouched();
    }
  } else {
    buffers.is_in_place = plan.is_in_place && output_count(plan, rank) == plan.element_count &&
                          plan.kind != CallKind::reduce_scatter;
  }
  buffers.original_input = input;
  if (buffers.is_in_place) {
    buffers.output = std::move(input);
  } else {
    buffers.input = std::move(input);
    buffers.output.assign(output_count(plan, rank), untouched());
  }
  return buffers;
}

Call make_call(const CallPlan& plan, Rank rank, const Combiner& combiner, CallBuffers& buffers) {
  Call call;
  call.header.kind = plan.kind;
  call.header.operation = 1;
  call.header.element = 1;
  call.header.root = plan.root;
  call.header.bytes = plan.element_count * sizeof(Element);
  call.header.shape = plan.block_counts.empty() ? 0 : 1;
  call.combiner = &combiner;
  call.is_commutative = plan.is_commutative;
  call.output = reinterpret_cast<std::byte*>(buffers.output.data());
  call.input =
      buffers.is_in_place ? call.output : reinterpret_cast<const std::byte*>(buffers.input.data());
  call.output_bytes = output_count(plan, rank) * sizeof(Element);
  if (plan.kind == CallKind::reduce_scatter) {
    call.output_first_byte = first_of_block(plan, rank) * sizeof(Element);
  }
  call.block_counts = plan.block_counts;
  return call;
}

std::optional<std::string> find_wrong_output(const CallPlan& plan, std::size_t call, Rank rank,
                                             const CallBuffers& buffers,
                                             const MemberSet& contributors) {
  std::uint64_t place =
      plan.kind == CallKind::reduce_scatter ? first_of_block(plan, rank) : std::uint64_t{0};
  Rank owner = 0;  // of the block that the place is in
  std::uint64_t block_end = plan.block_counts.empty() ? 0 : plan.block_counts[0];
  for (const Element& element : buffers.output) {
    Element expected;
    if (plan.kind == CallKind::broadcast) {
      expected = contribution(call, plan.root, place);
    } else if (plan.kind == CallKind::allgather) {
      while (place >= block_end) block_end += plan.block_counts[static_cast<std::size_t>(++owner)];
      expected = contributors.has(static_cast<std::size_t>(owner))
                     ? contribution(call, owner, place)
                     : untouched();
    } else {
      expected = combined(plan, call, place, contributors);
    }
    if (!is_same_but_for_rounding(element, expected)) {
      return fmt::format("element {} is {:x}/{:x}/{}, not {:x}/{:x}/{}", place, element.census,
                         element.mark, element.value, expected.census, expected.mark,
                         expected.value);
    }
    ++place;
  }
  return std::nullopt;
}

std::optional<std::string> find_damaged_input(const CallPlan& plan, Rank rank,
                                              const CallBuffers& buffers, bool has_failed) {
  if (!buffers.is_in_place) {
    if (buffers.input == buffers.original_input) return std::nullopt;
    return "its input was changed";
  }
  const bool may_be_written = plan.kind == CallKind::broadcast && rank != plan.root;
  if (!has_failed || may_be_written || buffers.output == buffers.original_input) {
    return std::nullopt;
  }
  return "it failed, and its input in place is gone";
}

}  // namespace detour::sim
