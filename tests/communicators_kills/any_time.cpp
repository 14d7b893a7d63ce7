// Makes, uses and frees communicators without a pause while ranks are killed at random moments.
//
//   any_time SEED KILL_COUNT
//
// Who is in a communicator is for the others to find out: what they find has to be the same on all of its members.
#include <random>
#include <vector>

#include "survivors.hpp"

using namespace detour::test;

namespace {

constexpr int round_count = 60;

void die_after(std::chrono::microseconds time) {
  std::thread([time] {
    std::this_thread::sleep_for(time);
    die();
  }).detach();
}

// Makes one in that way, out of this one. The draw is the same on all ranks.
MPI_Comm make(MPI_Comm parent, unsigned way) {
  int rank = 0;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm comm = MPI_COMM_NULL;
  switch (way % 4) {
    case 0:
      MPI_Comm_dup(parent, &comm);
      break;
    case 1:
      MPI_Comm_split(parent, rank % 2, -rank, &comm);
      break;
    case 2: {
      MPI_Group group = MPI_GROUP_NULL;
      MPI_Comm_group(parent, &group);
      MPI_Comm_create(parent, group, &comm);
      MPI_Group_free(&group);
      break;
    }
    default: {
      MPI_Group group = MPI_GROUP_NULL;
      MPI_Comm_group(parent, &group);
      MPI_Comm_create_group(parent, group, 3, &comm);
      MPI_Group_free(&group);
      break;
    }
  }
  return comm;
}

// Every member's sum of the others' world ranks is the same, and the member is in it.
void check(const Survivors& job, MPI_Comm comm) {
  const Ranks members = job.members(comm);
  job.expect((members & only(job.rank())) != 0, "a member is in its communicator");
  const Ranks mine[2] = {members, ~members};
  Ranks all[2] = {};
  job.expect(MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_BOR, comm) == MPI_SUCCESS, "a sum");
  job.expect(all[0] == members && all[1] == ~members, "members agree on who they are");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Survivors job;
  std::mt19937 random(static_cast<unsigned>(argc > 1 ? std::atoi(argv[1]) : 1));
  const int kill_count = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<int> victims;
  for (int rank = 0; rank < job.size(); ++rank) victims.push_back(rank);
  for (std::size_t at = victims.size() - 1; at > 0; --at) {
    std::swap(victims[at], victims[random() % (at + 1)]);
  }
  bool is_victim = false;
  for (int at = 0; at < kill_count; ++at) {
    const std::chrono::microseconds time(random() % 300'000);
    if (victims[static_cast<std::size_t>(at)] != job.rank()) continue;
    is_victim = true;
    die_after(time);
  }
  for (int round = 0; round < round_count; ++round) {
    const unsigned way = static_cast<unsigned>(random());
    MPI_Comm child = make(MPI_COMM_WORLD, way);
    check(job, child);
    MPI_Comm grandchild = make(child, way / 4);
    check(job, grandchild);
    MPI_Comm_free(&child);
    check(job, grandchild);
    MPI_Comm_free(&grandchild);
  }
  while (is_victim) pause();
  job.members(MPI_COMM_WORLD);
  job.finish();
  return 0;
}
