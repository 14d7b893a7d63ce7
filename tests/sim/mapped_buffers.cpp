#include "sim/mapped_buffers.hpp"

#include <algorithm>
#include <span>

namespace detour::sim {
namespace {

std::size_t bytes_of(const Elements& elements) {
  return elements.size() * sizeof(Element);
}

std::optional<HeapBlock> room_for(SimProcess& process, const Elements& elements) {
  return process.allocate(bytes_of(elements) + 1);
}

}  // namespace

std::optional<MappedBuffers> MappedBuffers::make(SimProcess& process, CallBuffers& buffers,
                                                 Call& call, What what) {
  const bool maps_output = buffers.is_in_place || what == What::all;
  std::optional<HeapBlock> output;
  if (maps_output) output = room_for(process, buffers.output);
  std::optional<HeapBlock> input;
  if (!buffers.is_in_place) input = room_for(process, buffers.input);
  if (output.has_value() != maps_output || input.has_value() == buffers.is_in_place) {
    if (output) process.arena().free(output->offset);
    if (input) process.arena().free(input->offset);
    return std::nullopt;
  }
  MappedBuffers mapped(process, buffers, output, input);
  if (output) call.output = mapped.move_in(buffers.output, *output);
  call.input = input ? mapped.move_in(buffers.input, *input) : call.output;
  return mapped;
}

void MappedBuffers::release() {
  if (output_) move_out(*output_, buffers_->output);
  if (input_) move_out(*input_, buffers_->input);
}

std::byte* MappedBuffers::move_in(const Elements& elements, const HeapBlock& block) {
  std::byte* const place = process_->heap().data() + block.offset;
  std::ranges::copy(std::as_bytes(std::span(elements)), place);
  return place;
}

void MappedBuffers::move_out(const HeapBlock& block, Elements& elements) {
  constexpr std::byte something_else{0x5a};
  const auto place = process_->heap().subspan(block.offset, bytes_of(elements));
  std::ranges::copy(place, std::as_writable_bytes(std::span(elements)).begin());
  std::ranges::fill(place, something_else);
  process_->arena().free(block.offset);
}

}  // namespace detour::sim
