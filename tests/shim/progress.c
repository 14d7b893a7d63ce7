/* Rank 0 has a large message on its way to rank 1 while it waits in a collective operation, which rank 1 comes to
 * only after it has received the message: whoever waits has to let MPI work. */
#include <mpi.h>

#include "report.h"

enum { message_count = 1 << 21, element_count = 1000 };

static int sent[message_count];
static int received[message_count];
static int values[element_count];
static int sums[element_count];

static void blocking(void) {
  MPI_Allreduce(values, sums, element_count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void barrier(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void) {
  MPI_Bcast(sums, element_count, MPI_INT, 1, MPI_COMM_WORLD);
}

static void reduce(void) {
  MPI_Reduce(values, sums, element_count, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void wait_for_it(void) {
  MPI_Request request;
  MPI_Iallreduce(values, sums, element_count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void wait_in_a_list(void) {
  MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int index = 0;
  MPI_Iallreduce(values, sums, element_count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  void (*const forms[])(void) = {blocking, barrier, bcast, reduce, wait_for_it, wait_in_a_list};
  const int form_count = (int)(sizeof forms / sizeof *forms);
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < message_count; ++i) sent[i] = i;
  for (int form = 0; form < form_count; ++form) {
    MPI_Request request = MPI_REQUEST_NULL;
    for (int i = 0; i < element_count; ++i) sums[i] = values[i] = rank + i;
    if (rank == 0) MPI_Isend(sent, message_count, MPI_INT, 1, form, MPI_COMM_WORLD, &request);
    if (rank == 1) {
      MPI_Recv(received, message_count, MPI_INT, 0, form, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    forms[form]();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    report("%d: %d %d", form, sums[element_count - 1], received[message_count - 1]);
  }
  MPI_Finalize();
  return 0;
}
