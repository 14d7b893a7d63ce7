// The buffers of a call in the heap of its process, where the other members can get at them.
#pragma once

#include <optional>

#include "collectives/call.hpp"
#include "sim/payload.hpp"
#include "sim/sim_process.hpp"

namespace detour::sim {

class MappedBuffers {
 public:
  // Moves a call there, or out of place only its input, if there is room. All have to live longer.
  enum class What { all, input };
  static std::optional<MappedBuffers> make(SimProcess& process, CallBuffers& buffers, Call& call,
                                           What what);

  // When the call has ended: what is there goes back to the buffers, and the program uses the memory for something else.
  void release();

 private:
  MappedBuffers(SimProcess& process, CallBuffers& buffers, const std::optional<HeapBlock>& output,
                const std::optional<HeapBlock>& input)
      : process_(&process), buffers_(&buffers), output_(output), input_(input) {}

  std::byte* move_in(const Elements& elements, const HeapBlock& block);
  void move_out(const HeapBlock& block, Elements& elements);

  SimProcess* process_;
  CallBuffers* buffers_;
  std::optional<HeapBlock> output_;  // none if it is the program's own
  std::optional<HeapBlock> input_;   // none in place
};

}  // namespace detour::sim
