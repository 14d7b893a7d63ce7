#include "core/communicator.hpp"

#include <cstring>
#include <utility>

#include "core/verdict_text.hpp"
#include "core/waiting.hpp"
#include "log.hpp"

namespace detour {
namespace {

constexpr MemberBlockLayout block_layout{.small_bytes = 4096,
                                         .piece_bytes = std::size_t{256} << 10};

}  // namespace

Outcome<std::shared_ptr<Communicator>> Communicator::create(MPI_Comm comm, Process& process) {
  const BlockRequest block{block_layout.block_bytes(), [](std::byte* heap, std::size_t offset) {
                             MemberBlock(heap, offset, block_layout).create();
                           }};
  auto binding = bind(comm, process, block);
  if (!binding.ok()) return binding.without_value<std::shared_ptr<Communicator>>();
  return std::make_shared<Communicator>(comm, process, std::move(binding).value());
}

Communicator::Communicator(MPI_Comm comm, Process& process, Binding binding)
    : comm_(comm), process_(process), binding_(std::move(binding)) {
  if (size() == 1 || !binding_.shares_memory() || !binding_.is_one_node()) return;
  std::vector<MemberBlock> blocks;
  for (int member = 0; member < size(); ++member) {
    blocks.emplace_back(binding_.heap_base(member), binding_.card(member).block_offset,
                        block_layout);
  }
  board_.emplace(static_cast<std::size_t>(rank()), std::move(blocks));
  direct_.emplace(*board_, block_layout, waiter_for(binding_.node_rank_count()));
}

int Communicator::run(const Call& call) {
  const std::lock_guard lock(mutex_);
  const int error = size() == 1 ? run_alone(call) : run_direct(call);
  account(call, error);
  return error;
}

int Communicator::run_alone(const Call& call) {
  if (call.header.error == MPI_SUCCESS && call.output != call.input && call.header.bytes > 0) {
    std::memcpy(call.output, call.input, call.header.bytes);
  }
  return call.header.error;
}

int Communicator::run_direct(const Call& call) {
  CallHeader header = call.header;
  const bool needs_pipeline = header.error == MPI_SUCCESS && direct_->needs_pipeline(header.bytes);
  if (needs_pipeline && !ensure_pipeline()) header.error = MPI_ERR_NO_MEM;
  const bool moves_data = header.error == MPI_SUCCESS && header.kind != CallKind::barrier;
  const CallResult result =
      moves_data ? direct_->allreduce(header, *call.combiner, call.input, call.output)
                 : direct_->meet(header);
  if (result == CallResult::done) return MPI_SUCCESS;
  return explain(direct_->verdict());
}

bool Communicator::ensure_pipeline() {
  if (!pipeline_) {
    pipeline_ = allocate_part(binding_.heap, block_layout.pipeline_bytes());
    if (pipeline_) direct_->set_pipeline(pipeline_.offset());
  }
  return static_cast<bool>(pipeline_);
}

void Communicator::account(const Call& call, int error) {
  ++statistics_.operation_count;
  if (error == MPI_SUCCESS) {
    statistics_.payload_bytes += call.header.bytes;
  } else {
    ++statistics_.error_count;
  }
}

CommunicatorStatistics Communicator::statistics() {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void Communicator::count_passed_on() {
  const std::lock_guard lock(mutex_);
  ++statistics_.passed_on_count;
}

}  // namespace detour
