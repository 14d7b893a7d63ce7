// Whole operations between the ranks of an MPI job:
//
//   mpi_transport_program mpi       all messages over MPI
//   mpi_transport_program pair      over shared memory in groups of two ranks, between them over MPI
//   mpi_transport_program given_up  over MPI, every operation after an attempt that was given up
#include <mpi.h>
#include <sched.h>

#include <cstdio>
#include <optional>
#include <string>

#include "collectives/executor.hpp"
#include "transport/mpi_node.hpp"
#include "transport/mpi_transport.hpp"
#include "transport/pair_transport.hpp"
#include "transport/shm_transport.hpp"
#include "transport/sum_operation.hpp"

using namespace detour;
using namespace detour::test;

namespace {

using Defect = std::optional<std::string>;

struct Job {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;

  // Those for which the predicate says no are left out.
  template <class Predicate>
  MpiRoute route(const Predicate& is_carried) const {
    MpiRoute route{comm, 1000, 2000, {}};
    for (int peer = 0; peer < size; ++peer) {
      route.comm_ranks.push_back(is_carried(peer) ? peer : MPI_PROC_NULL);
    }
    return route;
  }
  MpiRoute route_to_all() const {
    return route([](int) { return true; });
  }
};

Buffers in_place(std::vector<std::int64_t>& data) {
  auto* bytes = reinterpret_cast<std::byte*>(data.data());
  return {bytes, bytes};
}

Defect run(const Job& job, const SumOperation& operation, const Program& program,
           Transport& transport, const MpiTransport& mpi) {
  const Sums sums;
  std::vector<std::int64_t> data = input_of(operation, job.rank);
  Executor executor(program, sums, transport, in_place(data));
  for (;;) {
    const auto progress = executor.step();
    if (mpi.error() != MPI_SUCCESS) return "MPI error " + std::to_string(mpi.error());
    if (progress == Executor::Progress::finished) break;
    if (progress == Executor::Progress::stuck) ::sched_yield();
  }
  return find_wrong_sum(operation, job.rank, job.size, data);
}

Defect run_over_mpi(const Job& job, const SumOperation& operation, std::uint64_t epoch) {
  const Program program =
      make_program(operation.flows, job.rank, job.size, operation.chunk_elements);
  MpiTransport mpi(job.route_to_all(), program, operation.message_bytes_max(), epoch);
  return run(job, operation, program, mpi, mpi);
}

void give_up_on(const Job& job, const SumOperation& operation, std::uint64_t epoch,
                std::uint32_t turn_count) {
  const Program program =
      make_program(operation.flows, job.rank, job.size, operation.chunk_elements);
  MpiTransport mpi(job.route_to_all(), program, operation.message_bytes_max(), epoch);
  const Sums sums;
  std::vector<std::int64_t> data = input_of(operation, job.rank);
  Executor executor(program, sums, mpi, in_place(data));
  for (std::uint32_t turn = 0; turn < turn_count; ++turn) executor.step();
}

Defect test_mpi(const Job& job) {
  for (const auto& operation : random_operations(job.size, {100, 60000}, 1)) {
    if (auto defect = run_over_mpi(job, operation, 1)) return defect;
  }
  return std::nullopt;
}

Defect test_pair(const Job& job) {
  MpiNode node(job.comm, 2, std::size_t{64} << 20);
  const MpiRoute route = job.route([&](int peer) { return !node.is_near(peer); });
  std::vector<bool> is_near;
  for (int peer = 0; peer < job.size; ++peer) is_near.push_back(node.is_near(peer));
  for (const auto& operation : random_operations(job.size, {100, 60000}, 2)) {
    const Program program =
        make_program(operation.flows, job.rank, job.size, operation.chunk_elements);
    ShmTransport shm(node.links(), program, operation.message_bytes_max(), 1);
    if (!shm.has_room()) return "no room";
    MpiTransport mpi(route, program, operation.message_bytes_max(), 1);
    PairTransport both(shm, mpi, is_near);
    if (auto defect = run(job, operation, program, both, mpi)) return defect;
  }
  MPI_Barrier(job.comm);
  if (!node.links().drained()) return "messages are left over";
  return std::nullopt;
}

Defect test_given_up(const Job& job) {
  std::mt19937 random(static_cast<std::uint32_t>(job.rank));
  std::uint64_t epoch = 0;
  for (const auto& operation : random_operations(job.size, {100, 20000}, 3)) {
    give_up_on(job, operation, ++epoch, random() % 4);
    if (auto defect = run_over_mpi(job, operation, ++epoch)) return defect;
  }
  return std::nullopt;
}

int class_of(int error) {
  int its_class = MPI_SUCCESS;
  MPI_Error_class(error, &its_class);
  return its_class;
}

// Between this rank and itself, so that no other has to know.
Defect test_errors(const Job& job) {
  Program program;
  program.incoming.push_back({job.rank, Lane::reduce, 2, 2});
  MpiRoute route = job.route_to_all();
  if (MpiTransport(route, program, std::size_t{1} << 31, 1).error() != MPI_ERR_COUNT) {
    return "a message that MPI can't carry is no error";
  }
  MpiRoute no_tags = route;
  no_tags.tag_count = 0;
  if (MpiTransport(no_tags, program, 100, 1).error() != MPI_ERR_TAG) return "no tags is no error";
  MpiTransport in_time(route, program, 100, 1);
  const MpiHeader wrong_epoch{2, 8};
  MPI_Send(&wrong_epoch, sizeof wrong_epoch, MPI_BYTE, job.rank, route.tag_base + 2, job.comm);
  while (in_time.error() == MPI_SUCCESS) {
    if (!in_time.peek(job.rank, Lane::reduce).empty()) return "a message of a wrong epoch is taken";
  }
  route.comm_ranks.assign(route.comm_ranks.size(), job.size);
  const MpiTransport to_nobody(route, program, 100, 1);
  if (class_of(to_nobody.error()) != MPI_ERR_RANK) return "a rank that does not exist is no error";
  return std::nullopt;
}

Defect run_test(const Job& job, const std::string& name) {
  if (auto defect = test_errors(job)) return defect;
  if (name == "mpi") return test_mpi(job);
  if (name == "pair") return test_pair(job);
  if (name == "given_up") return test_given_up(job);
  return "no test of that name";
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Job job;
  MPI_Comm_dup(MPI_COMM_WORLD, &job.comm);
  MPI_Comm_set_errhandler(job.comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(job.comm, &job.rank);
  MPI_Comm_size(job.comm, &job.size);
  const Defect defect = run_test(job, argc > 1 ? argv[1] : "");
  if (defect) {
    // The others may be waiting for this rank.
    std::fprintf(stderr, "rank %d: %s\n", job.rank, defect->c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm_free(&job.comm);
  MPI_Finalize();
  return 0;
}
