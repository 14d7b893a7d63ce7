#include "bench/recovery/recovery_rank.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "detour/detour.h"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

constexpr int warm_up_count = 3;
constexpr int fault_free_count = 11;
// A death that is not noticed for so long will not be any more.
constexpr std::int64_t patience_ns = 60'000'000'000;
constexpr std::int64_t compute_ns_min = 20'000'000;
constexpr std::int64_t compute_ns_max = 200'000'000;
// Of elements that are looked at in results that matter less.
constexpr std::size_t sampling_stride = 65'521;

// A thread, so that it hits the victim whatever this rank is doing. Notes the time just before the signal is sent.
class Killer {
 public:
  Killer(std::int64_t process_id, std::int64_t delay_ns)
      : thread_([this, process_id, delay_ns] {
          std::this_thread::sleep_for(std::chrono::nanoseconds(delay_ns));
          kill_ns_.store(monotonic_ns(), std::memory_order_release);
          ::kill(static_cast<pid_t>(process_id), SIGKILL);
        }) {}
  ~Killer() { thread_.join(); }
  Killer(const Killer&) = delete;
  Killer& operator=(const Killer&) = delete;

  // Zero before that.
  std::int64_t kill_ns() const { return kill_ns_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::int64_t> kill_ns_{0};
  std::thread thread_;
};

void compute_for(std::int64_t time_ns) {
  const std::int64_t end_ns = monotonic_ns() + time_ns;
  while (monotonic_ns() < end_ns) {
  }
}

Detour_Recovery last_recovery(MPI_Comm comm) {
  Detour_Recovery recovery;
  check_mpi(Detour_Last_recovery(comm, &recovery), "asking for times");
  return recovery;
}

// Where a list of maxima has them: the largest, and the smallest with its sign turned.
void add_both(std::vector<std::int64_t>& values, std::uint64_t own_ns) {
  values.push_back(-static_cast<std::int64_t>(own_ns));
  values.push_back(static_cast<std::int64_t>(own_ns));
}

FirstAndLast first_and_last(const std::vector<std::int64_t>& maxima, std::size_t at) {
  return {-maxima[at], maxima[at + 1]};
}

}  // namespace

RecoveryRank::RecoveryRank(const RecoveryOptions& options, LosingJob& job)
    : options_(options),
      job_(job),
      random_(options.seed),
      input_(options.bytes / sizeof(float), std::ldexp(1.0F, job.rank())),
      output_(input_.size()) {
  const int kill_count = options.kill_count * (options.busy == Busy::half ? 2 : 1);
  if (kill_count >= job.rank_count()) {
    throw BadInput("a job of " + std::to_string(job.rank_count()) + " ranks can't lose " +
                   std::to_string(kill_count) + ": more ranks, or fewer --kills");
  }
  std::vector<std::int64_t> own(static_cast<std::size_t>(job.rank_count()));
  own[static_cast<std::size_t>(job.rank())] = ::getpid();
  process_ids_ = job.maxima(own);
}

std::vector<KillTimes> RecoveryRank::run(const std::function<void(const KillTimes&)>& on_kill) {
  std::vector<KillTimes> kills;
  for (const bool half_computes : {false, true}) {
    if (options_.busy == (half_computes ? Busy::none : Busy::only)) continue;
    for (int count = 0; count < options_.kill_count; ++count) {
      const std::int64_t fault_free_ns = measure_fault_free_ns();
      kills.push_back(lose_one(draw_round(half_computes, fault_free_ns), fault_free_ns));
      on_kill(kills.back());
    }
  }
  return kills;
}

// The median, of the slowest rank each time.
std::int64_t RecoveryRank::measure_fault_free_ns() {
  for (int count = 0; count < warm_up_count; ++count) {
    prepare_buffers();
    sum_up();
  }
  std::vector<std::int64_t> own_ns;
  for (int count = 0; count < fault_free_count; ++count) {
    prepare_buffers();
    job_.meet();
    const std::int64_t start_ns = monotonic_ns();
    sum_up();
    own_ns.push_back(monotonic_ns() - start_ns);
    check_result(sampling_stride);
  }
  std::vector<std::int64_t> slowest_ns = job_.maxima(own_ns);
  const auto middle = slowest_ns.begin() + fault_free_count / 2;
  std::nth_element(slowest_ns.begin(), middle, slowest_ns.end());
  return *middle;
}

// The kill falls anywhere into the operations, or while some of the survivors are still computing.
RecoveryRank::Round RecoveryRank::draw_round(bool half_computes, std::int64_t fault_free_ns) {
  const std::vector<int>& live = job_.live_ranks();
  const std::size_t at = random_() % live.size();
  Round round{.victim = live[at],
              .killer = live[(at + 1) % live.size()],
              .half_computes = half_computes,
              .kill_delay_ns = 0,
              .compute_ns = std::clamp(4 * fault_free_ns, compute_ns_min, compute_ns_max)};
  const std::int64_t kill_ns_max = half_computes ? round.compute_ns / 2 : 2 * fault_free_ns;
  round.kill_delay_ns = static_cast<std::int64_t>(
      random_() % static_cast<std::uint64_t>(std::max<std::int64_t>(kill_ns_max, 1)));
  return round;
}

KillTimes RecoveryRank::lose_one(const Round& round, std::int64_t fault_free_ns) {
  KillTimes times{.rank_count = static_cast<int>(job_.live_ranks().size()),
                  .victim = round.victim,
                  .half_computes = round.half_computes,
                  .fault_free_us = static_cast<double>(fault_free_ns) / 1e3};
  job_.meet();
  std::optional<Killer> killer;
  if (job_.rank() == round.killer) {
    killer.emplace(process_ids_[static_cast<std::size_t>(round.victim)], round.kill_delay_ns);
  }
  const std::int64_t entered_ns = sum_up_until_recovered(round);
  check_result(1);

  const Detour_Recovery own = last_recovery(job_.measured());
  std::vector<std::int64_t> values;
  for (const std::uint64_t ns : {own.noticed_ns, own.agreed_ns, own.begun_ns, own.completed_ns}) {
    add_both(values, ns);
  }
  values.insert(values.end(),
                {entered_ns, killer ? killer->kill_ns() : 0, own.broken_ns != 0 ? 1 : 0});
  const auto maxima = job_.maxima(values);
  times.noticed = first_and_last(maxima, 0);
  times.agreed = first_and_last(maxima, 2);
  times.begun = first_and_last(maxima, 4);
  times.completed = first_and_last(maxima, 6);
  times.entered_ns = maxima[8];
  times.kill_ns = maxima[9];
  times.broke_attempt = maxima[10] != 0;
  return times;
}

// Every other one of the survivors.
bool RecoveryRank::computes_in(const Round& round) const {
  if (!round.half_computes || job_.rank() == round.victim) return false;
  const auto& live = job_.live_ranks();
  const auto before = std::ranges::count_if(
      live, [&](int rank) { return rank < job_.rank() && rank != round.victim; });
  return before % 2 == 0;
}

// Gives when this rank entered the operation that did without the victim. All survivors find the same one: they
// agree on who is in it.
std::int64_t RecoveryRank::sum_up_until_recovered(const Round& round) {
  const std::uint64_t count_before = last_recovery(job_.measured()).count;
  const std::int64_t start_ns = monotonic_ns();
  if (computes_in(round)) compute_for(round.compute_ns);
  while (true) {
    prepare_buffers();
    const std::int64_t entered_ns = monotonic_ns();
    sum_up();
    if (last_recovery(job_.measured()).count != count_before) return entered_ns;
    check_result(sampling_stride);
    if (entered_ns - start_ns > patience_ns) {
      throw std::runtime_error("rank " + std::to_string(round.victim) +
                               " was killed, but operations go on as if it was there");
    }
  }
}

void RecoveryRank::prepare_buffers() {
  if (options_.in_place) std::ranges::copy(input_, output_.begin());
}

void RecoveryRank::sum_up() {
  const void* const from = options_.in_place ? MPI_IN_PLACE : input_.data();
  check_mpi(Detour_Allreduce(from, output_.data(), static_cast<int>(output_.size()), MPI_FLOAT,
                             MPI_SUM, job_.measured()),
            "allreduce");
}

void RecoveryRank::check_result(std::size_t stride) const {
  float expected = 0;
  for (const int rank : last_contributors(job_.measured())) expected += std::ldexp(1.0F, rank);
  for (std::size_t at = 0; at < output_.size(); at += stride) {
    if (output_[at] == expected) continue;
    throw std::runtime_error("wrong result on rank " + std::to_string(job_.rank()) + ", element " +
                             std::to_string(at) + ": got " + std::to_string(output_[at]) +
                             ", expected " + std::to_string(expected));
  }
}

}  // namespace detour::tool
