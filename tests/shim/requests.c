/* MPI_Iallreduce among other requests, and how MPI starts and ends: prints what comes out. */
#include <mpi.h>

#include "report.h"

enum { element_count = 5000, request_count = 4 };

static int values[2][element_count];
static int sums[2][element_count];
static int sent;
static int received;
static int rank;
static int rank_count;
static MPI_Request requests[request_count];

/* Two sums, a message to the next rank and one from the rank before. */
static void begin(int seed) {
  for (int i = 0; i < element_count; ++i) {
    values[0][i] = i + rank * seed;
    values[1][i] = i - rank * seed;
  }
  sent = seed * 100 + rank;
  received = -1;
  const int next = (rank + 1) % rank_count;
  const int before = (rank + rank_count - 1) % rank_count;
  MPI_Iallreduce(values[0], sums[0], element_count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&received, 1, MPI_INT, before, seed, MPI_COMM_WORLD, &requests[1]);
  MPI_Iallreduce(values[1], sums[1], element_count, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&sent, 1, MPI_INT, next, seed, MPI_COMM_WORLD, &requests[3]);
}

static void end(const char* name) {
  unsigned sum = 0;
  int gone_count = 0;
  for (int i = 0; i < element_count; ++i) {
    sum = sum * 31 + (unsigned)sums[0][i] + 7 * (unsigned)sums[1][i];
  }
  for (int i = 0; i < request_count; ++i) gone_count += requests[i] == MPI_REQUEST_NULL;
  report("%s: %u %d %d", name, sum, received, gone_count);
}

static void one_by_one(void) {
  MPI_Status status;
  int flag = 0;
  begin(1);
  MPI_Wait(&requests[0], &status);
  while (!flag) MPI_Request_get_status(requests[2], &flag, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
  for (flag = 0; !flag;) MPI_Test(&requests[1], &flag, &status);
  MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
  end("one by one");
}

static void all_at_once(void) {
  MPI_Status statuses[request_count];
  int flag = 0;
  begin(2);
  MPI_Waitall(request_count, requests, statuses);
  report("source: %d", statuses[1].MPI_SOURCE);
  end("waitall");
  begin(3);
  while (!flag) MPI_Testall(request_count, requests, &flag, MPI_STATUSES_IGNORE);
  end("testall");
}

static void any(void) {
  int index = -1;
  int flag = 0;
  int index_sum = 0;
  begin(4);
  for (int i = 0; i < request_count; ++i) {
    MPI_Waitany(request_count, requests, &index, MPI_STATUS_IGNORE);
    index_sum += index;
  }
  MPI_Waitany(request_count, requests, &index, MPI_STATUS_IGNORE);
  report("indices: %d %d", index_sum, index == MPI_UNDEFINED);
  end("waitany");
  begin(5);
  for (int i = 0; i < request_count; i += flag) {
    MPI_Testany(request_count, requests, &index, &flag, MPI_STATUS_IGNORE);
  }
  end("testany");
}

static void some(void) {
  int indices[request_count];
  int count = 0;
  begin(6);
  for (int done = 0; done < request_count; done += count) {
    MPI_Waitsome(request_count, requests, &count, indices, MPI_STATUSES_IGNORE);
  }
  end("waitsome");
  begin(7);
  for (int done = 0; done < request_count; done += count) {
    MPI_Testsome(request_count, requests, &count, indices, MPI_STATUSES_IGNORE);
  }
  end("testsome");
}

int main(int argc, char** argv) {
  int before = -1;
  int after = -1;
  int provided = -1;
  int level = -1;
  MPI_Initialized(&before);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Initialized(&after);
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  report("%d argument, started %d %d, level %d %d", argc, before, after,
         provided == MPI_THREAD_FUNNELED, level == MPI_THREAD_FUNNELED);
  one_by_one();
  all_at_once();
  any();
  some();
  MPI_Finalize();
  MPI_Finalized(&after);
  if (rank == 0) printf("ended %d\n", after);
  return 0;
}
