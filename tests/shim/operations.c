/* Collective operations, on the world and on communicators made from it: prints what comes out. */
#include <mpi.h>
#include <stdlib.h>

#include "report.h"

enum { most_count = 70000 };

static double values[most_count];
static double results[most_count];
static int rank;
static int rank_count;

/* Sums of these are exact in any order. */
static void fill(int count, int seed) {
  for (int i = 0; i < count; ++i) values[i] = (i * 7 + seed * 13) % 101 - 50;
  for (int i = 0; i < most_count; ++i) results[i] = -1;
}

static double checksum(int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += results[i] * (i % 10 + 1);
  return sum;
}

static void reductions(MPI_Comm comm, const char* name) {
  static const int counts[] = {0, 1, 17, 1000, most_count};
  const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX};
  for (int c = 0; c < 5; ++c) {
    for (int o = 0; o < 3; ++o) {
      fill(counts[c], rank);
      MPI_Allreduce(values, results, counts[c], MPI_DOUBLE, ops[o], comm);
      report("%s allreduce %d %d: %.0f", name, counts[c], o, checksum(counts[c]));
      for (int i = 0; i < counts[c]; ++i) results[i] = values[i];
      MPI_Allreduce(MPI_IN_PLACE, results, counts[c], MPI_DOUBLE, ops[o], comm);
      report("%s in place %d %d: %.0f", name, counts[c], o, checksum(counts[c]));
    }
  }
}

static void other_operations(MPI_Comm comm, const char* name) {
  int member = 0;
  int member_count = 0;
  MPI_Comm_rank(comm, &member);
  MPI_Comm_size(comm, &member_count);
  int* counts = malloc((size_t)member_count * sizeof(int));
  int* starts = malloc((size_t)member_count * sizeof(int));
  for (int i = 0, start = 0; i < member_count; start += counts[i++]) {
    counts[i] = 5 + i;
    starts[i] = start;
  }
  const int root = member_count - 1;

  fill(1000, rank);
  MPI_Reduce(values, results, 1000, MPI_DOUBLE, MPI_SUM, root, comm);
  report("%s reduce: %.0f", name, checksum(1000));
  fill(1000, rank);
  for (int i = 0; i < 1000; ++i) results[i] = member == root ? values[i] : -1;
  MPI_Bcast(results, 1000, MPI_DOUBLE, root, comm);
  report("%s bcast: %.0f", name, checksum(1000));
  MPI_Allgather(values, 9, MPI_DOUBLE, results, 9, MPI_DOUBLE, comm);
  report("%s allgather: %.0f", name, checksum(9 * member_count));
  MPI_Allgatherv(values, counts[member], MPI_DOUBLE, results, counts, starts, MPI_DOUBLE, comm);
  report("%s allgatherv: %.0f", name, checksum(counts[root] + starts[root]));
  fill(1000, rank);
  MPI_Reduce_scatter(values, results, counts, MPI_DOUBLE, MPI_SUM, comm);
  report("%s reduce_scatter: %.0f", name, checksum(counts[member]));
  MPI_Reduce_scatter_block(values, results, 6, MPI_DOUBLE, MPI_SUM, comm);
  report("%s reduce_scatter_block: %.0f", name, checksum(6));
  MPI_Barrier(comm);
  free(counts);
  free(starts);
}

/* Affine maps, composed: pairs (factor, shift) modulo 2^32. Does not commute. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  const unsigned* left = in;
  unsigned* right = inout;
  for (int i = 0; i < *count; ++i, left += 2, right += 2) {
    right[1] = left[0] * right[1] + left[1];
    right[0] = left[0] * right[0];
  }
}

static void user_operation(MPI_Comm comm, const char* name) {
  MPI_Op op;
  MPI_Datatype pair;
  MPI_Op_create(compose, 0, &op);
  MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
  MPI_Type_commit(&pair);
  unsigned maps[200];
  unsigned composed[200];
  for (unsigned i = 0; i < 200; ++i) maps[i] = 3 + i * 5 + (unsigned)rank * 11;
  MPI_Allreduce(maps, composed, 100, pair, op, comm);
  unsigned sum = 0;
  for (unsigned i = 0; i < 200; ++i) sum = sum * 31 + composed[i];
  report("%s user operation: %u", name, sum);
  MPI_Type_free(&pair);
  MPI_Op_free(&op);
}

static void all(MPI_Comm comm, const char* name) {
  reductions(comm, name);
  other_operations(comm, name);
  user_operation(comm, name);
}

/* A call that the library leaves to MPI: the sum of one group goes to the other. The groups are the even and the
 * odd ranks, each led by its last. */
static void between_groups(MPI_Comm half) {
  MPI_Comm between;
  int value = rank + 1;
  int sum = 0;
  const int last = rank_count - 1;
  const int other_leader = last % 2 != rank % 2 ? last : last - 1;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other_leader, 5, &between);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, between);
  report("between groups: %d", sum);
  MPI_Comm_free(&between);
}

static void parts_of_the_world(void) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  all(part, "split");
  if (rank_count > 1) between_groups(part);
  MPI_Comm_free(&part);
  MPI_Comm_dup(MPI_COMM_WORLD, &part);
  all(part, "dup");
  MPI_Comm_free(&part);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &part);
  all(part, "split_type");
  MPI_Comm_free(&part);
}

/* Of all ranks but the last, who is not in it. */
static void groups(void) {
  MPI_Group world;
  MPI_Group most;
  MPI_Comm comm;
  const int last = rank_count - 1;
  int value = rank;
  int sum = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_excl(world, 1, &last, &most);
  for (int i = 0; i < 2; ++i) {
    comm = MPI_COMM_NULL;
    if (i == 0) MPI_Comm_create(MPI_COMM_WORLD, most, &comm);
    if (i == 1 && rank != last) MPI_Comm_create_group(MPI_COMM_WORLD, most, 3, &comm);
    if (comm != MPI_COMM_NULL) {
      MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
      MPI_Comm_free(&comm);
    }
    report("group %d: %d", i, sum);
  }
  MPI_Group_free(&most);
  MPI_Group_free(&world);
}

static void wrong_calls(void) {
  MPI_Comm comm;
  int error_class = 0;
  int value = 1;
  int sum = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Allreduce(&value, &sum, -1, MPI_INT, MPI_SUM, comm), &error_class);
  report("negative count is an error: %d", error_class == MPI_ERR_COUNT);
  MPI_Error_class(MPI_Bcast(&value, 1, MPI_INT, rank_count, comm), &error_class);
  report("root that is not there is an error: %d", error_class == MPI_ERR_ROOT);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  report("and then: %d", sum);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  all(MPI_COMM_WORLD, "world");
  all(MPI_COMM_SELF, "self");
  parts_of_the_world();
  groups();
  wrong_calls();
  MPI_Finalize();
  return 0;
}
