/* A program whose buffers come from malloc and its family, as programs have them: sums over them, of sizes that come and go
 * and grow. Prints what comes out, and, if any of them lies in the preloaded library's heap, how many do. */
#include <mpi.h>
#include <stdlib.h>

#include "own_heap.h"
#include "report.h"

enum { round_count = 6, buffer_count = 5, element_count_max = 1500000 };

static int rank;
static int rank_count;
static int heap_count;

static double* get(int way, int count) {
  const size_t bytes = (size_t)count * sizeof(double);
  void* memory = NULL;
  switch (way) {
    case 0:
      memory = malloc(bytes);
      break;
    case 1:
      memory = calloc((size_t)count, sizeof(double));
      break;
    case 2:
      if (posix_memalign(&memory, 4096, bytes) != 0) memory = NULL;
      break;
    case 3:
      memory = realloc(malloc(100), bytes);
      break;
    default:
      memory = realloc(calloc((size_t)count, 4), bytes);
  }
  heap_count += is_in_heap(memory);
  return memory;
}

static double checksum(const double* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] * (i % 10 + 1);
  return sum;
}

static void fill(double* values, int count, int seed) {
  for (int i = 0; i < count; ++i) values[i] = (i * 7 + seed * 13 + rank * 5) % 101 - 50;
}

/* Buffers of a round stay until the next one has its own. */
static void exchange(double* buffers[], const int counts[], int round) {
  for (int b = 0; b < buffer_count; ++b) {
    double* const mine = buffers[b];
    double* const other = buffers[(b + 1) % buffer_count];
    const int both =
        counts[b] < counts[(b + 1) % buffer_count] ? counts[b] : counts[(b + 1) % buffer_count];
    fill(mine, counts[b], round + b);
    MPI_Allreduce(mine, other, both, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("round %d, %d to the next: %.0f", round, both, checksum(other, both));
    MPI_Allreduce(MPI_IN_PLACE, mine, counts[b], MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    report("round %d, %d in place: %.0f", round, counts[b], checksum(mine, counts[b]));
    MPI_Sendrecv(mine, both, MPI_DOUBLE, (rank + 1) % rank_count, 1, other, both, MPI_DOUBLE,
                 (rank + rank_count - 1) % rank_count, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    report("round %d, %d sent: %.0f", round, both, checksum(other, both));
    MPI_Bcast(other, both, MPI_DOUBLE, b % rank_count, MPI_COMM_WORLD);
    report("round %d, %d broadcast: %.0f", round, both, checksum(other, both));
  }
}

/* Grows past the limit of what is shared, and shrinks below it. */
static void grow_and_shrink(void) {
  double* values = NULL;
  int filled = 0;
  for (int count = 1000; count < element_count_max; count = count * 3 / 2) {
    values = realloc(values, (size_t)count * sizeof(double));
    for (; filled < count; ++filled) values[filled] = (filled + rank) % 1000;
  }
  report("grown to %d: %.0f", filled, checksum(values, filled));
  heap_count += is_in_heap(values);
  values = realloc(values, 900 * sizeof(double));
  report("shrunk: %.0f", checksum(values, 900));
  free(values);
}

int main(int argc, char** argv) {
  double* buffers[buffer_count];
  double* before[buffer_count];
  int counts[buffer_count];
  double* const early = malloc(element_count_max * sizeof(double));
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  for (int b = 0; b < buffer_count; ++b) before[b] = NULL;
  for (int round = 0; round < round_count; ++round) {
    for (int b = 0; b < buffer_count; ++b) {
      counts[b] = 1000 + (round * 5 + b * 3) % 7 * 200000;
      buffers[b] = get(b, counts[b]);
      free(before[b]);
      before[b] = buffers[b];
    }
    exchange(buffers, counts, round);
  }
  fill(early, element_count_max, 3);
  MPI_Allreduce(MPI_IN_PLACE, early, element_count_max, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  report("from before MPI_Init: %.0f", checksum(early, element_count_max));
  grow_and_shrink();
  if (heap_count > 0) report("in the heap: %d", heap_count);
  free(early);
  MPI_Finalize();
  /* Whose memory it is does not matter any more, but it is there. */
  fill(buffers[2], counts[2], 1);
  if (rank == 0) printf("after the end: %.0f\n", checksum(buffers[2], counts[2]));
  for (int b = 0; b < buffer_count; ++b) free(buffers[b]);
  return 0;
}
