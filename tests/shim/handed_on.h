/* Threads that hand memory on: each writes a piece, which the next one reads and frees. */
#pragma once

#include <stddef.h>

typedef struct Handing {
  void* (*allocate)(size_t bytes);
  void (*release)(void* memory);
  int round_count;
  size_t unit_bytes; /* pieces are from 1 to 40 of them */
} Handing;

/* Collective over the world: reports how often something was wrong. */
void hand_memory_on(const Handing* how);

int count_other_than(const char* memory, size_t bytes, int value);
