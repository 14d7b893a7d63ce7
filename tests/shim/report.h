/* Lines of text in the order of the ranks, whatever mpirun does with their output. */
#pragma once

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { line_bytes = 160 };

/* Collective over the world. By MPI_Gather, which the library leaves alone. */
static inline void report(const char* format, ...) {
  char line[line_bytes];
  int rank = 0;
  int rank_count = 0;
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  char* lines = malloc((size_t)rank_count * line_bytes);
  MPI_Gather(line, line_bytes, MPI_CHAR, lines, line_bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < rank_count; ++i) printf("%d: %s\n", i, lines + i * line_bytes);
  fflush(stdout);
  free(lines);
}
