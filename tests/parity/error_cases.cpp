#include "error_cases.hpp"

#include <algorithm>

#include "detour/detour.h"
#include "elements.hpp"

namespace detour::parity {
namespace {

constexpr int usual_count = 4;
constexpr int large_count = 100'000;

// The buffers of a call, large enough for all cases.
struct Place {
  const Team& team;
  std::vector<int> input;
  std::vector<int> output;

  explicit Place(const Team& at)
      : team(at),
        input(static_cast<std::size_t>(std::max(large_count, 2 * usual_count * at.size))),
        output(input.size()) {
    reset();
  }

  // What is summed: a Bcast may have written there.
  void reset() { std::fill_n(input.begin(), usual_count, team.rank + 1); }

  int allreduce(int count, MPI_Datatype type = MPI_INT, MPI_Op op = MPI_SUM) {
    return Detour_Allreduce(input.data(), output.data(), count, type, op, team.comm);
  }
  int bcast(int root) { return Detour_Bcast(input.data(), usual_count, MPI_INT, root, team.comm); }
  int reduce(int root) {
    return Detour_Reduce(input.data(), output.data(), usual_count, MPI_INT, MPI_SUM, root,
                         team.comm);
  }
  int scatter(int count) {
    return Detour_Reduce_scatter_block(input.data(), output.data(), count, MPI_INT, MPI_SUM,
                                       team.comm);
  }
  int gather(int count) {
    return Detour_Allgather(input.data(), count, MPI_INT, output.data(), usual_count, MPI_INT,
                            team.comm);
  }
  int start_and_wait(int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = Detour_Iallreduce(input.data(), output.data(), count, MPI_INT, MPI_SUM,
                                        team.comm, &request);
    return error == MPI_SUCCESS ? Detour_Wait(&request, MPI_STATUS_IGNORE) : error;
  }
};

constexpr int any_class = MPI_SUCCESS;

struct Case {
  const char* name;
  int rank_count_min;
  int expected_class;
  int (*call)(Place& place, bool does_wrong);
};

constexpr Case argument_cases[] = {
    {"null input", 1, MPI_ERR_BUFFER,
     [](Place& at, bool wrong) {
       return Detour_Allreduce(wrong ? nullptr : at.input.data(), at.output.data(), usual_count,
                               MPI_INT, MPI_SUM, at.team.comm);
     }},
    {"null output", 1, MPI_ERR_BUFFER,
     [](Place& at, bool wrong) {
       return Detour_Allreduce(at.input.data(), wrong ? nullptr : at.output.data(), usual_count,
                               MPI_INT, MPI_SUM, at.team.comm);
     }},
    {"aliased buffers", 1, MPI_ERR_BUFFER,
     [](Place& at, bool wrong) {
       return Detour_Allreduce(at.input.data(), wrong ? at.input.data() : at.output.data(),
                               usual_count, MPI_INT, MPI_SUM, at.team.comm);
     }},
    {"overlapping buffers", 1, MPI_ERR_BUFFER,
     [](Place& at, bool wrong) {
       return Detour_Allreduce(at.input.data(), wrong ? at.input.data() + 1 : at.output.data(),
                               usual_count, MPI_INT, MPI_SUM, at.team.comm);
     }},
    {"negative count", 1, MPI_ERR_COUNT,
     [](Place& at, bool wrong) { return at.allreduce(wrong ? -1 : usual_count); }},
    {"no datatype", 1, MPI_ERR_TYPE,
     [](Place& at, bool wrong) {
       return at.allreduce(usual_count, wrong ? MPI_DATATYPE_NULL : MPI_INT);
     }},
    {"no operation", 1, MPI_ERR_OP,
     [](Place& at, bool wrong) {
       return at.allreduce(usual_count, MPI_INT, wrong ? MPI_OP_NULL : MPI_SUM);
     }},
    {"wrong type for the operation", 1, MPI_ERR_OP,
     [](Place& at, bool wrong) {
       return at.allreduce(usual_count, wrong ? MPI_FLOAT : MPI_INT, MPI_BAND);
     }},
    {"wrong type for the operation everywhere", 1, MPI_ERR_OP,
     [](Place& at, bool) { return at.allreduce(usual_count, MPI_FLOAT, MPI_BAND); }},
    {"Iallreduce, negative count", 1, MPI_ERR_COUNT,
     [](Place& at, bool wrong) { return at.start_and_wait(wrong ? -1 : usual_count); }},
    {"Bcast, no such root", 1, MPI_ERR_ROOT,
     [](Place& at, bool wrong) { return at.bcast(wrong ? at.team.size : 0); }},
    {"Reduce, no such root", 1, MPI_ERR_ROOT,
     [](Place& at, bool wrong) { return at.reduce(wrong ? -1 : 0); }},
    {"Reduce_scatter_block, negative count", 1, MPI_ERR_COUNT,
     [](Place& at, bool wrong) { return at.scatter(wrong ? -1 : usual_count); }},
    {"Allgather, too much", 1, MPI_ERR_TRUNCATE,
     [](Place& at, bool wrong) { return at.gather(wrong ? usual_count + 1 : usual_count); }},
};

// What no rank can tell by itself.
constexpr Case disagreement_cases[] = {
    {"counts differ", 2, any_class,
     [](Place& at, bool wrong) { return at.allreduce(wrong ? usual_count - 1 : usual_count); }},
    {"nothing and something", 2, any_class,
     [](Place& at, bool wrong) { return at.allreduce(wrong ? 0 : usual_count); }},
    {"a large count and a small one", 2, any_class,
     [](Place& at, bool wrong) { return at.allreduce(wrong ? large_count : usual_count); }},
    {"a small count and a large one", 2, any_class,
     [](Place& at, bool wrong) { return at.allreduce(wrong ? usual_count : large_count); }},
    {"operations differ", 2, any_class,
     [](Place& at, bool wrong) {
       return at.allreduce(usual_count, MPI_INT, wrong ? MPI_MAX : MPI_SUM);
     }},
    {"datatypes differ", 2, any_class,
     [](Place& at, bool wrong) { return at.allreduce(usual_count, wrong ? MPI_FLOAT : MPI_INT); }},
    {"Iallreduce, counts differ", 2, any_class,
     [](Place& at, bool wrong) {
       return at.start_and_wait(wrong ? usual_count - 1 : usual_count);
     }},
    {"Allreduce and Barrier", 2, any_class,
     [](Place& at, bool wrong) {
       return wrong ? Detour_Barrier(at.team.comm) : at.allreduce(usual_count);
     }},
    {"Barrier and Allreduce", 2, any_class,
     [](Place& at, bool wrong) {
       return wrong ? at.allreduce(usual_count) : Detour_Barrier(at.team.comm);
     }},
    {"Allreduce and Bcast", 2, any_class,
     [](Place& at, bool wrong) { return wrong ? at.bcast(0) : at.allreduce(usual_count); }},
    {"Allreduce and Iallreduce", 2, any_class,
     [](Place& at, bool wrong) {
       return wrong ? at.start_and_wait(usual_count) : at.allreduce(usual_count);
     }},
    {"Reduce and Allgather", 2, any_class,
     [](Place& at, bool wrong) { return wrong ? at.gather(usual_count) : at.reduce(0); }},
    {"Bcast, roots differ", 2, any_class,
     [](Place& at, bool wrong) { return at.bcast(wrong ? 1 : 0); }},
    {"Reduce, roots differ", 2, any_class,
     [](Place& at, bool wrong) { return at.reduce(wrong ? 1 : 0); }},
    {"Reduce_scatter_block, counts differ", 2, any_class,
     [](Place& at, bool wrong) { return at.scatter(wrong ? usual_count + 1 : usual_count); }},
};

int class_of(int error) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  return error_class;
}

// Of all ranks.
std::vector<int> gathered(int value, const Team& team) {
  std::vector<int> all(static_cast<std::size_t>(team.size));
  PMPI_Allgather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, team.comm);
  return all;
}

std::string list(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += " " + std::to_string(number);
  return text;
}

// On all ranks.
bool is_true(bool here, const Team& team) {
  const std::vector<int> all = gathered(here ? 1 : 0, team);
  return std::all_of(all.begin(), all.end(), [](int value) { return value == 1; });
}

bool next_call_works(Place& place) {
  place.reset();
  const int error = place.allreduce(usual_count);
  const int sum = place.team.size * (place.team.size + 1) / 2;
  const bool is_right =
      error == MPI_SUCCESS && std::all_of(place.output.begin(), place.output.begin() + usual_count,
                                          [sum](int value) { return value == sum; });
  return is_true(is_right, place.team);
}

std::string complaint_about(const Case& wrong, Place& place, int culprit) {
  const Team& team = place.team;
  const std::vector<int> classes =
      gathered(class_of(wrong.call(place, team.rank == culprit)), team);
  const bool is_uniform = std::all_of(classes.begin(), classes.end(),
                                      [&](int other) { return other == classes.front(); });
  const bool is_expected =
      classes.front() != MPI_SUCCESS &&
      (wrong.expected_class == any_class || wrong.expected_class == classes.front());
  if (!is_uniform || !is_expected) return "gave errors of classes" + list(classes);
  return next_call_works(place) ? "" : "spoilt the next call";
}

}  // namespace

ErrorReport try_error_cases(const Team& team, std::uint64_t seed) {
  ErrorReport report;
  Place place(team);
  const auto try_out = [&](const Case& wrong) {
    if (team.size < wrong.rank_count_min) return;
    seed = mixed(seed);
    const int culprit = static_cast<int>(seed % static_cast<std::uint64_t>(team.size));
    const std::string complaint = complaint_about(wrong, place, culprit);
    ++report.case_count;
    if (complaint.empty()) return;
    report.complaints.push_back(std::string(wrong.name) + ", by rank " + std::to_string(culprit) +
                                ", " + complaint);
  };
  std::for_each(std::begin(argument_cases), std::end(argument_cases), try_out);
  std::for_each(std::begin(disagreement_cases), std::end(disagreement_cases), try_out);
  return report;
}

}  // namespace detour::parity
