// What the library knows of one of the program's communicators, and how calls on it are carried out.
//
// One call at a time. MPI forbids several threads to be in blocking collectives of one communicator at
// once; nonblocking calls wait in a queue for their turn, and a blocking one for the end of that queue.
// That never makes a correct program hang: whoever calls an operation has called all those before it,
// and the helper thread gets those done.
//
// mutex_ guards all that a call changes. It is held by whoever carries out a call, for as long as
// that takes; the helper thread only tries to get it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "collectives/call.hpp"
#include "core/call_account.hpp"
#include "core/connections.hpp"
#include "core/deaths.hpp"
#include "core/driver.hpp"
#include "core/far_and_near_links.hpp"
#include "core/heap_slots.hpp"
#include "core/idle_memory.hpp"
#include "core/mpi_errors.hpp"
#include "core/room_maker.hpp"
#include "failure/activity.hpp"
#include "operation_result.hpp"
#include "operations/engine.hpp"

namespace detour {

// A nonblocking call in a communicator's queue.
class QueuedCall {
 public:
  virtual ~QueuedCall() = default;
  virtual const Call& call() const = 0;
  // Once, by whoever has carried it out, in any thread. The result is that of this call only if there is no error.
  virtual void end(int error, const OperationResult& result) = 0;
};

class Communicator : public MemoryHolder, public DeathObserver {
 public:
  // Collective over a communicator of one group, whose members have been bound. Fails on all ranks alike.
  static Outcome<std::shared_ptr<Communicator>> create(MPI_Comm comm, Process& process,
                                                       Binding binding);

  Communicator(MPI_Comm comm, Process& process, Binding binding, Placement placement);
  ~Communicator() override;

  // Where errors go: that of the program, or the world's once the program has freed it.
  MPI_Comm comm() const { return is_freed_ ? MPI_COMM_WORLD : comm_; }
  int rank() const { return connections_.binding().rank; }
  int size() const { return connections_.binding().size; }
  Process& process() const { return process_; }

  // Does the call, or fails like everybody else: MPI_SUCCESS, or an error class.
  [[gnu::hot]] int run(const Call& call);

  // The short way of an allreduce on little data, among several ranks, that has no error: nothing if it can't be taken now,
  // and otherwise as run(). Settings in the header are filled in.
  [[gnu::hot]] std::optional<int> run_shortly(ShortSum sum);

  void enqueue(std::shared_ptr<QueuedCall> queued);
  // Does what can be done of the calls in the queue, unless somebody else is at it. True if any are left:
  // then there may be more to do when the bell rings or, if reaches_far() or awaits_room(), after a while.
  bool advance_queue();
  Counter* bell() const { return connections_.bell(); }
  bool reaches_far() const { return connections_.ways().far != nullptr; }
  // Whether the call at the head of the queue has yet to get memory, which rings no bell.
  bool awaits_room() const { return room_.comes_later(); }
  // Whether operations get on while no rank calls the library. The same on all ranks.
  bool advances_by_itself() const {
    return !reaches_far() || connections_.binding().threads_may_call_mpi();
  }
  // This rank can't do a call that the others may be waiting for: from now on they do without it. Any thread.
  void withdraw() { engine_->withdraw(); }
  // The program frees it: ends all that is under way, and lets go of the other members' memory. To be called before they
  // learn that this rank has come here. No calls come after it.
  void close();
  // After that, once they have all closed it, too.
  void mark_forgotten() { connections_.mark_forgotten(); }
  // Gets everything done that is in the queue.
  void drain();

  // Collective. Fails, in words, for a setting that makes no sense; nothing has changed then.
  Outcome<bool> set(std::string_view name, std::string_view value);

  Reclaimed give_back_memory() override;
  void on_death(PeerId process) override;
  bool has_lost_members() const { return loss_count_.load(std::memory_order_acquire) > 0; }

  // A thread of the program advances the queue again and again until it leaves; true if it is the last one to do so.
  // Whoever sees that it is attended leaves it alone. Whoever leaves has to see to it that somebody goes on.
  void attend() { attendant_count_.fetch_add(1, std::memory_order_seq_cst); }
  bool leave() { return attendant_count_.fetch_sub(1, std::memory_order_seq_cst) == 1; }
  bool is_attended() const { return attendant_count_.load(std::memory_order_seq_cst) > 0; }
  // Changes whenever an operation of the queue gets on. Any thread.
  std::uint64_t progress_count() const { return progress_count_.load(std::memory_order_relaxed); }

  CommunicatorStatistics statistics() const { return account_.statistics(); }

  // Of the call that was run last; for who ran it, until the next call.
  const OperationResult& result() const { return result_; }
  // Of the last call that has ended well. Any thread, also while calls are under way.
  OperationResult last_result() const { return account_.last_result(); }
  // Any thread. All zero while no operation had to get over a loss.
  RecoveryTimes last_recovery() { return view_ ? view_->recovery().last() : RecoveryTimes{}; }

 private:
  class MemoryReturn;

  Engine::Means engine_means();
  RouteBook make_book(Placement placement, const Settings& settings) const;
  Reclaimed give_back_idle();
  std::vector<std::size_t> readers_to_wait_for(const std::vector<Rank>& of_links) const;
  [[gnu::hot]] int carry_out(const Call& call);
  int go_on_at_length(const ShortSum& sum);
  template <class Body>
  int withdrawing_if_it_throws(Body body);
  int carry_out_alone(const Call& call) const;
  [[gnu::hot]] int run_operation(Call call);
  int run_in_rank_order(const Call& call);
  [[gnu::hot]] Operation& begin(Call& call);
  [[gnu::hot]] int finish(const Call& call, const Operation& operation);
  bool advance_queue_locked();
  std::optional<int> advance_head();
  void end_head(const Call& call, int error);
  void drain_locked();
  [[gnu::hot]] void account(const Call& call, int error);

  const MPI_Comm comm_;
  std::atomic<bool> is_freed_{false};
  Process& process_;
  Connections connections_;
  Activity activity_;
  std::atomic<std::uint64_t> loss_count_{0};  // raised by the detector's thread
  const Driver driver_;

  std::mutex mutex_;
  const MpiErrors errors_;
  const Bells bells_;
  FarAndNearLinkSource links_;
  RoomMaker room_;
  std::optional<View> view_;  // these two only where all ranks share memory
  std::optional<HeapSlots> slots_;
  std::optional<Engine> engine_;
  OperationResult result_;  // of the last call that was carried out well
  std::deque<std::shared_ptr<QueuedCall>> queue_;
  // The operation at the head of the queue while it is under way, and its call.
  Operation* head_ = nullptr;
  Call head_call_;
  std::uint32_t settings_hash_ = 0;  // of settings for this communicator alone
  std::atomic<std::uint32_t> attendant_count_{0};
  std::atomic<std::uint64_t> progress_count_{0};  // written with the mutex held
  CallAccount account_;
};

}  // namespace detour
