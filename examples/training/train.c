/* Data-parallel training as many programs do it: every rank has its own samples, and gradients are summed with
 * MPI_Allreduce. Nothing in here knows of Detour:
 *
 *   mpicc -O2 train.c -lm -o train && mpirun -n 4 -x LD_PRELOAD=libdetour_mpi.so ./train
 *
 * Two layers learn whether a point lies inside a circle.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { hidden_count = 16, sample_count = 512, step_count = 300 };

struct Net {
  double in[hidden_count][3]; /* weights for x and y, and an offset */
  double out[hidden_count + 1];
};

/* Besides the gradient, so that one sum carries everything. */
struct Step {
  struct Net gradient;
  double loss;
  double right_count;
};

/* The same numbers on every machine, between -1 and 1. */
static double next_number(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (double)(1u << 23) - 1;
}

static void learn(const struct Net* net, double x, double y, struct Step* step) {
  const double wanted = x * x + y * y < 0.5;
  double hidden[hidden_count];
  double sum = net->out[hidden_count];
  for (int h = 0; h < hidden_count; ++h) {
    hidden[h] = tanh(net->in[h][0] * x + net->in[h][1] * y + net->in[h][2]);
    sum += net->out[h] * hidden[h];
  }
  const double guess = 1 / (1 + exp(-sum));
  const double error = guess - wanted;
  step->loss -= log(wanted > 0.5 ? guess : 1 - guess);
  step->right_count += (guess > 0.5) == (wanted > 0.5);
  step->gradient.out[hidden_count] += error;
  for (int h = 0; h < hidden_count; ++h) {
    const double back = error * net->out[h] * (1 - hidden[h] * hidden[h]);
    step->gradient.out[h] += error * hidden[h];
    step->gradient.in[h][0] += back * x;
    step->gradient.in[h][1] += back * y;
    step->gradient.in[h][2] += back;
  }
}

static void descend(struct Net* net, const struct Net* gradient, double rate) {
  double* weights = (double*)net;
  const double* slopes = (const double*)gradient;
  for (size_t i = 0; i < sizeof *net / sizeof(double); ++i) weights[i] -= rate * slopes[i];
}

int main(int argc, char** argv) {
  int rank = 0;
  int rank_count = 0;
  double points[sample_count][2];
  struct Net net;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);

  unsigned state = 1000u + (unsigned)rank;
  for (int i = 0; i < sample_count; ++i) {
    points[i][0] = next_number(&state);
    points[i][1] = next_number(&state);
  }
  /* Rank 0 decides where all of them start. */
  double* weights = (double*)&net;
  for (size_t i = 0; i < sizeof net / sizeof(double); ++i) weights[i] = next_number(&state);
  MPI_Bcast(&net, (int)(sizeof net / sizeof(double)), MPI_DOUBLE, 0, MPI_COMM_WORLD);

  const double all = (double)sample_count * rank_count;
  for (int number = 0; number <= step_count; ++number) {
    struct Step step;
    memset(&step, 0, sizeof step);
    for (int i = 0; i < sample_count; ++i) learn(&net, points[i][0], points[i][1], &step);
    MPI_Allreduce(MPI_IN_PLACE, &step, (int)(sizeof step / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    descend(&net, &step.gradient, 2 / all);
    if (rank == 0 && number % 100 == 0) {
      printf("step %3d  loss %.6f  right %.0f of %.0f\n", number, step.loss / all, step.right_count,
             all);
    }
  }
  MPI_Finalize();
  return 0;
}
