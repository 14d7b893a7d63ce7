// Data-parallel training in its smallest form: all ranks fit one line to points of which each rank has some,
// and average their gradients with Detour.
//
//   mpirun -np 4 average_gradients
#include <cmath>
#include <detour/detour.hpp>
#include <iostream>
#include <span>

namespace {

constexpr double slope = 3;
constexpr double intercept = -1;
constexpr int points_per_rank = 64;
constexpr int step_count = 400;
constexpr double learning_rate = 0.5;

struct Model {
  double slope = 0;
  double intercept = 0;
};

// Of the mean squared error over this rank's points, all of which lie in [0, 1).
void compute_gradients(const Model& model, int rank, int rank_count, std::span<double> gradients) {
  gradients[0] = gradients[1] = 0;
  for (int point = 0; point < points_per_rank; ++point) {
    const double x =
        static_cast<double>(point * rank_count + rank) / (points_per_rank * rank_count);
    const double error = model.slope * x + model.intercept - (slope * x + intercept);
    gradients[0] += 2 * error * x / points_per_rank;
    gradients[1] += 2 * error / points_per_rank;
  }
}

Model train(detour::Communicator& world) {
  // Memory that the other ranks of the node can read; a std::vector would do, too.
  detour::Buffer<double> gradients(2);
  Model model;
  for (int step = 0; step < step_count; ++step) {
    compute_gradients(model, world.rank(), world.size(), {gradients.data(), gradients.size()});
    world.allreduce(gradients);
    // Those who are in the sum, should ranks have failed, are those to divide by.
    const auto contributor_count = static_cast<double>(world.last_result().contributors.size());
    model.slope -= learning_rate * gradients[0] / contributor_count;
    model.intercept -= learning_rate * gradients[1] / contributor_count;
  }
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool fits = false;
  try {
    detour::Communicator world = detour::Communicator::world();
    const Model model = train(world);
    fits = std::abs(model.slope - slope) < 1e-3 && std::abs(model.intercept - intercept) < 1e-3;
    if (world.rank() == 0) {
      std::cout << "y = " << model.slope << " x + " << model.intercept << '\n';
    }
  } catch (const detour::Error& error) {
    std::cerr << error.what() << '\n';
  }
  MPI_Finalize();
  return fits ? 0 : 1;
}
