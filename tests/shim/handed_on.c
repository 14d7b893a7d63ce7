#include "handed_on.h"

#include <pthread.h>
#include <string.h>

#include "report.h"

enum { thread_count = 4 };

static const Handing* handing;
static char* handed_on[thread_count];
static pthread_barrier_t barrier;

int count_other_than(const char* memory, size_t bytes, int value) {
  int count = 0;
  for (size_t at = 0; at < bytes; ++at) count += memory[at] != (char)value;
  return count;
}

static size_t bytes_of(int thread, int round) {
  return (size_t)(1 + (round * 7 + thread * 3) % 40) * handing->unit_bytes;
}

/* The argument is the thread's number at first, and then how often something was wrong. */
static void* hand_on(void* argument) {
  const int me = *(int*)argument;
  const int other = (me + 1) % thread_count;
  int wrong_count = 0;
  for (int round = 0; round < handing->round_count; ++round) {
    handed_on[me] = handing->allocate(bytes_of(me, round));
    memset(handed_on[me], me + 1, bytes_of(me, round));
    pthread_barrier_wait(&barrier);
    wrong_count += count_other_than(handed_on[other], bytes_of(other, round), other + 1);
    handing->release(handed_on[other]);
    pthread_barrier_wait(&barrier);
  }
  *(int*)argument = wrong_count;
  return NULL;
}

void hand_memory_on(const Handing* how) {
  pthread_t threads[thread_count];
  int numbers[thread_count];
  handing = how;
  pthread_barrier_init(&barrier, NULL, thread_count);
  for (int i = 0; i < thread_count; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, hand_on, &numbers[i]);
  }
  for (int i = 0; i < thread_count; ++i) {
    pthread_join(threads[i], NULL);
    report("thread %d: %d wrong", i, numbers[i]);
  }
  pthread_barrier_destroy(&barrier);
}
