// Whether each peer is what its name says: floats are summed in an order that the algorithm determines, so sums of
// numbers of very different size tell algorithms apart.
#include <cmath>
#include <map>
#include <random>

#include "compare/open_mpi_peers.hpp"
#include "support/job.hpp"

namespace {

using namespace detour;

constexpr int element_count = 4096;

std::vector<float> numbers_of(int rank) {
  std::mt19937 random(static_cast<unsigned>(rank));
  std::uniform_real_distribution<float> part(-1, 1);
  std::vector<float> numbers;
  for (int index = 0; index < element_count; ++index) {
    numbers.push_back(std::ldexp(part(random), static_cast<int>(random() % 20)));
  }
  return numbers;
}

std::map<std::string, std::vector<float>> sums_by_name(int rank) {
  const std::vector<float> numbers = numbers_of(rank);
  const tool::OpenMpiPeers peers;
  std::map<std::string, std::vector<float>> sums;
  for (const tool::PeerCall& peer : peers.calls()) {
    std::vector<float> sum(element_count);
    peer.call(numbers.data(), sum.data(), element_count);
    sums[peer.name] = sum;
  }
  return sums;
}

}  // namespace

int main(int argc, char** argv) {
  tool::prepare_environment_for_peers();
  test::Job job(&argc, &argv);
  auto sums = sums_by_name(job.rank());
  for (const char* name : {"tuned", "basic", "sm", "libnbc"}) {
    job.expect(sums.contains(name), std::string(name) + " is among the peers");
  }
  job.expect(sums["ring"] != sums["recursive doubling"], "ring differs from recursive doubling");
  job.expect(sums["linear"] != sums["recursive doubling"],
             "linear differs from recursive doubling");
  job.expect(sums["linear"] != sums["ring"], "linear differs from ring");
  job.expect(sums["rabenseifner"] != sums["ring"], "rabenseifner differs from ring");
  // By pieces, but in the same order.
  job.expect(sums["segmented ring, 64K"] == sums["ring"], "a segmented ring sums as a ring");
  return job.finish();
}
