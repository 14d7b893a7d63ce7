#include "core/communicators.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/deaths.hpp"
#include "core/helper_thread.hpp"
#include "core/mpi_exchange.hpp"
#include "core/unrecallable_call.hpp"
#include "core/waiting.hpp"
#include "guarded.hpp"
#include "launcher_channel.hpp"
#include "mpi/type_cache.hpp"
#include "near_thread_local.hpp"
#include "requests/request_table.hpp"
#include "shut_down.hpp"

namespace detour {
namespace {

// Guards what follows. Held for moments only, never while another rank is waited for.
std::mutex mutex;
int keyval = MPI_KEYVAL_INVALID;
int finalize_keyval = MPI_KEYVAL_INVALID;
bool is_shut_down = false;

// Raised whenever a communicator goes, after which its handle may stand for another one.
std::atomic<std::uint64_t> forgotten_count{0};

// What is kept with a communicator of MPI's.
struct Attribute {
  std::shared_ptr<Communicator> communicator;
  std::shared_ptr<Lineage> lineage;
  Attribute* next_kept = nullptr;
};

// The communicator that a thread asked for last: most programs use few.
struct LastFound {
  MPI_Comm comm = nullptr;  // constant, so that nobody has to ask whether it has been initialized
  std::uint64_t forgotten_count = 0;
  Communicator* communicator = nullptr;
};
DETOUR_NEAR_THREAD_LOCAL LastFound last_found;

// Without those who have died MPI_Finalize would wait for ever: Open MPI has a flag that makes it wait for
// nobody. Where it is not there, there is nothing to be done here.
void let_finalize_go_alone() {
  if (auto* const flag = static_cast<bool*>(dlsym(RTLD_DEFAULT, "ompi_async_mpi_finalize"))) {
    *flag = true;
  }
}

// Before MPI_Finalize all who live meet; then MPI need not wait for anybody, and nobody's death in it matters. Only
// under the launcher: elsewhere MPI ends all ranks when one dies, and its own ways are as good.
bool all_have_met() {
  const auto world = share_communicator(MPI_COMM_WORLD);
  if (!is_under_launcher() || !lineage_of(MPI_COMM_WORLD)) return false;
  const Call barrier;  // unless told otherwise, a call is one
  return guarded([&] { return world->run(barrier); }) == MPI_SUCCESS;
}

bool has_been_shut_down() {
  const std::lock_guard lock(mutex);
  return is_shut_down;
}

// Its memory is not given back: others may look at it. Takes no memory, because MPI_Finalize comes here, too.
void keep_for_ever(std::unique_ptr<Attribute> attribute) {
  static Attribute* first_kept = nullptr;
  const std::lock_guard lock(mutex);
  attribute->next_kept = std::exchange(first_kept, attribute.get());
  attribute.release();
}

// Whether all members have come here. False if one of them has died, or this one can't ask: then nobody can tell.
bool all_let_go(MPI_Comm comm, const Attribute& known) {
  if (known.communicator->size() == 1) return true;
  try {
    if (known.lineage) return known.lineage->all_let_go();
    const UnrecallableCall call("MPI_Comm_free", comm);
    return PMPI_Barrier(comm) == MPI_SUCCESS;
  } catch (...) {
    return false;
  }
}

// By MPI, when the communicator is freed: collectively, so that all members come here. Afterwards
// this rank's memory for it is used for something else, which must not happen while anybody still
// looks at it: hence the barrier. At the end of the program nobody needs the memory any more, and it is
// left as it is: not all ranks may have come as far.
int forget(MPI_Comm comm, int, void* value, void*) {
  // Whoever still used the communicator while it is freed would be wrong: so it does not matter when other
  // threads see this, as long as it is before the handle is given out again, which they can learn only
  // from this thread.
  forgotten_count.fetch_add(1, std::memory_order_relaxed);
  request_table().forget_communicator(comm);
  std::unique_ptr<Attribute> attribute(static_cast<Attribute*>(value));
  if (has_been_shut_down()) {
    keep_for_ever(std::move(attribute));
    return MPI_SUCCESS;
  }
  attribute->communicator->close();
  if (all_let_go(comm, *attribute)) {
    attribute->communicator->mark_forgotten();
  } else {
    keep_for_ever(std::move(attribute));
  }
  return MPI_SUCCESS;
}

// By MPI, at the start of MPI_Finalize, which has to go on whatever can't be done.
int on_finalize(MPI_Comm, int, void*, void*) {
  guarded([] {
    shut_down();
    return MPI_SUCCESS;
  });
  return MPI_SUCCESS;
}

int ensure_keyval() {
  const std::lock_guard lock(mutex);
  if (keyval == MPI_KEYVAL_INVALID) {
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, nullptr);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &finalize_keyval, nullptr);
    PMPI_Comm_set_attr(MPI_COMM_SELF, finalize_keyval, nullptr);
  }
  return keyval;
}

const Attribute* attribute_of(MPI_Comm comm) {
  int key = MPI_KEYVAL_INVALID;
  {
    const std::lock_guard lock(mutex);
    key = keyval;
  }
  if (key == MPI_KEYVAL_INVALID) return nullptr;
  void* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, key, &value, &found);
  return found != 0 ? static_cast<const Attribute*>(value) : nullptr;
}

// From when the others have this rank's part of a communicator to when it has the communicator. If that never comes, for
// lack of memory, they are told to go on without it.
class Absence {
 public:
  explicit Absence(const Binding& binding) : own_(Connections::own_block(binding)) {}
  ~Absence() {
    if (own_) seal(*own_);
  }
  Absence(const Absence&) = delete;
  Absence& operator=(const Absence&) = delete;

  void end() { own_.reset(); }

 private:
  std::optional<MemberBlock> own_;
};

// A rank may be the only one that can't, because of its environment or what is on its node's disks.
Outcome<Process*> process_of_all(Exchange& exchange) {
  const auto& process = Process::instance();
  const auto mine = static_cast<std::byte>(process.ok() ? 1 : 0);
  std::vector<std::byte> everybodys(static_cast<std::size_t>(exchange.size()));
  const auto exchanged = exchange.gather(std::span(&mine, 1), everybodys);
  if (exchanged == Exchange::Result::lost) return Refusal{"a rank has died"};
  if (!process.ok() || std::count(everybodys.begin(), everybodys.end(), std::byte{0}) == 0) {
    return process;
  }
  return Failure{"another rank can't use the library"};
}

}  // namespace

Communicator* find_last_communicator(MPI_Comm comm) {
  const LastFound& last = last_found;
  const bool is_known =
      last.comm == comm && last.forgotten_count == forgotten_count.load(std::memory_order_relaxed);
  return is_known ? last.communicator : nullptr;
}

Communicator* find_communicator(MPI_Comm comm) {
  if (Communicator* const last = find_last_communicator(comm)) return last;
  const std::uint64_t forgotten = forgotten_count.load(std::memory_order_relaxed);
  const auto* attribute = attribute_of(comm);
  if (attribute == nullptr) return nullptr;
  last_found = {comm, forgotten, attribute->communicator.get()};
  return last_found.communicator;
}

std::shared_ptr<Communicator> share_communicator(MPI_Comm comm) {
  const auto* attribute = attribute_of(comm);
  return attribute != nullptr ? attribute->communicator : nullptr;
}

std::shared_ptr<Lineage> lineage_of(MPI_Comm comm) {
  const auto* attribute = attribute_of(comm);
  return attribute != nullptr ? attribute->lineage : nullptr;
}

Outcome<Communicator*> make_known(MPI_Comm comm) {
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  if (is_inter != 0) return nullptr;
  const LauncherWatch watch("the first call on a communicator", comm);
  MpiExchange exchange(comm);
  const auto process = process_of_all(exchange);
  if (!process.ok()) return process.without_value<Communicator*>();
  const auto size = static_cast<std::size_t>(exchange.size());
  auto binding = bind(exchange, *process.value(), Connections::block_for(size));
  if (!binding.ok()) return binding.without_value<Communicator*>();
  return make_known(comm, std::move(binding).value());
}

Outcome<Communicator*> make_known(MPI_Comm comm, Binding binding) {
  std::shared_ptr<Lineage> lineage;
  const bool survives = Process::instance().value()->settings().fault_tolerance;
  if (survives && binding.shares_memory() && binding.is_one_node()) {
    lineage = std::make_shared<Lineage>(binding);
  }
  const int key = ensure_keyval();
  Absence absence(binding);
  auto made = Communicator::create(comm, *Process::instance().value(), std::move(binding));
  if (!made.ok()) return made.without_value<Communicator*>();
  auto* attribute = new Attribute{std::move(made).value(), std::move(lineage)};
  PMPI_Comm_set_attr(comm, key, attribute);
  absence.end();
  return attribute->communicator.get();
}

void shut_down() {
  {
    const std::lock_guard lock(mutex);
    if (keyval == MPI_KEYVAL_INVALID || is_shut_down) return;
    is_shut_down = true;
  }
  // First what MPI_Finalize depends on: the rest may fail for lack of memory.
  if (all_have_met() || Deaths::instance().any()) let_finalize_go_alone();
  HelperThread::instance().stop();
  Deaths::instance().depart();
  end_waiting();
  release_type_cache();
}

}  // namespace detour
