#include "core/communicator.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "core/rank_order.hpp"
#include "core/verdict_text.hpp"
#include "core/waiting.hpp"
#include "log.hpp"
#include "mpi/process_failed.hpp"

namespace detour {
namespace {

Outcome<Placement> place(const Binding& binding, const Settings& settings) {
  std::vector<RankLocation> locations;
  for (const MemberCard& card : binding.cards) locations.push_back(card.location);
  return place_ranks(locations, settings);
}

// So that a rank's messages to all others, some each way at a time, take no more than half of the smallest
// heap. The same on all ranks, because all know all heaps.
std::uint64_t chunk_bytes_max(const Binding& binding) {
  constexpr std::uint64_t messages_per_rank = 8;
  std::uint64_t heap_bytes = std::numeric_limits<std::uint64_t>::max();
  if (binding.shares_memory()) {
    for (const MemberCard& card : binding.cards) heap_bytes = std::min(heap_bytes, card.heap.bytes);
  }
  return heap_bytes / 2 / messages_per_rank / static_cast<std::uint64_t>(binding.size);
}

}  // namespace

Outcome<std::shared_ptr<Communicator>> Communicator::create(MPI_Comm comm, Process& process) {
  using Result = std::shared_ptr<Communicator>;
  int size = 0;
  PMPI_Comm_size(comm, &size);
  auto binding = bind(comm, process, Connections::block_for(static_cast<std::size_t>(size)));
  if (!binding.ok()) return binding.without_value<Result>();
  const bool wants_memory = process.settings().transport == TransportChoice::shm;
  if (wants_memory && size > 1 && !binding.value().shares_memory()) {
    return Failure{
        "DETOUR_TRANSPORT=shm, but the ranks can't share memory; DETOUR_LOG=info tells why"};
  }
  auto placement = place(binding.value(), process.settings());
  if (!placement.ok()) return placement.without_value<Result>();
  return std::make_shared<Communicator>(comm, process, std::move(binding).value(),
                                        std::move(placement).value());
}

Communicator::Communicator(MPI_Comm comm, Process& process, Binding binding, Placement placement)
    : comm_(comm),
      process_(process),
      connections_(comm, std::move(binding)),
      driver_(connections_.ways(), connections_.bell(),
              waiter_for(connections_.binding().node_rank_count())),
      last_result_{MemberSet::all(static_cast<std::size_t>(size()))} {
  book_.emplace(rank(), std::move(placement), process.settings(), process.table(),
                chunk_bytes_max(connections_.binding()));
  if (connections_.ways().board != nullptr) {
    direct_.emplace(*connections_.ways().board, *connections_.decisions(), Connections::layout(),
                    waiter_for(connections_.binding().node_rank_count()));
  }
  connections_.set_make_room([this] { return reclaim_memory(*this); });
  connections_.set_has_lost_members([this] { return has_lost_members(); });
  add_memory_holder(*this);
  Deaths::instance().add_observer(*this);
}

Communicator::~Communicator() {
  Deaths::instance().remove_observer(*this);
  remove_memory_holder(*this);
}

int Communicator::run(const Call& call) {
  const std::lock_guard lock(mutex_);
  drain_locked();
  const int error = carry_out(call);
  account(call, error);
  return error;
}

int Communicator::carry_out(const Call& call) {
  if (size() == 1) {
    if (call.moves_data() && call.output != call.input) {
      std::memcpy(call.output, call.input, call.header.bytes);
    }
    return call.header.error;
  }
  if (goes_direct(call)) return run_direct(call);
  if (call.is_commutative || !call.moves_data()) return run_routed(call);
  return run_in_rank_order(call);
}

// Ranks that share memory sum straight from each other's, in rank order, unless the table or a setting wants
// another policy. What depends on that order is always done so, if an element fits in.
bool Communicator::goes_direct(const Call& call) {
  if (!direct_) return false;
  if (call.moves_data() && !direct_->holds_elements_of(call.combiner->element_bytes())) {
    return false;
  }
  if (!call.is_commutative || call.header.kind == CallKind::barrier) return true;
  if (has_lost_members()) return true;
  return call.header.kind == CallKind::allreduce &&
         book_->prefers_direct(call.header.kind, call.header.bytes);
}

int Communicator::run_direct(const Call& call) {
  CallHeader header = call.header;
  header.settings = settings_hash_;
  // Whoever gets only a part of the result forms all of it aside.
  std::unique_ptr<std::byte[]> aside;
  if (call.moves_data() && !call.gets_everything()) {
    aside.reset(new (std::nothrow) std::byte[header.bytes]);
    if (!aside) header.error = MPI_ERR_NO_MEM;
  }
  if (call.moves_data() && direct_->needs_pipeline(header.bytes)) {
    if (!ensure_pipeline()) header.error = MPI_ERR_NO_MEM;
    offer_room_for_results(call);
  }
  // Without some of its members only sums and barriers go on, so far.
  if (has_lost_members() && header.kind != CallKind::allreduce &&
      header.kind != CallKind::barrier && header.error == MPI_SUCCESS) {
    header.error = process_failed_class();
  }
  const CallResult result = header.error == MPI_SUCCESS && header.bytes > 0
                                ? direct_->allreduce(header, *call.combiner, call.input,
                                                     aside ? aside.get() : call.output)
                                : direct_->meet(header);
  retired_results_ = {};  // all have entered: nobody reads them any more
  if (result != CallResult::done) return explain_direct(result);
  last_result_ = {direct_->contributors(), direct_->attempt_count(), direct_->epoch()};
  if (aside && call.output_bytes > 0) {
    std::memcpy(call.output, aside.get() + call.output_first_byte, call.output_bytes);
  }
  return MPI_SUCCESS;
}

int Communicator::explain_direct(CallResult result) {
  if (result == CallResult::mismatch) return explain(direct_->verdict());
  log(LogLevel::error, "the other ranks have taken this one for dead and gone on without it");
  return process_failed_class();
}

// So that nobody whose output is its input has to make a copy of it. Not having it does no harm.
void Communicator::offer_room_for_results(const Call& call) {
  const std::size_t bytes = direct_->kept_bytes(*call.combiner, call.header.bytes);
  if (results_bytes_ >= bytes || !direct_->results_are_wanted(call.input == call.output)) return;
  // The old room may still be read by those who have not entered this call.
  HeapPart larger = allocate_part(connections_.binding().heap, bytes);
  if (!larger) return;
  retired_results_ = std::exchange(results_, std::move(larger));
  results_bytes_ = bytes;
  direct_->set_results(results_.offset(), bytes);
}

bool Communicator::ensure_pipeline() {
  if (!pipeline_) {
    const auto& heap = connections_.binding().heap;
    const std::size_t bytes = Connections::layout().pipeline_bytes();
    pipeline_ = allocate_part(heap, bytes);
    if (!pipeline_ && reclaim_memory(*this)) pipeline_ = allocate_part(heap, bytes);
    if (!pipeline_)
      log(LogLevel::error, "no room for {} bytes in shared memory: see DETOUR_MEMORY_BYTES", bytes);
    if (pipeline_) direct_->set_pipeline(pipeline_.offset());
  }
  return static_cast<bool>(pipeline_);
}

void Communicator::on_death(PeerId process) {
  if (!connections_.bury(process)) return;
  has_lost_members_.store(true, std::memory_order_release);
  if (Counter* const own_bell = bell()) own_bell->add_one();
}

bool Communicator::give_back_memory() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !queue_.empty()) return false;
  bool any = false;
  if (pipeline_ && direct_->is_idle()) {
    pipeline_ = {};
    results_ = {};
    results_bytes_ = 0;
    direct_->set_results(0, 0);
    any = true;
  }
  if (ShmLinks* const links = connections_.ways().links) {
    links->give_back();
    any = true;
  }
  return any;
}

int Communicator::run_routed(const Call& call) {
  Call entered = call;
  RoutedOperation operation(means_for(entered), entered);
  driver_.complete(operation);
  return operation.error();
}

// First a call that moves nothing: its header says what is going to be done.
int Communicator::run_in_rank_order(const Call& call) {
  RankOrderReduction reduction(call, static_cast<std::size_t>(rank()),
                               static_cast<std::size_t>(size()));
  Call agreed;
  agreed.header = call.header;
  if (!reduction.has_memory()) agreed.header.error = MPI_ERR_NO_MEM;
  agreed.header.shape ^= call.header.bytes;
  agreed.header.bytes = 0;
  if (const int error = run_routed(agreed); error != MPI_SUCCESS) return error;
  return reduction.run([this](const Call& part) { return run_routed(part); });
}

// The same on all ranks, also if some of them have gone another way in a call that failed: where there is a
// board, all calls are entered there; otherwise all are routed.
std::uint64_t Communicator::next_number() {
  const CallBoard* const board = connections_.ways().board;
  return board != nullptr ? board->call_number() : routed_count_++;
}

// Where there is no route, the call gets an error: so the others learn of it.
RoutedOperation::Means Communicator::means_for(Call& call) {
  RoutedOperation::Means means{connections_.ways(), {}, {}, next_number()};
  call.header.settings = settings_hash_;
  if (means.ways.board == nullptr) {
    means.agreement = book_->small_route(sizeof(CallVerdict)).value();
  }
  if (!call.moves_data()) return means;
  auto route = book_->route(call);
  if (route.ok()) {
    means.payload = std::move(route).value();
  } else {
    log(LogLevel::error, route.reason());
    call.header.error = MPI_ERR_OTHER;
  }
  return means;
}

void Communicator::enqueue(std::shared_ptr<QueuedCall> queued) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(queued));
  }
  advance_queue();
}

bool Communicator::advance_queue() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() ? advance_queue_locked() : true;
}

bool Communicator::advance_queue_locked() {
  while (!queue_.empty()) {
    if (!head_) {
      head_.emplace();
      head_->call = queue_.front()->call();
      if (size() > 1) begin_head();
    }
    if (head_->operation && head_->operation->step() != RoutedOperation::Progress::ended) {
      return true;
    }
    const int error = head_->operation ? head_->operation->error() : carry_out(head_->call);
    account(head_->call, error);
    head_.reset();
    const auto ended = std::move(queue_.front());
    queue_.pop_front();
    ended->end(error);
  }
  return false;
}

// Memory for the route may be short. The others are told so: that takes as good as none.
void Communicator::begin_head() {
  try {
    head_->operation.emplace(means_for(head_->call), head_->call);
  } catch (const std::bad_alloc&) {
    head_->call.header.error = MPI_ERR_NO_MEM;
    head_->operation.emplace(means_for(head_->call), head_->call);
  }
}

void Communicator::close() {
  const std::lock_guard lock(mutex_);
  drain_locked();
  is_freed_ = true;
}

void Communicator::drain_locked() {
  for (std::uint32_t idle_count = 1;; ++idle_count) {
    const std::uint64_t bell_value = driver_.bell_value();
    if (!advance_queue_locked()) return;
    driver_.rest(*head_->operation, bell_value, idle_count);
  }
}

Outcome<bool> Communicator::set(std::string_view name, std::string_view value) {
  const std::lock_guard lock(mutex_);
  auto settings = with_setting(book_->settings(), name, value, process_.settings());
  if (!settings.ok()) return settings.without_value<bool>();
  if (const auto& policy = settings.value().policy) {
    if (auto problem = unknown_policy(*policy)) return Failure{*std::move(problem)};
  }
  auto placement = place(connections_.binding(), settings.value());
  if (!placement.ok()) return placement.without_value<bool>();
  drain_locked();
  settings_hash_ = static_cast<std::uint32_t>(fingerprint(settings.value()));
  book_.emplace(rank(), std::move(placement).value(), std::move(settings).value(), process_.table(),
                chunk_bytes_max(connections_.binding()));
  return true;
}

void Communicator::account(const Call& call, int error) {
  const std::lock_guard lock(statistics_mutex_);
  ++statistics_.operation_count;
  if (error == MPI_SUCCESS) {
    statistics_.payload_bytes += call.header.bytes;
  } else {
    ++statistics_.error_count;
  }
}

CommunicatorStatistics Communicator::statistics() {
  const std::lock_guard lock(statistics_mutex_);
  return statistics_;
}

}  // namespace detour
