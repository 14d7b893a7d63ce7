#include "core/process.hpp"

#include <mpi.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <random>
#include <utility>

#include "core/deaths.hpp"
#include "core/survival.hpp"
#include "log.hpp"
#include "mpi/running.hpp"
#include "policy_loader.hpp"
#include "shm/stale_heaps.hpp"

namespace detour {
namespace {

constexpr std::size_t least_heap_bytes = std::size_t{1} << 20;
// All of it is there from the start, for all communicators. With less, operations on several of them soon find
// none left: MPI's messages serve the program better.
constexpr std::size_t least_posix_bytes = std::size_t{6} << 20;

// Half of what is free in /dev/shm, shared evenly: MPI and other programs want some too.
std::size_t fair_share_of_shm_bytes(std::size_t sharer_count) {
  struct statvfs info = {};
  if (::statvfs("/dev/shm", &info) != 0) return 0;
  return std::size_t{info.f_bavail} * info.f_frsize / 2 / std::max<std::size_t>(sharer_count, 1);
}

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

// A process that has no rank yet, or has none any more, goes without.
void name_log() {
  if (!mpi_is_running()) return;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  set_log_rank(rank);
}

}  // namespace

Process::Process(Settings settings, SelectionTable table)
    : settings_(std::move(settings)), table_(std::move(table)), id_(random_number()) {
  set_log_level(settings_.log);
  name_log();
  if (settings_.transport == TransportChoice::mpi) shared_by_ = SharedBy::nothing;
  if (mpi_is_running()) tell_what_deaths_mean(settings_);
}

const Outcome<Process*>& Process::instance() {
  // Never destroyed: peers may read this process's memory, and its threads run, until the very end.
  static const Outcome<Process*> process = create();
  return process;
}

Outcome<Process*> Process::create() {
  auto settings = read_settings();
  if (!settings.ok()) return settings.without_value<Process*>();
  if (const auto& path = settings.value().policy_path) {
    const auto loaded = load_policies(*path);
    if (!loaded.ok()) return loaded.without_value<Process*>();
  }
  if (const auto& policy = settings.value().policy) {
    if (auto problem = unknown_policy(*policy)) return Failure{*std::move(problem)};
  }
  auto table = SelectionTable::load(settings.value());
  if (!table.ok()) return table.without_value<Process*>();
  return new Process(std::move(settings).value(), std::move(table).value());
}

SharedBy Process::shared_by() {
  const std::lock_guard lock(mutex_);
  return shared_by_;
}

void Process::set_shared_by(SharedBy way) {
  const std::lock_guard lock(mutex_);
  shared_by_ = way == SharedBy::new_posix ? SharedBy::posix : way;
}

Outcome<std::shared_ptr<OwnHeap>> Process::heap(SharedBy way, std::size_t sharer_count) {
  const std::lock_guard lock(mutex_);
  auto& known = way == SharedBy::memfd ? memfd_heap_ : posix_heap_;
  if (known && way != SharedBy::new_posix) return known;
  auto made = make_heap(way, sharer_count);
  if (!made.ok()) return made;
  known = made.value();
  if (settings_.fault_tolerance) Deaths::instance().add_own_heap(id_, known, settings_);
  return made;
}

Outcome<std::shared_ptr<OwnHeap>> Process::make_heap(SharedBy way, std::size_t sharer_count) {
  if (way == SharedBy::nothing) return Refusal{"shared memory is not in use"};
  if (way == SharedBy::memfd) return OwnHeap::create(memory_limit_bytes(), Backing::memfd);
  remove_stale_heaps();
  const std::size_t bytes = std::min(memory_limit_bytes(), fair_share_of_shm_bytes(sharer_count));
  if (memory_limit_bytes() < least_heap_bytes) {
    return Refusal{"DETOUR_MEMORY_BYTES leaves too little room"};
  }
  if (bytes < std::min(least_posix_bytes, memory_limit_bytes())) {
    return Refusal{"/dev/shm has too little room"};
  }
  return OwnHeap::create(bytes, Backing::posix);
}

std::shared_ptr<OwnHeap> Process::sparse_heap() {
  const std::lock_guard lock(mutex_);
  return shared_by_ == SharedBy::memfd ? memfd_heap_ : nullptr;
}

std::size_t Process::used_bytes() {
  const std::lock_guard lock(mutex_);
  return (memfd_heap_ ? memfd_heap_->used_bytes() : 0) +
         (posix_heap_ ? posix_heap_->used_bytes() : 0);
}

std::size_t Process::memory_limit_bytes() const {
  return settings_.memory_bytes;
}

}  // namespace detour
