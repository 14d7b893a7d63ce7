/* Threads on communicators of their own, each with sums and messages under way at the same time: prints how many
 * results were wrong. */
#include <mpi.h>
#include <pthread.h>

#include "report.h"

enum { thread_count = 4, round_count = 100, element_count = 300, request_count = 4 };

typedef struct Worker {
  MPI_Comm comm;
  int wrong_count;
} Worker;

static int rank;
static int rank_count;

static void complete(int round, MPI_Request requests[]) {
  int flag = 0;
  int index = 0;
  switch (round % 3) {
    case 0:
      MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
      break;
    case 1:
      for (int i = 0; i < request_count; ++i) {
        MPI_Waitany(request_count, requests, &index, MPI_STATUS_IGNORE);
      }
      break;
    default:
      while (!flag) MPI_Testall(request_count, requests, &flag, MPI_STATUSES_IGNORE);
  }
}

static int work_once(MPI_Comm comm, int round) {
  int values[element_count];
  int sums[element_count];
  int maxima[element_count];
  int again[element_count];
  const int before = (rank + rank_count - 1) % rank_count;
  const int sent = round * 100 + rank;
  int received = -1;
  int wrong_count = 0;
  MPI_Request requests[request_count];
  for (int i = 0; i < element_count; ++i) values[i] = rank + i + round;
  MPI_Iallreduce(values, sums, element_count, MPI_INT, MPI_SUM, comm, &requests[0]);
  MPI_Irecv(&received, 1, MPI_INT, before, 0, comm, &requests[1]);
  MPI_Iallreduce(values, maxima, element_count, MPI_INT, MPI_MAX, comm, &requests[2]);
  MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % rank_count, 0, comm, &requests[3]);
  complete(round, requests);
  MPI_Allreduce(values, again, element_count, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < element_count; ++i) {
    const int sum = rank_count * (i + round) + rank_count * (rank_count - 1) / 2;
    wrong_count += sums[i] != sum || again[i] != sum || maxima[i] != rank_count - 1 + i + round;
  }
  return wrong_count + (received != round * 100 + before);
}

static void* work(void* argument) {
  Worker* worker = argument;
  for (int round = 0; round < round_count; ++round) {
    worker->wrong_count += work_once(worker->comm, round);
  }
  return NULL;
}

int main(int argc, char** argv) {
  Worker workers[thread_count];
  pthread_t threads[thread_count];
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  report("threads are allowed: %d", provided == MPI_THREAD_MULTIPLE);
  for (int i = 0; i < thread_count; ++i) {
    workers[i].wrong_count = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
  }
  for (int i = 0; i < thread_count; ++i) pthread_create(&threads[i], NULL, work, &workers[i]);
  for (int i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < thread_count; ++i) {
    report("thread %d: %d wrong", i, workers[i].wrong_count);
    MPI_Comm_free(&workers[i].comm);
  }
  MPI_Finalize();
  return 0;
}
