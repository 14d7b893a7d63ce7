#include "collectives/executor.hpp"

#include <algorithm>
#include <cstring>

namespace detour {

Executor::Executor(const Program& program, const Combiner& combiner, Transport& transport,
                   Buffers buffers)
    : program_(program),
      combiner_(combiner),
      transport_(transport),
      buffers_(buffers),
      summed_(program.roles.size()) {}

Executor::Progress Executor::step() {
  bool moved = false;
  for (;;) {
    while (try_broadcast()) moved = true;
    if (!try_reduce()) break;
    moved = true;
  }
  const bool all_taken =
      next_reduce_ == program_.reduces.size() && next_broadcast_ == program_.broadcasts.size();
  if (all_taken && transport_.flushed()) return Progress::finished;
  return moved ? Progress::moved : Progress::stuck;
}

// Own data and the children's, in this order, into the parent's queue or, at the root, the result.
bool Executor::try_reduce() {
  if (next_reduce_ == program_.reduces.size()) return false;
  const Step step = program_.reduces[next_reduce_];
  const FlowRole& role = program_.roles[step.flow];
  const ElementRange elements = range(role, step);
  const std::size_t bytes = elements.count * combiner_.element_bytes();
  const std::size_t offset = elements.first * combiner_.element_bytes();
  if (!all_arrived(role.reduce_children)) return false;

  const bool is_root = role.reduce_parent == no_rank;
  std::byte* result = nullptr;
  if (is_root) {
    result = output_at(offset);
  } else {
    const auto room = transport_.reserve(role.reduce_parent, Lane::reduce, bytes);
    if (room.empty()) return false;
    result = room.data();
  }
  inputs_.assign(1, buffers_.input + offset);
  for (const Rank child : role.reduce_children) {
    inputs_.push_back(transport_.peek(child, Lane::reduce).data());
  }
  if (inputs_.size() > 1) {
    combiner_.combine(result, inputs_, elements.count);
  } else if (result != inputs_[0]) {
    std::memcpy(result, inputs_[0], bytes);
  }
  for (const Rank child : role.reduce_children) transport_.release(child, Lane::reduce);
  if (is_root) {
    ++summed_[step.flow];
  } else {
    transport_.send(role.reduce_parent, Lane::reduce);
  }
  ++next_reduce_;
  return true;
}

// From the parent's queue, or at the root from the result, into the result and all children's queues.
bool Executor::try_broadcast() {
  if (next_broadcast_ == program_.broadcasts.size()) return false;
  const Step step = program_.broadcasts[next_broadcast_];
  const FlowRole& role = program_.roles[step.flow];
  const ElementRange elements = range(role, step);
  const std::size_t bytes = elements.count * combiner_.element_bytes();
  const std::size_t offset = elements.first * combiner_.element_bytes();
  const bool is_root = role.broadcast_parent == no_rank;
  if (is_root ? !root_has_sum(step)
              : transport_.peek(role.broadcast_parent, Lane::broadcast).empty()) {
    return false;
  }
  if (!all_have_room(role.broadcast_children, bytes)) return false;

  // Without a reduction the root's own input is what is broadcast.
  std::byte* const result = output_at(offset);
  const std::byte* source = result;
  if (is_root && !role.has_reduce) source = buffers_.input + offset;
  if (!is_root) source = transport_.peek(role.broadcast_parent, Lane::broadcast).data();
  for (const Rank child : role.broadcast_children) {
    std::memcpy(transport_.reserve(child, Lane::broadcast, bytes).data(), source, bytes);
    transport_.send(child, Lane::broadcast);
  }
  if (source != result) std::memcpy(result, source, bytes);
  if (!is_root) transport_.release(role.broadcast_parent, Lane::broadcast);
  ++next_broadcast_;
  return true;
}

bool Executor::root_has_sum(const Step& step) const {
  return !program_.roles[step.flow].has_reduce || summed_[step.flow] > step.chunk;
}

bool Executor::all_arrived(const std::vector<Rank>& from) {
  return std::all_of(from.begin(), from.end(),
                     [this](Rank peer) { return !transport_.peek(peer, Lane::reduce).empty(); });
}

bool Executor::all_have_room(const std::vector<Rank>& to, std::size_t bytes) {
  return std::all_of(to.begin(), to.end(), [this, bytes](Rank peer) {
    return !transport_.reserve(peer, Lane::broadcast, bytes).empty();
  });
}

ElementRange Executor::range(const FlowRole& role, const Step& step) const {
  return chunk_of(role.elements, program_.chunk_elements, step.chunk);
}

}  // namespace detour
