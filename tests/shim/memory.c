/* Memory from MPI_Alloc_mem, written, summed and freed, in threads and in a child: prints what comes out, and, if any
 * of it lies in the preloaded library's heap, how much of what does. */
#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handed_on.h"
#include "own_heap.h"
#include "report.h"

enum { kibibyte = 1024, mebibyte = 1024 * kibibyte };
enum { block_count = 300, again_count = 5000 };

static int rank;
static int heap_count; /* of the current section */

static void* allocate(MPI_Aint bytes, MPI_Info info) {
  char* memory = NULL;
  if (MPI_Alloc_mem(bytes, info, &memory) != MPI_SUCCESS) return NULL;
  heap_count += is_in_heap(memory);
  return memory;
}

static void end_section(const char* name) {
  note_in_heap(name, heap_count);
  heap_count = 0;
}

static void sum(double* values, int count, const char* name) {
  double total = 0;
  for (int i = 0; i < count; ++i) values[i] = (i * 7 + rank * 13) % 101 - 50;
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) total += values[i] * (i % 10 + 1);
  report("%s of %d: %.0f", name, count, total);
}

/* Of both kinds, and those next to the limit. */
static void sizes(void) {
  static const int bytes[] = {8, 1000, 64 * kibibyte - 8, 64 * kibibyte, mebibyte, 5000 * 1000};
  for (int i = 0; i < 6; ++i) {
    double* values = allocate(bytes[i], MPI_INFO_NULL);
    sum(values, bytes[i] / 8, "sum");
    report("freed: %d", MPI_Free_mem(values));
  }
  end_section("sizes");
}

/* More than the library lends, and sums that need room besides. */
static void many(void) {
  static char* blocks[block_count];
  static double others[200000];
  int wrong_count = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  for (int i = 0; i < block_count; ++i) {
    blocks[i] = allocate(mebibyte, MPI_INFO_NULL);
    memset(blocks[i], i % 100, mebibyte);
  }
  sum(others, 200000, "beside many blocks");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Allreduce(MPI_IN_PLACE, others, 200000, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Comm_free(&comm);
  for (int i = block_count; i-- > 0;) {
    wrong_count += count_other_than(blocks[i], mebibyte, i % 100);
    MPI_Free_mem(blocks[i]);
  }
  report("%d wrong in %d blocks", wrong_count, block_count);
  end_section("blocks");
}

static void again(void) {
  for (int i = 1; i < again_count; ++i) {
    void* memory = NULL;
    MPI_Alloc_mem(mebibyte, MPI_INFO_NULL, &memory);
    memset(memory, 1, 4096);
    MPI_Free_mem(memory);
  }
  MPI_Free_mem(allocate(mebibyte, MPI_INFO_NULL));
  end_section("again");
}

/* Who wants something special gets it from MPI; an empty list wants nothing. */
static void hints(void) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Free_mem(allocate(mebibyte, info));
  end_section("without hints");
  MPI_Info_set(info, "alignment", "4096");
  double* values = allocate(3 * mebibyte, info);
  sum(values, 1000, "sum with hints");
  MPI_Free_mem(values);
  MPI_Info_free(&info);
  end_section("with hints");
}

static void errors(void) {
  void* memory = NULL;
  int error_class = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Alloc_mem(-1, MPI_INFO_NULL, &memory), &error_class);
  report("negative: %d", error_class);
  MPI_Error_class(MPI_Alloc_mem(mebibyte, MPI_INFO_NULL, NULL), &error_class);
  report("nowhere: %d", error_class);
  report("nothing: %d", MPI_Alloc_mem(0, MPI_INFO_NULL, &memory));
}

static void* allocate_from_mpi(size_t bytes) {
  void* memory = NULL;
  MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &memory);
  return memory;
}

static void free_by_mpi(void* memory) {
  MPI_Free_mem(memory);
}

static void threads(void) {
  const Handing how = {allocate_from_mpi, free_by_mpi, 300, 8 * kibibyte};
  hand_memory_on(&how);
}

/* It sees what was there, and changes nothing for its parent. */
static void child(void) {
  int status = -1;
  char* memory = allocate(mebibyte, MPI_INFO_NULL);
  memset(memory, 5, mebibyte);
  const pid_t made = fork();
  if (made == 0) {
    const int is_right = memory[0] == 5 && memory[mebibyte - 1] == 5;
    memset(memory, 6, mebibyte);
    _exit(is_right && memory[mebibyte / 2] == 6 ? 0 : 1);
  }
  waitpid(made, &status, 0);
  report("child: %d, %d wrong", status, count_other_than(memory, mebibyte, 5));
  sum((double*)memory, mebibyte / 8, "after a child");
  MPI_Free_mem(memory);
  end_section("before a child");
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sizes();
  many();
  again();
  hints();
  threads();
  child();
  errors();
  report_heap();
  MPI_Finalize();
  return 0;
}
