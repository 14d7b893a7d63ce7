/* What malloc and its family promise, for pieces that the preloaded library may take into its heap: prints what holds, and,
 * if any of them lies there, how many do. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handed_on.h"
#include "own_heap.h"
#include "report.h"

enum { kibibyte = 1024, mebibyte = 1024 * kibibyte };
enum { block_count = 40 };

static int rank;

static int is_multiple(const void* memory, size_t unit) {
  return (uintptr_t)memory % unit == 0;
}

static void alignments(void) {
  int wrong_count = 0;
  int heap_count = 0;
  for (size_t unit = 16; unit <= 4 * mebibyte; unit *= 2) {
    void* pieces[3] = {NULL, aligned_alloc(unit, 4 * mebibyte), memalign(unit, 3 * mebibyte)};
    wrong_count += posix_memalign(&pieces[0], unit, 2 * mebibyte + 1) != 0;
    for (int i = 0; i < 3; ++i) {
      wrong_count += !is_multiple(pieces[i], unit);
      heap_count += is_in_heap(pieces[i]);
      memset(pieces[i], 1, 2 * mebibyte);
      free(pieces[i]);
    }
  }
  void* place = NULL;
  wrong_count += posix_memalign(&place, 3, 4 * mebibyte) != EINVAL;
  wrong_count += posix_memalign(&place, 2, 4 * mebibyte) != EINVAL;
  report("alignments: %d wrong", wrong_count);
  note_in_heap("aligned", heap_count);
}

/* Leaves memory behind that is not zero: pieces too small to go back to the system when they are freed. */
static void soil(void) {
  void* pieces[40];
  for (int i = 0; i < 40; ++i) {
    MPI_Alloc_mem(512 * kibibyte, MPI_INFO_NULL, &pieces[i]);
    memset(pieces[i], 0xff, 512 * kibibyte);
  }
  for (int i = 0; i < 40; ++i) MPI_Free_mem(pieces[i]);
}

/* Also where others have been before. */
static void zeros(void) {
  int wrong_count = 0;
  int heap_count = 0;
  for (int round = 0; round < 8; ++round) {
    const size_t bytes = (size_t)(2 + round) * mebibyte + (size_t)round * 1001;
    char* const used = malloc(bytes);
    memset(used, 0xff, bytes);
    free(used);
    soil();
    char* const zeroed = calloc(bytes, 1);
    wrong_count += count_other_than(zeroed, bytes, 0);
    heap_count += is_in_heap(zeroed);
    memset(zeroed, 0xff, malloc_usable_size(zeroed));
    free(zeroed);
  }
  report("zeros: %d wrong", wrong_count);
  note_in_heap("zeroed", heap_count);
}

/* Up and down across the size from which pieces are shared. */
static void reallocations(void) {
  static const size_t sizes[] = {100,          3 * mebibyte, 2 * mebibyte, mebibyte,
                                 4 * mebibyte, 9 * mebibyte, 2 * mebibyte, 10};
  int wrong_count = 0;
  int heap_count = 0;
  size_t filled = 0;
  char* memory = NULL;
  for (int i = 0; i < 8; ++i) {
    memory = realloc(memory, sizes[i]);
    wrong_count += count_other_than(memory, filled < sizes[i] ? filled : sizes[i], 7);
    wrong_count += malloc_usable_size(memory) < sizes[i];
    memset(memory, 7, malloc_usable_size(memory));
    filled = sizes[i];
    heap_count += is_in_heap(memory);
  }
  memory = reallocarray(memory, 3, mebibyte);
  wrong_count += count_other_than(memory, filled, 7);
  heap_count += is_in_heap(memory);
  memory = reallocarray(memory, 5, mebibyte);
  heap_count += is_in_heap(memory);
  report("reallocations: %d wrong", wrong_count);
  note_in_heap("reallocated", heap_count);
  free(memory);
}

static void impossible_sizes(void) {
  volatile size_t huge = SIZE_MAX / 2 + 1;
  int wrong_count = malloc(huge) != NULL;
  wrong_count += malloc(huge - 2) != NULL;
  wrong_count += calloc(huge, 2) != NULL;
  char* const memory = calloc(1, 3 * mebibyte);
  wrong_count += realloc(memory, huge) != NULL;
  wrong_count += count_other_than(memory, 3 * mebibyte, 0);
  errno = 77;
  free(memory);
  wrong_count += errno != 77;
  free(NULL);
  wrong_count += malloc_usable_size(NULL) != 0;
  report("impossible sizes: %d wrong", wrong_count);
}

static void* allocate_in_two_steps(size_t bytes) {
  return realloc(malloc(bytes / 4), bytes);
}

static void threads(void) {
  const Handing how = {allocate_in_two_steps, free, 60, 100 * kibibyte};
  hand_memory_on(&how);
}

/* What it does with all memory that there is: 0 if nothing is wrong. */
static int live_as_child(char* memory, size_t bytes) {
  int wrong_count = count_other_than(memory, bytes, 5);
  memset(memory, 6, bytes);
  char* const own = calloc(1, 4 * mebibyte);
  wrong_count += count_other_than(own, 4 * mebibyte, 0);
  const pid_t grandchild = fork();
  if (grandchild == 0) _exit(count_other_than(memory, bytes, 6) == 0 ? 0 : 1);
  int status = -1;
  waitpid(grandchild, &status, 0);
  memory = realloc(memory, 2 * bytes);
  wrong_count += count_other_than(memory, bytes, 6) + (status != 0);
  free(own);
  free(memory);
  return wrong_count == 0 ? 0 : 1;
}

/* Nothing that a child does is seen by its parent. */
static void child(void) {
  const size_t bytes = 6 * mebibyte;
  int status = -1;
  char* const memory = malloc(bytes);
  memset(memory, 5, bytes);
  const pid_t made = fork();
  if (made == 0) _exit(live_as_child(memory, bytes));
  waitpid(made, &status, 0);
  char* const next = malloc(bytes);
  memset(next, 1, bytes);
  report("child: %d, %d wrong", status, count_other_than(memory, bytes, 5));
  note_in_heap("before a child", is_in_heap(memory));
  free(next);
  free(memory);
}

/* One that was there before any memory was asked for: both get memory, which the other one does not see. */
static void early_child(void) {
  const size_t bytes = 4 * mebibyte;
  int to_child[2];
  int to_parent[2];
  char word = 0;
  if (pipe(to_child) != 0 || pipe(to_parent) != 0) abort();
  const pid_t made = fork();
  char* memory = NULL;
  if (made == 0) {
    memory = malloc(bytes);
    memset(memory, 7, bytes);
    if (write(to_parent[1], &word, 1) != 1 || read(to_child[0], &word, 1) != 1) _exit(2);
    _exit(count_other_than(memory, bytes, 7) == 0 ? 0 : 1);
  }
  int status = read(to_parent[0], &word, 1) == 1 ? -1 : -2;
  memory = malloc(bytes);
  memset(memory, 8, bytes);
  if (write(to_child[1], &word, 1) != 1) status = -3;
  waitpid(made, &status, 0);
  report("early child: %d, %d wrong", status, count_other_than(memory, bytes, 8));
  free(memory);
}

/* More than there is, with sums that need room besides; again and again. */
static void many(void) {
  static char* blocks[block_count];
  static double values[300000];
  int wrong_count = 0;
  int heap_count = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < block_count; ++i) {
      blocks[i] = malloc(8 * mebibyte);
      heap_count += is_in_heap(blocks[i]);
      memset(blocks[i], i, 100000);
    }
    for (int i = 0; i < 300000; ++i) values[i] = 1;
    MPI_Allreduce(MPI_IN_PLACE, values, 300000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    wrong_count += values[0] != values[299999];
    for (int i = block_count; i-- > 0;) {
      wrong_count += count_other_than(blocks[i], 100000, i);
      free(blocks[i]);
    }
  }
  report("%d blocks: %d wrong, sum %.0f", block_count, wrong_count, values[0]);
  note_in_heap("blocks", heap_count);
}

static char* left_over;

static void at_exit(void) {
  const size_t bytes = 5 * mebibyte;
  int wrong_count = count_other_than(left_over, bytes, 9);
  left_over = realloc(left_over, 2 * bytes);
  wrong_count += count_other_than(left_over, bytes, 9);
  free(left_over);
  free(calloc(1, bytes));
  if (rank == 0) printf("at exit: %d wrong\n", wrong_count);
}

int main(int argc, char** argv) {
  atexit(at_exit);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  early_child();
  left_over = malloc(5 * mebibyte);
  memset(left_over, 9, 5 * mebibyte);
  note_in_heap("left over", is_in_heap(left_over));
  alignments();
  zeros();
  reallocations();
  impossible_sizes();
  threads();
  child();
  many();
  report_heap();
  MPI_Finalize();
  return 0;
}
