#include "core/communicator.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "collectives/scaling.hpp"
#include "core/rank_order.hpp"
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

Outcome<std::shared_ptr<Communicator>> Communicator::create(MPI_Comm comm, Process& process,
                                                            Binding binding) {
  using Result = std::shared_ptr<Communicator>;
  const bool wants_memory = process.settings().transport == TransportChoice::shm;
  if (wants_memory && binding.size > 1 && !binding.shares_memory()) {
    return Failure{
        "DETOUR_TRANSPORT=shm, but the ranks can't share memory; DETOUR_LOG=info tells why"};
  }
  auto placement = place(binding, process.settings());
  if (!placement.ok()) return placement.without_value<Result>();
  return std::make_shared<Communicator>(comm, process, std::move(binding),
                                        std::move(placement).value());
}

Communicator::Communicator(MPI_Comm comm, Process& process, Binding binding, Placement placement)
    : comm_(comm),
      process_(process),
      connections_(comm, std::move(binding)),
      activity_(connections_.binding().companions()),
      driver_(connections_.ways(), connections_.bell(), connections_.binding().node_rank_count(),
              activity_, loss_count_),
      bells_(connections_.ways().bells),
      links_(connections_.ways()),
      room_(*this, [this] { return give_back_idle(); }),
      result_{MemberSet::all(static_cast<std::size_t>(size()))},
      account_(result_) {
  // Made now, in a thread of the program's: an operation that needs it may end in the helper thread, which calls no
  // MPI, and on some ranks only, where its number would then be another one.
  process_failed_class();
  if (CallBoard* const board = connections_.ways().board) {
    view_.emplace(*board, *connections_.decisions());
    slots_.emplace(connections_.binding().heap, room_);
  }
  engine_.emplace(static_cast<std::size_t>(size()), engine_means(),
                  make_book(std::move(placement), process.settings()));
  engine_->set_survival(process.settings().fault_tolerance);
  connections_.set_room_maker(room_);
  connections_.set_has_lost_members([this] { return has_lost_members(); });
  add_memory_holder(*this);
  try {
    Deaths::instance().add_observer(*this);
  } catch (...) {
    remove_memory_holder(*this);
    throw;
  }
}

Engine::Means Communicator::engine_means() {
  using Node = DirectOperation::Node;
  return {
      .view = view_ ? &*view_ : nullptr,
      .memory = slots_ ? &*slots_ : nullptr,
      .layout = Connections::layout(),
      .links = links_,
      .bells = bells_,
      .errors = errors_,
      .node = is_crowded(connections_.binding().node_rank_count()) ? Node::crowded : Node::roomy};
}

RouteBook Communicator::make_book(Placement placement, const Settings& settings) const {
  return {rank(), std::move(placement), settings, process_.table(),
          chunk_bytes_max(connections_.binding())};
}

Communicator::~Communicator() {
  Deaths::instance().remove_observer(*this);
  remove_memory_holder(*this);
}

int Communicator::run(const Call& call) {
  const std::lock_guard lock(mutex_);
  drain_locked();
  const Inside inside(activity_);
  const int error = errors_.with_names(carry_out(call));
  account(call, error);
  return error;
}

std::optional<int> Communicator::run_shortly(ShortSum sum) {
  const std::lock_guard lock(mutex_);
  // Who contributes is found out at length, by a call that ends well.
  if (!queue_.empty() || result_.epoch != engine_->change_count()) return std::nullopt;
  ShortSums* const sums = engine_->short_sums(sum.header.bytes);
  if (sums == nullptr) return std::nullopt;
  const Inside inside(activity_);
  sum.header.settings = settings_hash_;
  auto progress = sums->begin(sum);
  if (progress == ShortSums::Progress::not_begun) return std::nullopt;
  if (progress == ShortSums::Progress::under_way &&
      driver_.look_for_a_moment([&] { return sums->has_news(); }, sums->comers())) {
    progress = sums->go_on(sum);
  }
  if (progress == ShortSums::Progress::under_way) return go_on_at_length(sum);
  result_.attempt_count = 1;
  account_.add_success(sum.header.bytes, result_);
  return MPI_SUCCESS;
}

int Communicator::go_on_at_length(const ShortSum& sum) {
  Call call;
  call.header = sum.header;
  call.combiner = sum.combiner;
  call.input = sum.input;
  call.output = sum.output;
  call.output_bytes = sum.header.bytes;
  const int error = errors_.with_names(withdrawing_if_it_throws([&] {
    Operation& operation = engine_->take_over(call);
    driver_.complete(operation);
    return finish(call, operation);
  }));
  account(call, error);
  return error;
}

int Communicator::carry_out(const Call& call) {
  if (size() == 1) return carry_out_alone(call);
  return withdrawing_if_it_throws(
      [&] { return engine_->can_do(call) ? run_operation(call) : run_in_rank_order(call); });
}

template <class Body>
int Communicator::withdrawing_if_it_throws(Body body) {
  try {
    return body();
  } catch (...) {
    // Memory for example may be short, before the call is entered or halfway through. The others are not left waiting.
    withdraw();
    room_.stop_waiting();
    if (Operation* const left = engine_->abandon(errors_.no_memory())) driver_.complete(*left);
    throw;
  }
}

int Communicator::carry_out_alone(const Call& call) const {
  if (call.moves_data() && call.output != call.input) {
    std::memcpy(call.output, call.input, call.header.bytes);
  }
  return call.header.error;
}

int Communicator::run_operation(Call call) {
  Operation& operation = begin(call);
  driver_.complete(operation);
  return finish(call, operation);
}

Operation& Communicator::begin(Call& call) {
  call.header.settings = settings_hash_;
  return engine_->begin(call);
}

int Communicator::finish(const Call& call, const Operation& operation) {
  room_.stop_waiting();
  if (operation.error() != MPI_SUCCESS) return operation.error();
  result_.attempt_count = engine_->attempt_count();
  if (const std::uint64_t epoch = engine_->change_count(); result_.epoch != epoch) {
    result_.epoch = epoch;
    result_.contributors = engine_->contributors();
  }
  if (engine_->book().settings().rescaling == Rescaling::mean) {
    rescale_result(call, static_cast<std::size_t>(size()), result_.contributors.members().size());
  }
  return MPI_SUCCESS;
}

void Communicator::on_death(PeerId process) {
  if (!connections_.bury(process)) return;
  if (view_) view_->recovery().notice(process);
  loss_count_.fetch_add(1, std::memory_order_release);
  connections_.wake_sleepers();
  if (Counter* const own_bell = bell()) own_bell->add_one();
}

// A call that is under way needs what it has, and may need others to call something before it ends: that can't be waited
// for. But if there is none, whoever has the mutex, say the helper thread after the last one, is about to let go of it, or
// to begin one, which is seen when it is asked again.
Reclaimed Communicator::give_back_memory() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    return {.comes_later = !activity_.is_inside(), .readers = {}};
  }
  return queue_.empty() ? give_back_idle() : Reclaimed{};
}

Reclaimed Communicator::give_back_idle() {
  Reclaimed reclaimed;
  const auto wait_for = [&](const std::vector<std::size_t>& ranks) {
    reclaimed.comes_later |= !ranks.empty();
    for (const std::size_t rank : ranks) {
      reclaimed.readers.push_back(connections_.binding().card(static_cast<int>(rank)).process);
    }
  };
  if (slots_ && !slots_->are_empty()) {
    const auto readers = engine_->readers();
    if (readers.empty()) {
      slots_->give_back();
      reclaimed.any = true;
    }
    wait_for(readers);
  }
  if (ShmLinks* const links = connections_.ways().links) {
    const auto [any, readers] = links->give_back();
    reclaimed.any |= any;
    wait_for(readers_to_wait_for(readers));
  }
  return reclaimed;
}

// Not where operations get on only while the program calls them. And if a member was lost, only where operations get over
// that: else it has ended one in the middle, and what was sent then is never received.
std::vector<std::size_t> Communicator::readers_to_wait_for(
    const std::vector<Rank>& of_links) const {
  if (!advances_by_itself()) return {};
  const auto lost = [this](std::size_t rank) {
    return view_ && is_sealed(view_->board().members()[rank]);
  };
  std::vector<std::size_t> readers;
  bool is_whole = !has_lost_members();
  for (int rank = 0; rank < size(); ++rank) is_whole &= !lost(static_cast<std::size_t>(rank));
  if (!is_whole && !engine_->survives()) return {};
  for (const Rank rank : of_links) {
    const auto member = static_cast<std::size_t>(rank);
    if (!lost(member)) readers.push_back(member);
  }
  return readers;
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
  if (const int error = run_operation(agreed); error != MPI_SUCCESS) return error;
  return reduction.run([this](const Call& part) {
    const int error = run_operation(part);
    // What is gathered from some of the members only can't be combined as if it was from all.
    const bool is_whole = result_.contributors == MemberSet::all(static_cast<std::size_t>(size()));
    return error != MPI_SUCCESS || is_whole ? error : errors_.members_lost({});
  });
}

void Communicator::enqueue(std::shared_ptr<QueuedCall> queued) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(queued));
    activity_.begin();
  }
  advance_queue();
}

bool Communicator::advance_queue() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() ? advance_queue_locked() : true;
}

bool Communicator::advance_queue_locked() {
  activity_.moved();
  while (!queue_.empty()) {
    if (size() == 1) {
      const Call& call = queue_.front()->call();
      end_head(call, carry_out_alone(call));
      continue;
    }
    const std::optional<int> error = advance_head();
    if (!error) return true;
    head_ = nullptr;
    end_head(head_call_, *error);
  }
  return false;
}

// Its error once it has ended. The call is in head_call_ before the operation is begun, because that keeps a
// reference to it.
std::optional<int> Communicator::advance_head() {
  try {
    if (!head_) {
      head_call_ = queue_.front()->call();
      head_ = &begin(head_call_);
    }
    Operation::Progress progress = head_->step();
    while (progress == Operation::Progress::moved) {
      activity_.moved();
      progress_count_.fetch_add(1, std::memory_order_relaxed);
      progress = head_->step();
    }
    if (progress == Operation::Progress::stuck) return std::nullopt;
    return finish(head_call_, *head_);
  } catch (const std::bad_alloc&) {
    // In the helper thread, too, where nobody could catch it. The others are not left waiting.
    withdraw();
    room_.stop_waiting();
    head_ = engine_->abandon(errors_.no_memory());
    if (head_ != nullptr) return std::nullopt;
    return errors_.no_memory();
  }
}

void Communicator::end_head(const Call& call, int error) {
  account(call, error);
  const auto ended = std::move(queue_.front());
  queue_.pop_front();
  // Before the program learns of it, which may then want the memory elsewhere.
  if (queue_.empty()) activity_.end();
  ended->end(error, result_);
}

// Gives back all memory that others may still be reading, as soon as they have. Like an operation that waits for room.
class Communicator::MemoryReturn final : public Operation {
 public:
  explicit MemoryReturn(Communicator& owner) : owner_(owner) {}

  Progress step() override {
    Reclaimed reclaimed = owner_.give_back_idle();
    if (!reclaimed.comes_later || readers_may_stay()) return Progress::ended;
    owner_.room_.wait_for(std::move(reclaimed.readers));
    return Progress::stuck;
  }
  bool awaits_room() const override { return true; }
  WaitList waits_for() const override { return {}; }
  int error() const override { return MPI_SUCCESS; }

 private:
  // Whose calls have ended in the middle, so that they never read the rest: those of who has given this rank up, or has lost
  // another one and does not go on without it, as between nodes nobody does, where losses are not all known here.
  bool readers_may_stay() const {
    const bool is_given_up = owner_.view_ && owner_.view_->is_given_up();
    const bool lost_is_fatal = owner_.has_lost_members() && !owner_.engine_->survives();
    return is_given_up || lost_is_fatal || owner_.reaches_far();
  }

  Communicator& owner_;
};

// From here on this rank neither reads the other members' memory nor writes into it: as soon as they know that it has come
// here they use that for other things. The last ones who would are whoever in this process wants memory, which asks who
// still reads what this communicator has, and so has to be given all of it before; and the detector's thread, which wakes
// calls when a member dies, and is needed until then.
void Communicator::close() {
  {
    const std::lock_guard lock(mutex_);
    drain_locked();
    is_freed_ = true;
    MemoryReturn memory_return(*this);
    driver_.complete(memory_return);
    room_.stop_waiting();
  }
  remove_memory_holder(*this);
  Deaths::instance().remove_observer(*this);
}

void Communicator::drain() {
  const std::lock_guard lock(mutex_);
  drain_locked();
}

void Communicator::drain_locked() {
  if (queue_.empty()) return;
  for (std::uint32_t idle_count = 1;; ++idle_count) {
    const auto seen = driver_.look();
    if (!advance_queue_locked()) return;
    driver_.rest(*head_, seen, idle_count);
  }
}

Outcome<bool> Communicator::set(std::string_view name, std::string_view value) {
  const std::lock_guard lock(mutex_);
  auto settings = with_setting(engine_->book().settings(), name, value, process_.settings());
  if (!settings.ok()) return settings.without_value<bool>();
  if (const auto& policy = settings.value().policy) {
    if (auto problem = unknown_policy(*policy)) return Failure{*std::move(problem)};
  }
  auto placement = place(connections_.binding(), settings.value());
  if (!placement.ok()) return placement.without_value<bool>();
  drain_locked();
  settings_hash_ = static_cast<std::uint32_t>(fingerprint(settings.value()));
  engine_->set_book(make_book(std::move(placement).value(), settings.value()));
  engine_->set_survival(settings.value().fault_tolerance);
  return true;
}

void Communicator::account(const Call& call, int error) {
  if (error == MPI_SUCCESS) {
    account_.add_success(call.header.bytes, result_);
  } else {
    account_.add_error();
  }
}

}  // namespace detour
