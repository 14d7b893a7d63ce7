// Prints what collective operations that are left to MPI give, in all their forms: the same with the library, which
// runs them over memory of its own, as without.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "calls.hpp"

namespace {

using others::Data;

int world_rank = 0;
int world_size = 0;

void print(const std::string& name, const std::vector<int>& values) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const int value : values) digest = (digest ^ static_cast<unsigned>(value)) * 0x100000001b3;
  std::printf("%s rank %d: %016llx\n", name.c_str(), world_rank,
              static_cast<unsigned long long>(digest));
}

void make_all(const std::vector<others::OtherCall>& calls, MPI_Comm ring, int length) {
  for (const auto& call : calls) {
    Data data(call.needs_neighbours ? ring : MPI_COMM_WORLD, world_size, length);
    MPI_Request request = MPI_REQUEST_NULL;
    int error = call.make(data, &request);
    if (error == MPI_SUCCESS) error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    print(call.name + (error == MPI_SUCCESS ? "" : " failed"), data.received);
  }
}

// Every block is in its place before.
Data placed(int length) {
  Data data(MPI_COMM_WORLD, world_size, length);
  data.received = data.sent;
  return data;
}

void make_in_place(int length) {
  const bool is_root = world_rank == 0;
  const void* const in_place = MPI_IN_PLACE;
  Data d = placed(length);
  MPI_Gather(is_root ? in_place : d.sent.data(), length, MPI_INT, d.received.data(), length,
             MPI_INT, 0, MPI_COMM_WORLD);
  print("gather in place", d.received);
  d = placed(length);
  MPI_Scatter(d.sent.data(), length, MPI_INT, is_root ? MPI_IN_PLACE : d.received.data(), length,
              MPI_INT, 0, MPI_COMM_WORLD);
  print("scatter in place", d.received);
  d = placed(length);
  MPI_Alltoall(in_place, 0, MPI_INT, d.received.data(), length, MPI_INT, MPI_COMM_WORLD);
  print("alltoall in place", d.received);
  d = placed(length);
  MPI_Scan(in_place, d.received.data(), length, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  print("scan in place", d.received);
  d = placed(length);
  MPI_Exscan(in_place, d.received.data(), length, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  print("exscan in place", d.received);
  MPI_Request request = MPI_REQUEST_NULL;
  d = placed(length);
  MPI_Ireduce_scatter(in_place, d.received.data(), d.counts.data(), MPI_INT, MPI_SUM,
                      MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  d.received.resize(static_cast<std::size_t>(length));
  print("ireduce_scatter in place", d.received);
  d = placed(length);
  MPI_Iallgather(in_place, 0, MPI_INT, d.received.data(), length, MPI_INT, MPI_COMM_WORLD,
                 &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  print("iallgather in place", d.received);
  d = placed(length);
  MPI_Ireduce(is_root ? in_place : d.sent.data(), d.received.data(), length, MPI_INT, MPI_SUM, 0,
              MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  print("ireduce in place", d.received);
}

// Every second element: those between stay as they are.
void make_with_gaps(int length) {
  MPI_Datatype sparse = MPI_DATATYPE_NULL;
  MPI_Type_vector(length / 2, 1, 2, MPI_INT, &sparse);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(sparse, 0, length * static_cast<MPI_Aint>(sizeof(int)), &block);
  MPI_Type_commit(&block);
  Data d(MPI_COMM_WORLD, world_size, length);
  MPI_Gather(d.sent.data(), 1, block, d.received.data(), 1, block, 0, MPI_COMM_WORLD);
  print("gather with gaps", d.received);
  d = Data(MPI_COMM_WORLD, world_size, length);
  MPI_Alltoall(d.sent.data(), 1, block, d.received.data(), 1, block, MPI_COMM_WORLD);
  print("alltoall with gaps", d.received);
  MPI_Type_free(&sparse);
  MPI_Type_free(&block);
}

// Absolute addresses.
void make_from_bottom(int length) {
  Data d(MPI_COMM_WORLD, world_size, length);
  MPI_Aint address = 0;
  MPI_Get_address(d.received.data(), &address);
  const int count = length * world_size;
  MPI_Datatype all = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(1, &count, &address, MPI_INT, &all);
  MPI_Type_commit(&all);
  MPI_Request request = MPI_REQUEST_NULL;
  if (world_rank == 0) d.received = d.sent;
  MPI_Ibcast(MPI_BOTTOM, 1, all, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  print("ibcast from the bottom", d.received);
  MPI_Type_free(&all);
}

// The first rank of the lower half is the root of the upper one.
void make_between_groups(int length) {
  if (world_size < 2) return;
  const bool is_lower = world_rank < world_size / 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_lower ? 0 : 1, world_rank, &half);
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_lower ? world_size / 2 : 0, 0, &both);
  const int root = is_lower ? (world_rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  Data d(MPI_COMM_WORLD, world_size, length);
  MPI_Gather(d.sent.data(), length, MPI_INT, d.received.data(), length, MPI_INT, root, both);
  print("gather between groups", d.received);
  MPI_Scatter(d.sent.data(), length, MPI_INT, d.received.data(), length, MPI_INT, root, both);
  print("scatter between groups", d.received);
  MPI_Alltoall(d.sent.data(), length, MPI_INT, d.received.data(), length, MPI_INT, both);
  print("alltoall between groups", d.received);
  MPI_Allreduce(d.sent.data(), d.received.data(), length, MPI_INT, MPI_SUM, both);
  print("allreduce between groups", d.received);
  MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

void print_error(const char* name, int error) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  std::printf("%s rank %d: class %d\n", name, world_rank, error_class);
}

// What MPI refuses is refused in the same words.
void make_wrong() {
  int value = 0;
  int values[64] = {};
  MPI_Request request = MPI_REQUEST_NULL;
  print_error("a negative count",
              MPI_Gather(&value, -1, MPI_INT, values, 1, MPI_INT, 0, MPI_COMM_WORLD));
  print_error("no datatype",
              MPI_Scan(&value, values, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD));
  print_error("no such root",
              MPI_Scatter(values, 1, MPI_INT, &value, 1, MPI_INT, world_size, MPI_COMM_WORLD));
  print_error("no communicator", MPI_Ibarrier(MPI_COMM_NULL, &request));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // whole lines, which may be sorted
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  const int not_periodic = 0;
  MPI_Comm line = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &world_size, &not_periodic, 0, &line);
  for (const int length : {2, 1'000, 50'000}) {
    // Neighbours have two blocks each, the ends of the line one that is not theirs.
    if (world_size >= 2) {
      make_all(others::blocking_calls(), line, length);
      make_all(others::nonblocking_calls(), line, length);
    }
    make_in_place(length);
    make_with_gaps(length);
    make_from_bottom(length);
    make_between_groups(length);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_wrong();
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
