// detour.hpp under mpirun: every operation in its forms, errors by exception and by code.
#include "detour/detour.hpp"

#include <array>
#include <numeric>
#include <span>

#include "cpp_checks.hpp"
// Both sets of names have to get along.
#include "detour/routing.hpp"

namespace {

using detour::Communicator;
using detour::Op;

static_assert(!std::is_copy_constructible_v<Communicator>);
static_assert(!std::is_copy_constructible_v<detour::Pending>);
static_assert(!std::is_copy_constructible_v<detour::Buffer<float>>);
static_assert(std::is_nothrow_move_assignable_v<Communicator>);
static_assert(std::is_nothrow_move_assignable_v<detour::Pending>);
// A result can't be written into what is const, nor into another type.
static_assert(detour::ReadableInto<std::span<const float>, std::span<float>>);
static_assert(!detour::ReadableInto<std::vector<float>, std::span<const float>>);
static_assert(!detour::ReadableInto<std::vector<float>, std::vector<double>>);
static_assert(!detour::Element<const char*>);

// Whoever asks too early gets nothing, and no error: that would end the job.
void check_nothing_yet(Communicator& comm) {
  std::uint64_t word = 1;
  Detour_Result result{1, &word, 1, 1, 1};
  CHECK_THAT_HOLDS(Detour_Last_result(comm.get(), &result) == MPI_SUCCESS);
  CHECK_THAT_HOLDS(result.contributor_count == 0 && result.word_count == 0);
  CHECK_THAT_HOLDS(result.contributors == nullptr);
  CHECK_THAT_HOLDS(result.attempts == 0 && result.epoch == 0);
  CHECK_THAT_HOLDS(comm.last_result().contributors.empty());

  Detour_Recovery recovery{1, 1, 1, 1, 1, 1};
  CHECK_THAT_HOLDS(Detour_Last_recovery(comm.get(), &recovery) == MPI_SUCCESS);
  CHECK_THAT_HOLDS(recovery.count == 0 && recovery.noticed_ns == 0 && recovery.completed_ns == 0);
  CHECK_THAT_HOLDS(comm.statistics().operation_count == 0);
}

void check_before_operations() {
  MPI_Comm unknown = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &unknown);
  Communicator comm = Communicator::owner_of(unknown);
  check_nothing_yet(comm);
  CHECK_THAT_HOLDS(comm.statistics().memory_limit_bytes == 0);
  comm.prepare();
  check_nothing_yet(comm);
  CHECK_THAT_HOLDS(comm.statistics().memory_limit_bytes > 0);
  // One that has failed has no result either.
  std::vector<float> wrong(3);
  CHECK_THAT_HOLDS(detour::error_class(comm.try_allreduce(wrong, Op::band).value()) == MPI_ERR_OP);
  CHECK_THAT_HOLDS(comm.last_result().attempts == 0);
  comm.barrier();
  CHECK_THAT_HOLDS(comm.last_result().attempts == 1);
}

int sum_of_ranks(const Communicator& comm) {
  return comm.size() * (comm.size() - 1) / 2;
}

void check_allreduce(Communicator& comm) {
  const auto own = static_cast<float>(comm.rank());
  const auto total = static_cast<float>(sum_of_ranks(comm));
  const std::vector<float> input(1000, own);
  std::vector<float> output(1000);
  comm.allreduce(std::span<const float>(input), std::span<float>(output));
  CHECK_THAT_HOLDS(output == std::vector<float>(1000, total));
  comm.allreduce(output, output.size() > 0 ? Op::max : Op::min);
  CHECK_THAT_HOLDS(output[999] == total);

  std::array<int, 3> three{comm.rank(), 1, 2};
  comm.allreduce(three, Op::max);
  CHECK_THAT_HOLDS(three == std::array{comm.size() - 1, 1, 2});
  CHECK_THAT_HOLDS(!comm.try_allreduce(three));
  CHECK_THAT_HOLDS(three[1] == comm.size());
}

template <class T>
void check_type(Communicator& comm, T one, T total, Op op) {
  std::vector<T> values(5, one);
  comm.allreduce(values, op);
  CHECK_THAT_HOLDS(values == std::vector<T>(5, total));
}

template <class T>
void check_number(Communicator& comm) {
  check_type<T>(comm, T(1), static_cast<T>(static_cast<float>(comm.size())), Op::sum);
}

void check_types(Communicator& comm) {
  check_number<signed char>(comm);
  check_number<unsigned short>(comm);
  check_number<int>(comm);
  check_number<long>(comm);
  check_number<unsigned long long>(comm);
  check_number<double>(comm);
  check_number<long double>(comm);
  check_number<std::complex<float>>(comm);
  check_number<std::complex<double>>(comm);
  std::array<bool, 2> truths{comm.rank() == 0, false};
  comm.allreduce(truths, Op::lor);
  CHECK_THAT_HOLDS(truths[0] && !truths[1]);
  check_type(comm, std::byte{6}, std::byte{6}, Op::band);
  // One and the largest of ones.
  check_type(comm, detour::float16{0x3c00}, detour::float16{0x3c00}, Op::max);
  check_type(comm, detour::bfloat16{0x3f80}, detour::bfloat16{0x3f80}, Op::max);
}

void check_rooted(Communicator& comm) {
  const int root = comm.size() - 1;
  const bool is_root = comm.rank() == root;
  const std::vector<int> input{comm.rank(), 1};
  std::vector<int> output(is_root ? 2 : 0);
  comm.reduce(input, output, root);
  if (is_root) CHECK_THAT_HOLDS(output == std::vector{sum_of_ranks(comm), comm.size()});

  std::vector<int> buffer = input;
  comm.reduce(buffer, root);
  CHECK_THAT_HOLDS(buffer == (is_root ? output : input));

  std::vector<long> message(3, is_root ? 7 : 0);
  comm.broadcast(message, root);
  CHECK_THAT_HOLDS(message == std::vector<long>(3, 7));
}

void check_blocks(Communicator& comm) {
  const auto rank_count = static_cast<std::size_t>(comm.size());
  const std::vector<int> own{comm.rank(), -comm.rank()};
  std::vector<int> all(2 * rank_count);
  comm.allgather(own, all);
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    CHECK_THAT_HOLDS(all[2 * rank] == static_cast<int>(rank));
    CHECK_THAT_HOLDS(all[2 * rank + 1] == -static_cast<int>(rank));
  }
  std::array<int, 2> block{};
  comm.reduce_scatter(all, block);
  CHECK_THAT_HOLDS(block == std::array{comm.size() * comm.rank(), -comm.size() * comm.rank()});
}

void check_pending(Communicator& comm) {
  comm.prepare();
  std::vector<double> first(100, 1);
  const std::vector<double> input(100, 2);
  std::vector<double> second(100);
  detour::Pending one = comm.iallreduce(first);
  detour::Pending other = comm.iallreduce(input, second);
  CHECK_THAT_HOLDS(static_cast<int>(other.result().contributors.size()) == comm.size());
  detour::Pending moved = std::move(one);
  while (!moved.test()) {
  }
  CHECK_THAT_HOLDS(first[99] == comm.size());
  other.wait();
  CHECK_THAT_HOLDS(second[99] == 2 * comm.size());
  // Complete ones stay so.
  other.wait();
  CHECK_THAT_HOLDS(one.test());
  { const detour::Pending dropped = comm.iallreduce(first); }
  CHECK_THAT_HOLDS(first[0] == comm.size() * comm.size());
}

void check_buffer(Communicator& comm) {
  detour::Buffer<float> buffer(5000);
  CHECK_THAT_HOLDS(std::accumulate(buffer.begin(), buffer.end(), 0.0F) == 0);
  for (float& value : buffer) value = 1;
  detour::Buffer<float> moved = std::move(buffer);
  comm.allreduce(moved);
  CHECK_THAT_HOLDS(moved.size() == 5000 && moved[4999] == static_cast<float>(comm.size()));
  CHECK_THAT_HOLDS(detour::Buffer<int>(0).size() == 0);
  try {
    detour::Buffer<double> too_large(std::numeric_limits<std::size_t>::max() / 4);
    CHECK_THAT_HOLDS(false);
  } catch (const detour::Error& error) {
    CHECK_THAT_HOLDS(error.mpi_class() == MPI_ERR_NO_MEM);
  }
}

// One rank's mistake is everybody's error, and the next operation works.
void check_errors(Communicator& comm) {
  std::vector<int> input(10, 1);
  std::vector<int> output(comm.rank() == 0 ? 9 : 10);
  try {
    comm.allreduce(input, output);
    CHECK_THAT_HOLDS(false);
  } catch (const detour::Error& error) {
    CHECK_THAT_HOLDS(error.mpi_class() == MPI_ERR_COUNT);
    CHECK_THAT_HOLDS(std::string(error.what()).starts_with("detour: allreduce: "));
  }
  const std::error_code code = comm.try_allreduce(input, output);
  CHECK_THAT_HOLDS(detour::error_class(code.value()) == MPI_ERR_COUNT);
  CHECK_THAT_HOLDS(code.category() == detour::mpi_category());
  CHECK_THAT_HOLDS(!code.message().empty());
  std::vector<float> wrong(3);
  CHECK_THAT_HOLDS(detour::error_class(comm.try_allreduce(wrong, Op::band).value()) == MPI_ERR_OP);
  CHECK_THAT_HOLDS(detour::error_class(comm.try_broadcast(wrong, 1000).value()) == MPI_ERR_ROOT);
  CHECK_THAT_HOLDS(!comm.try_allreduce(input));
  CHECK_THAT_HOLDS(input[9] == comm.size());
  CHECK_THAT_HOLDS(!comm.try_barrier());
}

void check_facts(Communicator& comm) {
  comm.barrier();
  std::vector<int> one(1, 1);
  comm.allreduce(one);
  const detour::Result result = comm.last_result();
  std::vector<int> everybody(static_cast<std::size_t>(comm.size()));
  std::iota(everybody.begin(), everybody.end(), 0);
  CHECK_THAT_HOLDS(result.contributors == everybody);
  CHECK_THAT_HOLDS(result.attempts == 1);
  const auto before = comm.statistics();
  comm.allreduce(one);
  const auto after = comm.statistics();
  CHECK_THAT_HOLDS(after.operation_count == before.operation_count + 1);
  comm.set("policy", "direct");
  comm.allreduce(one);
}

void check_ownership() {
  Communicator copy = Communicator::duplicate_of(MPI_COMM_WORLD);
  Communicator view = Communicator::view_of(copy.get());
  CHECK_THAT_HOLDS(view.get() == copy.get());
  Communicator moved = std::move(copy);
  CHECK_THAT_HOLDS(copy.get() == MPI_COMM_NULL);
  std::vector<int> one(1, 1);
  view.allreduce(one);
  CHECK_THAT_HOLDS(one[0] == moved.size());
  moved = Communicator::world();
  moved.allreduce(one);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    check_before_operations();
    Communicator world = Communicator::world();
    check_allreduce(world);
    check_types(world);
    check_rooted(world);
    check_blocks(world);
    check_pending(world);
    check_buffer(world);
    check_errors(world);
    check_facts(world);
    check_ownership();
  }
  MPI_Finalize();
  return detour::test::failure_count == 0 ? 0 : 1;
}
