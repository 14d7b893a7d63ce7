#include "support/collective_checks.hpp"

#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace detour::test {
namespace {

struct Seat {
  explicit Seat(MPI_Comm its_comm) : comm(its_comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
  }

  MPI_Comm comm;
  int rank = 0;
  int size = 1;
};

// What rank `rank` puts in at position `i`.
int term(int rank, int i) {
  return (rank + 1) * (i % 13 + 1);
}

template <typename T>
std::vector<T> terms(int rank, int count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<T>(term(rank, i));
  return values;
}

template <typename T>
std::vector<T> sums(int size, int count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = static_cast<T>(size * (size + 1) / 2 * (i % 13 + 1));
  }
  return values;
}

template <typename T>
void check_allreduce(Job& job, const Seat& seat, int count, MPI_Datatype type,
                     const std::string& where) {
  const auto input = terms<T>(seat.rank, count);
  std::vector<T> output(input.size());
  MPI_Allreduce(input.data(), output.data(), count, type, MPI_SUM, seat.comm);
  job.expect(output == sums<T>(seat.size, count), "allreduce, sum" + where);
  output = input;
  MPI_Allreduce(MPI_IN_PLACE, output.data(), count, type, MPI_MAX, seat.comm);
  job.expect(output == terms<T>(seat.size - 1, count), "allreduce in place, maximum" + where);
  MPI_Allreduce(input.data(), output.data(), count, type, MPI_MIN, seat.comm);
  job.expect(output == terms<T>(0, count), "allreduce, minimum" + where);
}

void check_rooted(Job& job, const Seat& seat, int count, const std::string& where) {
  for (const int root : {0, seat.size - 1}) {
    const auto input = terms<double>(seat.rank, count);
    std::vector<double> output(input.size());
    MPI_Reduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, root, seat.comm);
    if (seat.rank == root) {
      job.expect(output == sums<double>(seat.size, count), "reduce" + where);
    }
    auto spread = seat.rank == root ? terms<int>(root, count)
                                    : std::vector<int>(static_cast<std::size_t>(count));
    MPI_Bcast(spread.data(), count, MPI_INT, root, seat.comm);
    job.expect(spread == terms<int>(root, count), "bcast" + where);
  }
}

// Rank r has r more elements than rank 0.
struct Shares {
  Shares(int size, int count) {
    for (int rank = 0; rank < size; ++rank) {
      counts.push_back(count + rank);
      displacements.push_back(total);
      total += count + rank;
    }
  }

  std::vector<int> counts, displacements;
  int total = 0;
};

void check_gather_and_scatter(Job& job, const Seat& seat, int count, const std::string& where) {
  const Shares shares(seat.size, count);
  const auto at = static_cast<std::size_t>(seat.rank);
  const auto own = terms<std::int64_t>(seat.rank, shares.counts[at]);
  std::vector<std::int64_t> all(static_cast<std::size_t>(shares.total));
  MPI_Allgatherv(own.data(), shares.counts[at], MPI_INT64_T, all.data(), shares.counts.data(),
                 shares.displacements.data(), MPI_INT64_T, seat.comm);
  std::vector<std::int64_t> expected;
  for (int rank = 0; rank < seat.size; ++rank) {
    const auto theirs = terms<std::int64_t>(rank, count + rank);
    expected.insert(expected.end(), theirs.begin(), theirs.end());
  }
  job.expect(all == expected, "allgatherv" + where);

  const auto input = terms<float>(seat.rank, shares.total);
  std::vector<float> part(static_cast<std::size_t>(shares.counts[at]));
  MPI_Reduce_scatter(input.data(), part.data(), shares.counts.data(), MPI_FLOAT, MPI_SUM,
                     seat.comm);
  const auto whole = sums<float>(seat.size, shares.total);
  const auto first = whole.begin() + shares.displacements[at];
  job.expect(part == std::vector<float>(first, first + shares.counts[at]),
             "reduce_scatter" + where);
}

// The map x -> factor * x + offset; one after the other is another one, and the order matters.
struct Map {
  std::uint64_t factor, offset;
  bool operator==(const Map&) const = default;
};

Map then(const Map& first, const Map& second) {
  return {first.factor * second.factor, first.offset * second.factor + second.offset};
}

Map map_of(int rank, int i) {
  return {static_cast<std::uint64_t>(2 * rank + 3), static_cast<std::uint64_t>(rank + i)};
}

void chain(void* in, void* in_out, int* count, MPI_Datatype*) {
  const auto* first = static_cast<const Map*>(in);
  auto* second = static_cast<Map*>(in_out);
  for (int i = 0; i < *count; ++i) second[i] = then(first[i], second[i]);
}

}  // namespace

void check_collectives(Job& job, MPI_Comm comm, int count, const std::string& where) {
  const Seat seat(comm);
  const std::string here = ", " + std::to_string(count) + " elements" + where;
  check_allreduce<int>(job, seat, count, MPI_INT, here);
  check_allreduce<double>(job, seat, count, MPI_DOUBLE, here);
  check_allreduce<std::int64_t>(job, seat, count, MPI_INT64_T, here);
  check_rooted(job, seat, count, here);
  check_gather_and_scatter(job, seat, count, here);
  MPI_Barrier(comm);
}

void check_rank_order(Job& job, MPI_Comm comm, int count, const std::string& where) {
  const Seat seat(comm);
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_UINT64_T, &pair);
  MPI_Type_commit(&pair);
  MPI_Op one_after_the_other = MPI_OP_NULL;
  MPI_Op_create(chain, 0, &one_after_the_other);
  std::vector<Map> input, output(static_cast<std::size_t>(count)), expected;
  for (int i = 0; i < count; ++i) {
    input.push_back(map_of(seat.rank, i));
    Map map = map_of(0, i);
    for (int rank = 1; rank < seat.size; ++rank) map = then(map, map_of(rank, i));
    expected.push_back(map);
  }
  MPI_Allreduce(input.data(), output.data(), count, pair, one_after_the_other, comm);
  job.expect(output == expected, "an operation for which order matters" + where);
  MPI_Op_free(&one_after_the_other);
  MPI_Type_free(&pair);
}

void check_progress_by_itself(Job& job, MPI_Comm comm, int count, const std::string& where) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{20};
  const Seat seat(comm);
  const auto input = terms<int>(seat.rank, count);
  std::vector<int> output(input.size(), -1);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(input.data(), output.data(), count, MPI_INT, MPI_SUM, comm, &request);
  // Whichever element comes last: when none is as before, all have come.
  const volatile int* result = output.data();
  const auto deadline = Clock::now() + patience;
  for (int i = 0; i < count; ++i) {
    while (result[i] == -1 && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  job.expect(Clock::now() < deadline, "a sum arrives while nobody calls MPI" + where);
  // What was written last may be seen a moment before the request is ended.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  int is_done = 0;
  MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
  job.expect(is_done != 0, "the first MPI_Test afterwards says that it has ended" + where);
  if (is_done == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  job.expect(output == sums<int>(seat.size, count), "the sum is right" + where);
}

}  // namespace detour::test
