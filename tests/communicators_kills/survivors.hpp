// What the programs here have in common: ranks that die, and sums that tell who is in a communicator.
#pragma once

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace detour::test {

// A set of ranks of MPI_COMM_WORLD: one bit for each of at most 16.
using Ranks = std::uint64_t;

constexpr Ranks only(int rank) {
  return Ranks{1} << rank;
}

[[noreturn]] inline void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

class Survivors {
 public:
  Survivors() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    living_ = (Ranks{1} << size_) - 1;
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  Ranks living() const { return living_; }

  void expect(bool holds, const std::string& what) const {
    if (holds) return;
    std::fprintf(stderr, "rank %d: not so: %s\n", rank_, what.c_str());
    std::fflush(stderr);
    std::_Exit(1);
  }

  // The rank dies at once; whether the others know it already is open.
  void lose(int victim) {
    living_ &= ~only(victim);
    if (rank_ == victim) die();
  }

  // It dies when the others have waited for it for a while.
  void lose_late(int victim) {
    living_ &= ~only(victim);
    if (rank_ != victim) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    die();
  }

  // Returns when all who live know that the others don't.
  void let_all_know() const {
    while (members(MPI_COMM_WORLD) != living_) usleep(1000);
    expect(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS, "a barrier of the survivors");
  }

  // Every rank adds 1 << (4 * rank): each digit of the sum is how often that rank is in it.
  Ranks members(MPI_Comm comm, std::size_t element_count = 1) const {
    std::vector<std::uint64_t> sums(element_count, std::uint64_t{1} << (4 * rank_));
    expect(MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(element_count), MPI_UINT64_T,
                         MPI_SUM, comm) == MPI_SUCCESS,
           "a sum");
    const auto other =
        std::find_if(sums.begin(), sums.end(), [&](auto sum) { return sum != sums[0]; });
    if (other != sums.end()) fail_for_difference(sums, other - sums.begin());
    Ranks found = 0;
    for (int rank = 0; rank < size_; ++rank) {
      const auto times = sums[0] >> (4 * rank) & 0xf;
      expect(times <= 1, "nobody is in a sum twice");
      if (times == 1) found |= only(rank);
    }
    return found;
  }

  // That the communicator is of these ranks and no others, numbered without gaps, and fit for work of any size.
  void expect_members(MPI_Comm comm, Ranks ranks, const std::string& what) const {
    expect(comm != MPI_COMM_NULL, what + " is there");
    int size = 0;
    MPI_Comm_size(comm, &size);
    expect(size == std::popcount(ranks), what + " has no gaps");
    expect(members(comm) == ranks, what + " has the right members");
    constexpr std::size_t many = 20'000;  // several pieces
    expect(members(comm, many) == ranks, what + " has the right members in large sums");
  }

  void expect_rank(MPI_Comm comm, int expected, const std::string& what) const {
    int rank = MPI_UNDEFINED;
    MPI_Comm_rank(comm, &rank);
    expect(rank == expected,
           what + ": rank " + std::to_string(rank) + " instead of " + std::to_string(expected));
  }

  // How many of them have smaller numbers.
  int place_in(Ranks ranks) const { return std::popcount(ranks & (only(rank_) - 1)); }

  static void free(MPI_Comm& comm) { MPI_Comm_free(&comm); }

  // To be the last line of a program that went well.
  void finish() const {
    std::printf("rank %d is done\n", rank_);
    std::fflush(stdout);
    MPI_Finalize();
  }

 private:
  // Says of which elements, for whoever has to find out which piece of the data went wrong.
  [[noreturn]] void fail_for_difference(const std::vector<std::uint64_t>& sums,
                                        std::ptrdiff_t first) const {
    const auto last =
        std::find_if(sums.rbegin(), sums.rend(), [&](auto sum) { return sum != sums[0]; });
    std::fprintf(stderr,
                 "rank %d: not so: all of %zu elements are of the same members: element 0 is "
                 "%#llx, %td is %#llx, %td "
                 "is %#llx, the last is %#llx; living %#llx\n",
                 rank_, sums.size(), static_cast<unsigned long long>(sums[0]), first,
                 static_cast<unsigned long long>(sums[static_cast<std::size_t>(first)]),
                 sums.rend() - last - 1, static_cast<unsigned long long>(*last),
                 static_cast<unsigned long long>(sums.back()),
                 static_cast<unsigned long long>(living_));
    std::fflush(stderr);
    std::_Exit(1);
  }

  int rank_ = 0;
  int size_ = 1;
  Ranks living_ = 0;
};

// That the call fails because of a death, and says so.
inline bool is_process_failure(int error) {
  if (error == MPI_SUCCESS) return false;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, text, &length);
  return std::string(text, static_cast<std::size_t>(length)).find("died") != std::string::npos;
}

}  // namespace detour::test
