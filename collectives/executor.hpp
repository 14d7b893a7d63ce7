// Runs a program over a transport: a state machine that never blocks.
//
// Who drives it (a blocking call, the helper thread, a simulator) calls step() again and again, waits as it
// sees fit while nothing moves, and gives up on a view change by dropping the executor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/combiner.hpp"
#include "collectives/program.hpp"
#include "collectives/transport.hpp"

namespace detour {

// The caller's data. In place, both are the same: a range is overwritten by the result only after this
// rank's contribution to it has been passed on.
struct Buffers {
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  // The place in the payload that the output begins with, for ranks that get only a part of it.
  std::size_t output_first_byte = 0;
};

class Executor {
 public:
  // All references have to outlive the executor. The transport has the program's links.
  Executor(const Program& program, const Combiner& combiner, Transport& transport, Buffers buffers);

  enum class Progress { finished, moved, stuck };

  // Takes all steps that can be taken now: broadcasts before reductions, because they free what the
  // others are waiting for.
  Progress step();

 private:
  bool try_broadcast();
  bool try_reduce();
  bool root_has_sum(const Step& step) const;
  bool all_arrived(const std::vector<Rank>& from);
  bool all_have_room(const std::vector<Rank>& to, std::size_t bytes);
  ElementRange range(const FlowRole& role, const Step& step) const;
  std::byte* output_at(std::size_t payload_byte) const {
    return buffers_.output + (payload_byte - buffers_.output_first_byte);
  }

  const Program& program_;
  const Combiner& combiner_;
  Transport& transport_;
  const Buffers buffers_;
  std::size_t next_reduce_ = 0;
  std::size_t next_broadcast_ = 0;
  std::vector<std::uint32_t> summed_;  // by flow: chunks of which this rank, as root, has the sum
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
