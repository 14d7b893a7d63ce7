/* Data-parallel training as many programs do it: every rank learns from samples of its own, and
 * gradients are summed with MPI_Allreduce. Nothing in here knows of Detour:
 *
 *   mpicc -O2 train.c -lm -o train
 *   mpirun -n 4 -x LD_PRELOAD=libdetour_mpi.so ./train [STEPS [LOG_FOLDER]]
 *   detourrun -np 4 ./train
 *
 * A net with one hidden layer learns to read digits: 5x7 dots, somewhere in a noisy picture of 8x8.
 * Rank 0 prints how it gets on; with LOG_FOLDER every rank writes that into a file of its own there
 * instead.
 */
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  side = 8,
  pixel_count = side * side,
  hidden_count = 192,
  digit_count = 10,
  glyph_rows = 7,
  glyph_cols = 5,
  batch_size = 32 /* of each rank, in each step */
};

/* A row of dots is five bits, the leftmost is the highest. */
static const unsigned char glyphs[digit_count][glyph_rows] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},  {14, 17, 1, 2, 4, 8, 31},
    {31, 2, 4, 2, 1, 17, 14},     {2, 6, 10, 18, 31, 2, 2}, {31, 16, 30, 1, 1, 17, 14},
    {6, 8, 16, 30, 17, 17, 14},   {31, 1, 2, 4, 8, 8, 8},   {14, 17, 17, 14, 17, 17, 14},
    {14, 17, 17, 15, 1, 2, 12},
};

/* What one sum carries: the gradient of a layer (its weights, an offset last), and a 1 from everybody.
 * So whoever gets the sum knows of how many ranks it is, and its mean is right whoever is missing. */
struct HiddenBucket {
  double weights[hidden_count][pixel_count + 1];
  double rank_count;
};

struct OutputBucket {
  double weights[digit_count][hidden_count + 1];
  double loss;
  double right_count;
  double rank_count;
};

struct Sample {
  double pixels[pixel_count];
  int digit;
};

/* Large, so not on the stack. */
static struct {
  struct HiddenBucket hidden;
  struct OutputBucket output;
} net, gradient, speed;

/* The same numbers on every machine, from 0 to 1. */
static double next_number(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)((uint64_t)1 << 53);
}

static void draw_sample(uint64_t* random, struct Sample* sample) {
  sample->digit = (int)(next_number(random) * digit_count);
  const int left = (int)(next_number(random) * (side - glyph_cols + 1));
  const int top = (int)(next_number(random) * (side - glyph_rows + 1));
  for (int i = 0; i < pixel_count; ++i) sample->pixels[i] = 1.2 * next_number(random) - 0.6;
  for (int row = 0; row < glyph_rows; ++row) {
    for (int col = 0; col < glyph_cols; ++col) {
      const int dot = glyphs[sample->digit][row] >> (glyph_cols - 1 - col) & 1;
      sample->pixels[(top + row) * side + left + col] += dot;
    }
  }
}

static double weighted_sum(const double* weights, const double* inputs, int count) {
  double sum = weights[count];
  for (int i = 0; i < count; ++i) sum += weights[i] * inputs[i];
  return sum;
}

static void add_slope(double* slopes, double error, const double* inputs, int count) {
  for (int i = 0; i < count; ++i) slopes[i] += error * inputs[i];
  slopes[count] += error;
}

/* Turns what the last layer says into probabilities. */
static void softmax(double* values) {
  double largest = values[0];
  double sum = 0;
  for (int d = 1; d < digit_count; ++d) largest = fmax(largest, values[d]);
  for (int d = 0; d < digit_count; ++d) sum += values[d] = exp(values[d] - largest);
  for (int d = 0; d < digit_count; ++d) values[d] /= sum;
}

/* Adds the sample's part to the gradient. */
static void learn(const struct Sample* sample) {
  double hidden[hidden_count];
  double guess[digit_count];
  double back[hidden_count] = {0};
  int best = 0;
  for (int h = 0; h < hidden_count; ++h) {
    hidden[h] = tanh(weighted_sum(net.hidden.weights[h], sample->pixels, pixel_count));
  }
  for (int d = 0; d < digit_count; ++d) {
    guess[d] = weighted_sum(net.output.weights[d], hidden, hidden_count);
    if (guess[d] > guess[best]) best = d;
  }
  softmax(guess);
  gradient.output.loss -= log(guess[sample->digit]);
  gradient.output.right_count += best == sample->digit;
  for (int d = 0; d < digit_count; ++d) {
    const double error = guess[d] - (d == sample->digit);
    add_slope(gradient.output.weights[d], error, hidden, hidden_count);
    for (int h = 0; h < hidden_count; ++h) back[h] += error * net.output.weights[d][h];
  }
  for (int h = 0; h < hidden_count; ++h) {
    add_slope(gradient.hidden.weights[h], back[h] * (1 - hidden[h] * hidden[h]), sample->pixels,
              pixel_count);
  }
}

static void descend(double* weights, double* speeds, const double* slopes, size_t count,
                    double rank_count) {
  const double rate = 0.1;
  const double momentum = 0.9;
  const double share = 1 / (rank_count * batch_size);
  for (size_t i = 0; i < count; ++i) {
    speeds[i] = momentum * speeds[i] - rate * share * slopes[i];
    weights[i] += speeds[i];
  }
}

static void sum_over_ranks(void* bucket, size_t bytes) {
  MPI_Allreduce(MPI_IN_PLACE, bucket, (int)(bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
}

static void take_step(uint64_t* random) {
  struct Sample sample;
  memset(&gradient, 0, sizeof gradient);
  gradient.hidden.rank_count = gradient.output.rank_count = 1;
  for (int i = 0; i < batch_size; ++i) {
    draw_sample(random, &sample);
    learn(&sample);
  }
  /* The last layer's first, as it is ready first. */
  sum_over_ranks(&gradient.output, sizeof gradient.output);
  sum_over_ranks(&gradient.hidden, sizeof gradient.hidden);
  descend(net.output.weights[0], speed.output.weights[0], gradient.output.weights[0],
          sizeof net.output.weights / sizeof(double), gradient.output.rank_count);
  descend(net.hidden.weights[0], speed.hidden.weights[0], gradient.hidden.weights[0],
          sizeof net.hidden.weights / sizeof(double), gradient.hidden.rank_count);
}

static void begin_weights(uint64_t* random, double* weights, int count, int input_count) {
  const double range = 1 / sqrt(input_count);
  for (int i = 0; i < count; ++i) weights[i] = range * (2 * next_number(random) - 1);
}

/* FNV-1a over all weights: the same if every bit is. */
static uint64_t digest_of_weights(void) {
  uint64_t digest = 0xcbf29ce484222325u;
  const unsigned char* const bytes = (const unsigned char*)&net;
  for (size_t i = 0; i < sizeof net; ++i) digest = (digest ^ bytes[i]) * 0x100000001b3u;
  return digest;
}

static double mean_loss(void) {
  return gradient.output.loss / (gradient.output.rank_count * batch_size);
}

static double right_percent(void) {
  return 100 * gradient.output.right_count / (gradient.output.rank_count * batch_size);
}

static FILE* open_log(const char* folder, int rank) {
  char path[4096];
  snprintf(path, sizeof path, "%s/rank-%d.log", folder, rank);
  FILE* const log = fopen(path, "w");
  if (log == NULL) {
    perror(path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  setvbuf(log, NULL, _IOLBF, BUFSIZ);
  fprintf(log, "pid %ld\n", (long)getpid());
  return log;
}

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int step_count = argc > 1 ? atoi(argv[1]) : 300;
  FILE* const log = argc > 2 ? open_log(argv[2], rank) : NULL;

  /* Rank 0 decides where all of them start. */
  uint64_t random = 1000u + (uint64_t)rank;
  begin_weights(&random, net.hidden.weights[0], hidden_count * (pixel_count + 1), pixel_count);
  begin_weights(&random, net.output.weights[0], digit_count * (hidden_count + 1), hidden_count);
  MPI_Bcast(&net, (int)(sizeof net / sizeof(double)), MPI_DOUBLE, 0, MPI_COMM_WORLD);

  for (int step = 1; step <= step_count; ++step) {
    take_step(&random);
    if (log != NULL) {
      fprintf(log, "step %d loss %.6f right %.1f ranks %.0f bytes %zu\n", step, mean_loss(),
              right_percent(), gradient.hidden.rank_count,
              sizeof gradient.output + sizeof gradient.hidden);
    } else if (rank == 0 && step % 100 == 0) {
      printf("step %4d  loss %.6f  right %.1f %%\n", step, mean_loss(), right_percent());
    }
  }
  if (log != NULL) {
    fprintf(log, "end loss %a weights %016" PRIx64 "\n", mean_loss(), digest_of_weights());
    fclose(log);
  }
  MPI_Finalize();
  return 0;
}
