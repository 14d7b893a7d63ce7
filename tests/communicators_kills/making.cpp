// Makes communicators in every way while ranks die: before, known to all or not, and while others wait for them.
//
//   making known|unknown|late        eight ranks
#include <cstring>
#include <functional>
#include <vector>

#include "survivors.hpp"

using namespace detour::test;

namespace {

struct Way {
  const char* name;
  std::function<void(const Survivors&)> make_and_check;
};

// Of these ranks of the job, the highest one first: an order that nobody gets right by chance.
MPI_Group backwards_group_of(const Survivors& job, Ranks ranks) {
  std::vector<int> list;
  for (int rank = job.size() - 1; rank >= 0; --rank) {
    if ((ranks & only(rank)) != 0) list.push_back(rank);
  }
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, static_cast<int>(list.size()), list.data(), &group);
  MPI_Group_free(&world);
  return group;
}

void expect_backwards(const Survivors& job, MPI_Comm comm, Ranks ranks, const char* what) {
  job.expect_members(comm, ranks, what);
  job.expect_rank(comm, std::popcount(ranks) - 1 - job.place_in(ranks), what);
}

void dup(const Survivors& job) {
  MPI_Comm comm = MPI_COMM_NULL;
  job.expect(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS, "dup");
  job.expect_members(comm, job.living(), "dup");
  job.expect_rank(comm, job.place_in(job.living()), "dup");
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &handler);
  job.expect(handler == MPI_ERRORS_RETURN, "dup has its parent's error handler");
  MPI_Errhandler_free(&handler);
  MPI_Comm again = MPI_COMM_NULL;
  job.expect(MPI_Comm_dup(comm, &again) == MPI_SUCCESS, "dup of dup");
  job.expect_members(again, job.living(), "dup of dup");
  Survivors::free(comm);
  Survivors::free(again);
}

void dup_with_info(const Survivors& job) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Comm comm = MPI_COMM_NULL;
  job.expect(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm) == MPI_SUCCESS, "dup_with_info");
  job.expect_members(comm, job.living(), "dup_with_info");
  Survivors::free(comm);
  MPI_Info_free(&info);
}

// Even and odd ranks, the odd ones backwards.
void split(const Survivors& job) {
  const bool odd = job.rank() % 2 == 1;
  constexpr Ranks evens = 0x5555;
  const Ranks mates = job.living() & (odd ? ~evens : evens);
  MPI_Comm comm = MPI_COMM_NULL;
  job.expect(
      MPI_Comm_split(MPI_COMM_WORLD, odd ? 7 : 0, odd ? -job.rank() : 0, &comm) == MPI_SUCCESS,
      "split");
  if (odd) {
    expect_backwards(job, comm, mates, "split");
  } else {
    job.expect_members(comm, mates, "split");
    job.expect_rank(comm, job.place_in(mates), "split");
  }
  Survivors::free(comm);
}

// One rank wants none. The others' color is what a rank without one might be taken to have.
void split_but_one(const Survivors& job) {
  const int last = static_cast<int>(std::bit_width(job.living())) - 1;
  const Ranks mates = job.living() & ~only(last);
  MPI_Comm comm = MPI_COMM_NULL;
  job.expect(MPI_Comm_split(MPI_COMM_WORLD, job.rank() == last ? MPI_UNDEFINED : 0, 0, &comm) ==
                 MPI_SUCCESS,
             "split but one");
  if (job.rank() == last) {
    job.expect(comm == MPI_COMM_NULL, "no communicator without a color");
    return;
  }
  job.expect_members(comm, mates, "split but one");
  Survivors::free(comm);
}

void split_type(const Survivors& job) {
  MPI_Comm comm = MPI_COMM_NULL;
  job.expect(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -job.rank(), MPI_INFO_NULL,
                                 &comm) == MPI_SUCCESS,
             "split_type");
  expect_backwards(job, comm, job.living(), "split_type");
  Survivors::free(comm);
}

// Two groups at once, with the dead in them, and ranks that are in neither.
void create(const Survivors& job) {
  constexpr Ranks low = 0x0e;
  constexpr Ranks high = 0x70;
  const Ranks wanted = (high & only(job.rank())) != 0 ? high : low;
  MPI_Group group = backwards_group_of(job, wanted);
  MPI_Comm comm = MPI_COMM_NULL;
  job.expect(MPI_Comm_create(MPI_COMM_WORLD, group, &comm) == MPI_SUCCESS, "create");
  MPI_Group_free(&group);
  if ((wanted & only(job.rank())) == 0) {
    job.expect(comm == MPI_COMM_NULL, "no communicator outside the group");
    return;
  }
  expect_backwards(job, comm, wanted & job.living(), "create");
  Survivors::free(comm);
}

void create_group(const Survivors& job) {
  constexpr Ranks wanted = 0x7e;
  if ((wanted & only(job.rank())) == 0) return;
  MPI_Group group = backwards_group_of(job, wanted);
  MPI_Comm comm = MPI_COMM_NULL;
  job.expect(MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, &comm) == MPI_SUCCESS, "create_group");
  MPI_Group_free(&group);
  expect_backwards(job, comm, wanted & job.living(), "create_group");
  Survivors::free(comm);
}

const std::vector<Way> ways{
    {"dup", dup},
    {"dup_with_info", dup_with_info},
    {"split", split},
    {"create", create},
    {"create_group", create_group},
    {"split_but_one", split_but_one},
    {"split_type", split_type},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* const when = argc > 1 ? argv[1] : "";
  Survivors job;
  for (const Way& way : ways) way.make_and_check(job);
  // A communicator of before goes on with its old numbers, and can be freed with dead members.
  MPI_Comm old = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &old);
  // Rank 0 among them, and at the end there is one left of each half.
  const std::vector<int> victims{3, 0, 6, 5, 1, 4};
  for (std::size_t at = 0; at < victims.size(); ++at) {
    if (std::strcmp(when, "late") == 0) {
      job.lose_late(victims[at]);
    } else {
      job.lose(victims[at]);
      if (std::strcmp(when, "known") == 0) job.let_all_know();
    }
    const std::size_t count = ways.size();
    for (std::size_t turn = 0; turn < count; ++turn) {
      ways[(at + turn) % count].make_and_check(job);
    }
  }
  job.expect(job.members(old) == job.living(), "an old communicator goes on");
  job.expect_rank(old, job.rank(), "old numbers stay");
  Survivors::free(old);
  for (const Way& way : ways) way.make_and_check(job);
  job.finish();
  return 0;
}
