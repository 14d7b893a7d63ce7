#include "core/new_communicators.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "core/communicators.hpp"
#include "core/dead_ranks.hpp"
#include "core/hash.hpp"
#include "core/letter_exchange.hpp"
#include "core/meeting.hpp"
#include "core/unrecallable_call.hpp"
#include "log.hpp"
#include "mpi/arguments.hpp"
#include "mpi/report.hpp"
#include "mpi/translated_ranks.hpp"

namespace detour {
namespace {

// Of the library's own calls of MPI_Comm_create_group. Programs hardly ever have such large ones.
constexpr int own_tag = 32'001;

std::uint64_t hash_of_ranks(const std::vector<int>& ranks) {
  return hash_of(std::vector<std::uint64_t>(ranks.begin(), ranks.end()));
}

// The communicator is a good one even if the library can't serve it. If that is because of a death, the first
// call on it says so.
void introduce(MPI_Comm comm, std::optional<Binding> binding) {
  int is_between_groups = 0;
  int size = 0;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  PMPI_Comm_size(comm, &size);
  if (is_between_groups != 0 || size == 1) return;
  const auto known = binding ? make_known(comm, *std::move(binding)) : make_known(comm);
  if (known.ok()) return;
  log(known.refused() ? LogLevel::info : LogLevel::error, known.reason());
  if (known.failed()) report(comm, MPI_ERR_OTHER);
}

// Gives the result back.
int introduce_if_made(int result, const MPI_Comm* made, std::optional<Binding> binding) {
  if (result == MPI_SUCCESS && *made != MPI_COMM_NULL) {
    introduce(*made, std::move(binding));
  }
  return result;
}

// Nothing if it is not to be served by the library; the caller's part in it refuses if a member has died.
Outcome<std::optional<Binding>> bind_members(const Lineage& lineage,
                                             const std::vector<int>& members, std::uint64_t key) {
  if (members.size() == 1) return std::optional<Binding>();
  LetterExchange exchange(lineage.circle(), members, key);
  auto bound = bind(exchange, *Process::instance().value(), Connections::block_for(members.size()));
  if (bound.refused()) return bound.without_value<std::optional<Binding>>();
  if (bound.failed()) return std::optional<Binding>();
  return std::optional<Binding>(std::move(bound).value());
}

// What else a duplicate would have of its parent (attributes, a topology, hints) only MPI can copy: it is not there.
int make_of_ranks(MPI_Comm parent, const std::vector<int>& members, int tag, MPI_Comm* made) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(parent, &all);
  PMPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &group);
  const int result = PMPI_Comm_create_group(parent, group, tag, made);
  PMPI_Group_free(&all);
  PMPI_Group_free(&group);
  if (result != MPI_SUCCESS) return result;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(parent, &handler);
  PMPI_Comm_set_errhandler(*made, handler);
  PMPI_Errhandler_free(&handler);
  return MPI_SUCCESS;
}

// Of either group, if there are two.
std::vector<int> dead_members(MPI_Comm comm) {
  auto dead = dead_ranks(comm);
  if (!dead.empty() || !any_rank_is_dead()) return dead;
  MPI_Group own = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &own);
  dead = dead_ranks_of_group(own);
  PMPI_Group_free(&own);
  return dead;
}

// Parents that can't be met on: those of several nodes, of two groups, or that the library does not know.
int make_without_meeting(MPI_Comm parent, const char* function, const MakeByMpi& make_by_mpi,
                         MPI_Comm* made) {
  if (const auto dead = dead_members(parent); !dead.empty()) {
    return report_process_failed(parent, process_failed_code(dead));
  }
  int result = MPI_SUCCESS;
  {
    const UnrecallableCall call(function, parent);
    result = make_by_mpi(made);
  }
  return introduce_if_made(result, made, std::nullopt);
}

// A call of make_communicator, from the first meeting on.
class Making {
 public:
  Making(MPI_Comm parent, Communicator& communicator, Lineage& lineage,
         const NewCommunicator& wanted)
      : parent_(parent),
        lineage_(lineage),
        wanted_(wanted),
        meeting_(communicator, wanted.function),
        key_(lineage.key_for_all()) {}

  int make(const MakeByMpi& make_by_mpi, MPI_Comm* made) {
    if (const int error = settle(); error != MPI_SUCCESS) return report(parent_, error);
    int result = MPI_SUCCESS;
    if (meeting_.all_are_present()) {
      const UnrecallableCall call(wanted_.function, parent_);
      result = make_by_mpi(made);
    } else if (wanted_.color) {
      const UnrecallableCall call(wanted_.function, parent_, members_);
      result = make_of_ranks(parent_, members_, own_tag, made);
    } else {
      *made = MPI_COMM_NULL;
    }
    return introduce_if_made(result, made, std::move(binding_));
  }

 private:
  // Until all have bound the same set.
  int settle() {
    for (std::uint64_t round = 0;; ++round) {
      const Answer answer{.bound_for = bound_for_,
                          .has_color = wanted_.color ? 1u : 0u,
                          .color = wanted_.color.value_or(0),
                          .key = wanted_.key};
      if (const int error = meeting_.hold(answer, wanted_.error); error != MPI_SUCCESS)
        return error;
      const std::uint64_t present = hash_of_ranks(meeting_.present());
      const bool all_have_bound =
          std::all_of(meeting_.present().begin(), meeting_.present().end(),
                      [&](int rank) { return meeting_.answer(rank).bound_for == present; });
      if (all_have_bound) return MPI_SUCCESS;
      bound_for_ = bind(hash_of({key_, round, present})) ? present : 0;
    }
  }

  // False if somebody has died: who is left meets again.
  bool bind(std::uint64_t key) {
    binding_.reset();  // its block stays: who was a member then may still look at it
    members_.clear();
    if (!wanted_.color) return true;
    for (const int rank : meeting_.present()) {
      const Answer& answer = meeting_.answer(rank);
      if (answer.has_color != 0 && answer.color == *wanted_.color) members_.push_back(rank);
    }
    std::stable_sort(members_.begin(), members_.end(), [this](int a, int b) {
      return meeting_.answer(a).key < meeting_.answer(b).key;
    });
    if (!wanted_.is_predictable && meeting_.all_are_present()) return true;
    auto bound = bind_members(lineage_, members_, hash_of({key, *wanted_.color}));
    if (!bound.ok()) return false;
    binding_ = std::move(bound).value();
    return true;
  }

  const MPI_Comm parent_;
  Lineage& lineage_;
  const NewCommunicator& wanted_;
  Meeting meeting_;
  const std::uint64_t key_;
  // For which set of members of the parent this rank has bound its own; 0: for none.
  std::uint64_t bound_for_ = 0;
  std::vector<int> members_;
  std::optional<Binding> binding_;
};

// By rank in the parent; empty if not all of the group are there, or this rank is not in it.
std::vector<int> members_in(MPI_Comm parent, MPI_Group group) {
  int own = MPI_UNDEFINED;
  if (group == MPI_GROUP_NULL || PMPI_Group_rank(group, &own) != MPI_SUCCESS) return {};
  if (own == MPI_UNDEFINED) return {};
  auto ranks = ranks_in(parent, group);
  const bool any_missing = std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) != ranks.end();
  return any_missing ? std::vector<int>() : ranks;
}

// Of a lineage's communicator.
std::vector<int> living(const Lineage& lineage, std::vector<int> ranks) {
  std::erase_if(
      ranks, [&](int rank) { return Deaths::instance().has_died(lineage.circle().process(rank)); });
  return ranks;
}

// Without a meeting: members try to bind those whom they take for living. Whoever has others in mind has another
// key, so that nobody is bound before all have the same ones. Refuses if somebody has given up, and nobody
// knows why.
Outcome<std::optional<Binding>> bind_living(Lineage& lineage, const std::vector<int>& wanted,
                                            int tag, std::vector<int>& members) {
  const std::uint64_t key = lineage.key_for(hash_of_ranks(wanted), tag);
  for (members = living(lineage, wanted);;) {
    auto bound = bind_members(lineage, members, hash_of({key, hash_of_ranks(members)}));
    if (bound.ok()) return bound;
    const std::size_t count_before = members.size();
    members = living(lineage, wanted);
    if (members.size() == count_before) return bound;
  }
}

int make_of_group(MPI_Comm parent, MPI_Group group, int tag, const MakeByMpi& make_by_mpi,
                  MPI_Comm* made) {
  constexpr const char* function = "MPI_Comm_create_group";
  const std::vector<int> wanted = members_in(parent, group);
  if (wanted.empty()) return make_by_mpi(made);  // which says what is wrong
  const auto lineage = lineage_of(parent);
  if (!lineage) return make_without_meeting(parent, function, make_by_mpi, made);
  std::vector<int> members;
  auto bound = bind_living(*lineage, wanted, tag, members);
  if (!bound.ok()) return report_process_failed(parent, process_failed_code(dead_ranks(parent)));
  int result = MPI_SUCCESS;
  {
    const UnrecallableCall call(function, parent, members);
    result = members.size() == wanted.size() ? make_by_mpi(made)
                                             : make_of_ranks(parent, members, tag, made);
  }
  return introduce_if_made(result, made, std::move(bound).value());
}

int make_of_all(MPI_Comm parent, const char* function, const MakeByMpi& make_by_mpi,
                MPI_Comm* made) {
  if (lineage_of(parent)) {
    Meeting meeting(*share_communicator(parent), function);
    if (const int error = meeting.hold({}, MPI_SUCCESS); error != MPI_SUCCESS) {
      return report(parent, error);
    }
    if (!meeting.all_are_present()) {
      return report_process_failed(parent, process_failed_code(meeting.absent()));
    }
  }
  return make_without_meeting(parent, function, make_by_mpi, made);
}

// What is no communicator is left to MPI. Exceptions as MPI's classes of errors: MPI's functions throw none.
template <class Body>
int guarded(MPI_Comm parent, const MakeByMpi& make_by_mpi, MPI_Comm* made, Body body) {
  if (check_communicator(parent) != MPI_SUCCESS) return make_by_mpi(made);
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return report(parent, MPI_ERR_NO_MEM);
  } catch (const std::exception&) {
    return report(parent, MPI_ERR_INTERN);
  }
}

}  // namespace

NewCommunicator split_into(const char* function, int color, int key) {
  NewCommunicator wanted{.function = function, .key = key};
  if (color != MPI_UNDEFINED) wanted.color = static_cast<std::uint64_t>(color);
  if (color < 0 && color != MPI_UNDEFINED) wanted.error = MPI_ERR_ARG;
  return wanted;
}

int make_communicator(MPI_Comm parent, const NewCommunicator& wanted, const MakeByMpi& make_by_mpi,
                      MPI_Comm* made) {
  return guarded(parent, make_by_mpi, made, [&] {
    const auto lineage = lineage_of(parent);
    if (!lineage) return make_without_meeting(parent, wanted.function, make_by_mpi, made);
    const auto communicator = share_communicator(parent);
    return Making(parent, *communicator, *lineage, wanted).make(make_by_mpi, made);
  });
}

int make_communicator_of_group(MPI_Comm parent, MPI_Group group, int tag,
                               const MakeByMpi& make_by_mpi, MPI_Comm* made) {
  return guarded(parent, make_by_mpi, made,
                 [&] { return make_of_group(parent, group, tag, make_by_mpi, made); });
}

int make_communicator_of_all(MPI_Comm parent, const char* function, const MakeByMpi& make_by_mpi,
                             MPI_Comm* made) {
  return guarded(parent, make_by_mpi, made,
                 [&] { return make_of_all(parent, function, make_by_mpi, made); });
}

}  // namespace detour
