#include "shim/fallible/doom.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <vector>

#include "core/dead_ranks.hpp"
#include "core/waiting.hpp"
#include "shim/fallible/matched_source.hpp"

namespace detour::shim {
namespace {

using Kind = FallibleRequest::Kind;
using Listed = RequestBook::Listed;

// What a process had sent when it died lies in memory (or in sockets), behind what others sent before, and there it
// ends. Open MPI takes up to 31 messages from there whenever it works, and at least one; a sender has at most 512
// under way. So this is enough for 60 senders who all have as many, and with nothing there it takes a fraction
// of a millisecond, or some with more ranks than cores.
constexpr int work_count = 1000;

void let_mpi_work() {
  for (int count = 0; count < work_count; ++count) make_mpi_progress();
}

// The kernel ends a process in milliseconds, with much memory in a tenth of a second. One that takes longer than
// this is stuck in the kernel, where it sends nothing.
constexpr std::chrono::seconds quiet_time_max{2};

void wait_until_dead_are_quiet() {
  const auto deadline = std::chrono::steady_clock::now() + quiet_time_max;
  while (!dead_are_quiet() && std::chrono::steady_clock::now() < deadline) {
    make_mpi_progress();
    sched_yield();
  }
  let_mpi_work();
}

int peer_count_of(MPI_Comm comm) {
  int is_between_groups = 0;
  int count = 0;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  if (is_between_groups != 0) {
    PMPI_Comm_remote_size(comm, &count);
    return count;
  }
  PMPI_Comm_size(comm, &count);
  return count - 1;
}

bool has_open_source(const FallibleRequest& request) {
  return request.kind == Kind::receive && request.peer == MPI_ANY_SOURCE;
}

std::optional<int> dead_matched_source(const Listed& listed) {
  const auto source = matched_source(listed.handle);
  return source && is_dead(listed.request.comm, *source) ? source : std::nullopt;
}

bool waits_for_the_dead(const FallibleRequest& request) {
  return request.kind == Kind::send ? is_dead(request.comm, request.peer)
                                    : source_is_dead(request.comm, request.peer);
}

// The program is told that it failed. MPI keeps what it can't end, and a persistent request has to stay.
void let_go(Listed& listed) {
  if (listed.request.is_persistent) {
    listed.request.is_stuck = true;
  } else {
    MPI_Request handle = listed.handle;
    PMPI_Request_free(&handle);
  }
}

// True if no message was found for it, or only a part of one.
bool give_up_receive(Listed& listed) {
  MPI_Request handle = listed.handle;
  MPI_Status status;
  int has_ended = 0;
  PMPI_Cancel(&handle);
  PMPI_Request_get_status(handle, &has_ended, &status);
  if (has_ended == 0) {
    wait_until_dead_are_quiet();
    PMPI_Request_get_status(handle, &has_ended, &status);
  }
  if (has_ended == 0) {
    let_go(listed);
    return true;
  }
  int is_cancelled = 0;
  PMPI_Test_cancelled(&status, &is_cancelled);
  if (is_cancelled != 0) PMPI_Wait(&handle, MPI_STATUS_IGNORE);
  return is_cancelled != 0;
}

}  // namespace

void take_in_last_messages() {
  static std::atomic<std::uint64_t> deaths_done{0};
  const std::uint64_t deaths = death_count();
  if (deaths_done.load(std::memory_order_relaxed) == deaths) return;
  let_mpi_work();
  deaths_done.store(deaths, std::memory_order_relaxed);
}

bool source_is_dead(MPI_Comm comm, int source) {
  if (source != MPI_ANY_SOURCE) return is_dead(comm, source);
  const int dead_count = static_cast<int>(dead_ranks(comm).size());
  return dead_count > 0 && dead_count == peer_count_of(comm);
}

int failure_code_of_source(MPI_Comm comm, int source) {
  if (source != MPI_ANY_SOURCE) return process_failed_code(source);
  return process_failed_code(dead_ranks(comm));
}

int failure_code(const Listed& listed) {
  const FallibleRequest& request = listed.request;
  if (has_open_source(request)) {
    if (const auto source = dead_matched_source(listed)) return process_failed_code(*source);
  }
  return failure_code_of_source(request.comm, request.peer);
}

void set_failed(MPI_Status* status, int code) {
  if (status == MPI_STATUS_IGNORE) return;
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = code;
}

bool has_ended(const Listed& listed) {
  if (listed.request.is_refused) return false;
  if (listed.request.is_stuck) return true;
  int flag = 0;
  PMPI_Request_get_status(listed.handle, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

// What the dead had sent is taken in after they are known to be dead, and before the last look.
bool is_doomed(Listed& listed) {
  if (!any_rank_is_dead()) return false;
  const FallibleRequest& request = listed.request;
  if (request.is_refused) return true;
  if (has_ended(listed)) return false;
  if (const std::uint64_t deaths = death_count(); listed.deaths_seen != deaths) {
    listed.deaths_seen = deaths;
    listed.waits_for_the_dead = waits_for_the_dead(request);
  }
  const bool is_lost = listed.waits_for_the_dead ||
                       (has_open_source(request) && dead_matched_source(listed).has_value());
  if (!is_lost) return false;
  take_in_last_messages();
  return !has_ended(listed);
}

bool give_up(Listed& listed) {
  if (listed.request.is_refused) return true;
  if (listed.request.kind == Kind::receive) return give_up_receive(listed);
  let_go(listed);
  return true;
}

}  // namespace detour::shim
