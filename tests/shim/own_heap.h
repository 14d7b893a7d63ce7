/* What lies in the memory that the preloaded library shares with other ranks; without the library nothing does. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

static inline int is_in_heap(const void* memory) {
  const uintptr_t address = (uintptr_t)memory;
  char line[512];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (!found && fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (strstr(line, "/memfd:detour-heap") == NULL) continue;
    found = sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin <= address && address < end;
  }
  fclose(maps);
  return found;
}

/* One line for all sections of a program, and none if there is nothing. */
static char heap_counts[line_bytes];

static inline void note_in_heap(const char* section, int count) {
  const size_t length = strlen(heap_counts);
  snprintf(heap_counts + length, sizeof heap_counts - length, " %s %d", section, count);
}

static inline void report_heap(void) {
  if (strpbrk(heap_counts, "123456789") != NULL) report("in the heap:%s", heap_counts);
}
