// Lists of requests of which some wait for the living and some for the dead: every call that takes a list.
#include <algorithm>
#include <array>

#include "job.hpp"

namespace {

constexpr int living = 1;

// Two receives from the living, one of which has its message, one from the dead, and one that is none.
struct List {
  std::array<int, 4> numbers{};
  std::array<MPI_Request, 4> requests{};
  std::array<MPI_Status, 4> statuses{};
  static constexpr int count = 4;
  static constexpr int to_come = 0;
  static constexpr int lost = 1;
  static constexpr int none = 2;
  static constexpr int there = 3;
};

void ask_for_message(int tag) {
  MPI_Send(&tag, 1, MPI_INT, living, job::tag, job::comm);
}

void receive(List& list, int at, int source, int tag) {
  const auto index = static_cast<std::size_t>(at);
  MPI_Irecv(&list.numbers[index], 1, MPI_INT, source, tag, job::comm, &list.requests[index]);
}

List make_list(int victim) {
  List list;
  list.requests.fill(MPI_REQUEST_NULL);
  for (MPI_Status& status : list.statuses) status.MPI_ERROR = -1;
  receive(list, List::to_come, living, 20);
  receive(list, List::lost, victim, job::tag);
  receive(list, List::there, living, 21);
  ask_for_message(21);
  return list;
}

bool is_gone(const List& list, int at) {
  return list.requests[static_cast<std::size_t>(at)] == MPI_REQUEST_NULL;
}

void expect_error_in(const List& list, int at, int victim) {
  job::expect_failed(list.statuses[static_cast<std::size_t>(at)].MPI_ERROR, victim);
}

void expect_message_in(const List& list, int at, int tag) {
  const auto index = static_cast<std::size_t>(at);
  const MPI_Status& status = list.statuses[index];
  job::expect(status.MPI_SOURCE == living && status.MPI_TAG == tag, "a message of the living");
  job::expect(list.numbers[index] == tag, "what is in it");
}

void waitall(int victim) {
  List list = make_list(victim);
  ask_for_message(20);
  const int error = MPI_Waitall(List::count, list.requests.data(), list.statuses.data());
  job::expect(error == MPI_ERR_IN_STATUS, "errors are in the statuses");
  expect_error_in(list, List::lost, victim);
  for (const int at : {List::to_come, List::there}) {
    expect_message_in(list, at, at == List::there ? 21 : 20);
    job::expect_success(list.statuses[static_cast<std::size_t>(at)].MPI_ERROR);
  }
  job::expect_success(list.statuses[List::none].MPI_ERROR);
  for (int at = 0; at < List::count; ++at) job::expect(is_gone(list, at), "all are gone");
}

void testall(int victim) {
  List list = make_list(victim);
  const auto requests = list.requests;
  int flag = 1;
  // One has not ended: nothing may change, however long one looks.
  for (int times = 0; times < 2000; ++times) {
    job::expect_success(
        MPI_Testall(List::count, list.requests.data(), &flag, list.statuses.data()));
    job::expect(flag == 0 && list.requests == requests, "not all have ended");
  }
  job::wait_until_dead(victim);
  job::expect_success(MPI_Testall(List::count, list.requests.data(), &flag, list.statuses.data()));
  job::expect(flag == 0 && list.requests == requests, "not all have ended, one has failed");
  ask_for_message(20);
  int error = MPI_SUCCESS;
  while (error == MPI_SUCCESS) {
    job::expect(flag == 0, "one has failed");
    error = MPI_Testall(List::count, list.requests.data(), &flag, list.statuses.data());
  }
  job::expect(error == MPI_ERR_IN_STATUS && flag != 0, "errors are in the statuses");
  expect_error_in(list, List::lost, victim);
  expect_message_in(list, List::to_come, 20);
  expect_message_in(list, List::there, 21);
}

// `take(list, &index)` takes one that has ended, and returns its error.
template <typename Take>
void take_one_by_one(int victim, const Take& take) {
  List list = make_list(victim);
  std::array<int, 2> ended{};
  for (int& index : ended) {
    const int error = take(list, &index);
    if (index == List::lost) {
      job::expect_failed(error, victim);
    } else {
      job::expect_success(error);
      job::expect(index == List::there, "the one that is there");
    }
    job::expect(is_gone(list, index), "the request is gone");
  }
  job::expect(ended[0] != ended[1], "each once");
  job::expect(!is_gone(list, List::to_come), "one has not ended");
  ask_for_message(20);
  int last = -1;
  job::expect_success(take(list, &last));
  job::expect(last == List::to_come, "the last");
  job::expect_success(take(list, &last));
  job::expect(last == MPI_UNDEFINED, "none is left");
}

int wait_any(List& list, int* index) {
  return MPI_Waitany(List::count, list.requests.data(), index, list.statuses.data());
}

int test_any(List& list, int* index) {
  int flag = 0;
  int error = MPI_SUCCESS;
  while (error == MPI_SUCCESS && flag == 0) {
    error = MPI_Testany(List::count, list.requests.data(), index, &flag, list.statuses.data());
  }
  return error;
}

// `take(list, &count, indices)` takes those that have ended, at least one.
template <typename Take>
void take_several(int victim, const Take& take) {
  List list = make_list(victim);
  std::array<int, List::count> indices{};
  int ended_count = 0;
  bool has_failed = false;
  while (ended_count < 2) {
    int count = 0;
    const int error = take(list, &count, indices.data());
    bool fails_now = false;
    for (int at = 0; at < count; ++at) {
      if (indices[static_cast<std::size_t>(at)] != List::lost) continue;
      fails_now = true;
      expect_error_in(list, at, victim);
    }
    job::expect(error == (fails_now ? MPI_ERR_IN_STATUS : MPI_SUCCESS), "the call's own error");
    has_failed = has_failed || fails_now;
    ended_count += count;
  }
  job::expect(has_failed && ended_count == 2, "two have ended, one with an error");
  ask_for_message(20);
  int count = 0;
  job::expect_success(take(list, &count, indices.data()));
  job::expect(count == 1 && indices[0] == List::to_come, "the last");
}

int wait_some(List& list, int* count, int* indices) {
  return MPI_Waitsome(List::count, list.requests.data(), count, indices, list.statuses.data());
}

int test_some(List& list, int* count, int* indices) {
  int error = MPI_SUCCESS;
  while (error == MPI_SUCCESS && *count == 0) {
    error = MPI_Testsome(List::count, list.requests.data(), count, indices, list.statuses.data());
  }
  return error;
}

// Sends back what it is asked for, until there is nothing more.
void answer() {
  for (;;) {
    int tag = 0;
    MPI_Recv(&tag, 1, MPI_INT, 0, job::tag, job::comm, MPI_STATUS_IGNORE);
    if (tag == 0) return;
    MPI_Send(&tag, 1, MPI_INT, 0, tag, job::comm);
  }
}

}  // namespace

int main(int argc, char** argv) {
  job::begin(&argc, &argv);
  if (job::rank == living) {
    answer();
  } else if (job::rank != 0) {
    job::obey();
  } else {
    int victim = living;
    const auto with_victim = [&](const char* name, const std::function<void(int)>& body) {
      ++victim;
      job::run(name, [&] {
        job::give(victim, job::Order::die_later);
        body(victim);
      });
    };
    with_victim("MPI_Waitall", waitall);
    with_victim("MPI_Testall", testall);
    with_victim("MPI_Waitany", [](int dead) { take_one_by_one(dead, wait_any); });
    with_victim("MPI_Testany", [](int dead) { take_one_by_one(dead, test_any); });
    with_victim("MPI_Waitsome", [](int dead) { take_several(dead, wait_some); });
    with_victim("MPI_Testsome", [](int dead) { take_several(dead, test_some); });
    job::expect(victim + 1 == job::size, "a victim for each");
    ask_for_message(0);
  }
  MPI_Finalize();
  return 0;
}
