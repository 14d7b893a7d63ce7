// Requests of the library's, alone and in lists with MPI's own.
#include <mpi.h>

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "detour/detour.h"
#include "support/catch.hpp"
#include "support/fake_operation.hpp"
#include "support/mpi_session.hpp"

namespace {

using detour::test::FakeOperation;
using detour::test::MpiSession;
using detour::test::request_of;

std::shared_ptr<FakeOperation> ended_operation(int error = MPI_SUCCESS) {
  auto operation = std::make_shared<FakeOperation>(error);
  operation->end();
  return operation;
}

// A receive from oneself, and the message for it.
struct SelfMessage {
  int value = 0;
  MPI_Request receive = MPI_REQUEST_NULL;

  explicit SelfMessage(int tag) : tag_(tag) {
    PMPI_Irecv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &receive);
  }
  void send(int sent) const { PMPI_Send(&sent, 1, MPI_INT, 0, tag_, MPI_COMM_SELF); }

 private:
  int tag_;
};

}  // namespace

TEST_CASE_METHOD(MpiSession, "a request ends with its operation") {
  const auto operation = std::make_shared<FakeOperation>();
  MPI_Request request = request_of(operation);
  REQUIRE(request != MPI_REQUEST_NULL);

  int flag = 1;
  CHECK(Detour_Test(&request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(flag == 0);
  CHECK(Detour_Request_get_status(request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(flag == 0);
  CHECK(request != MPI_REQUEST_NULL);

  operation->end();
  CHECK(Detour_Request_get_status(request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(flag == 1);
  CHECK(request != MPI_REQUEST_NULL);
  CHECK(Detour_Test(&request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(flag == 1);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK(operation.use_count() == 1);
}

TEST_CASE_METHOD(MpiSession, "its status is that of an operation without a message") {
  MPI_Request request = request_of(ended_operation());
  MPI_Status status{};
  CHECK(Detour_Wait(&request, &status) == MPI_SUCCESS);
  CHECK(request == MPI_REQUEST_NULL);
  int count = -1;
  int cancelled = -1;
  PMPI_Get_count(&status, MPI_BYTE, &count);
  PMPI_Test_cancelled(&status, &cancelled);
  CHECK(count == 0);
  CHECK(cancelled == 0);
}

TEST_CASE_METHOD(MpiSession, "an operation that needs the caller's thread gets it") {
  const auto operation = std::make_shared<FakeOperation>();
  operation->end_after(300);
  MPI_Request request = request_of(operation);
  CHECK(Detour_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(operation->advance_count() == 300);
}

TEST_CASE_METHOD(MpiSession, "waiting sleeps in slices of a millisecond at most") {
  const auto operation = std::make_shared<FakeOperation>();
  MPI_Request request = request_of(operation);
  std::thread ender([&] {
    operation->wait_for_rests(60);
    operation->end();
  });
  CHECK(Detour_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  ender.join();
  CHECK(operation->longest_rest() <= std::chrono::milliseconds(1));
}

TEST_CASE_METHOD(MpiSession, "lists mix requests of both kinds") {
  const auto first = std::make_shared<FakeOperation>();
  const auto second = std::make_shared<FakeOperation>();
  SelfMessage message(1);
  std::array requests{request_of(first), message.receive, MPI_REQUEST_NULL, request_of(second)};
  std::array<MPI_Status, 4> statuses{};
  std::array<int, 4> indices{};
  int flag = 1;
  int index = -1;
  int done_count = -1;

  SECTION("all of them") {
    CHECK(Detour_Testall(4, requests.data(), &flag, statuses.data()) == MPI_SUCCESS);
    CHECK(flag == 0);
    first->end();
    message.send(7);
    CHECK(Detour_Testall(4, requests.data(), &flag, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(flag == 0);
    second->end();
    SECTION("tested") {
      CHECK(Detour_Testall(4, requests.data(), &flag, statuses.data()) == MPI_SUCCESS);
      CHECK(flag == 1);
    }
    SECTION("waited for") {
      CHECK(Detour_Waitall(4, requests.data(), statuses.data()) == MPI_SUCCESS);
    }
    CHECK(statuses[1].MPI_TAG == 1);
  }
  SECTION("any of them") {
    CHECK(Detour_Testany(4, requests.data(), &index, &flag, statuses.data()) == MPI_SUCCESS);
    CHECK(flag == 0);
    second->end();
    CHECK(Detour_Testany(4, requests.data(), &index, &flag, statuses.data()) == MPI_SUCCESS);
    CHECK(flag == 1);
    CHECK(index == 3);
    message.send(7);
    CHECK(Detour_Waitany(4, requests.data(), &index, statuses.data()) == MPI_SUCCESS);
    CHECK(index == 1);
    first->end();
    CHECK(Detour_Waitany(4, requests.data(), &index, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(index == 0);
    CHECK(Detour_Waitany(4, requests.data(), &index, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(index == MPI_UNDEFINED);
  }
  SECTION("some of them") {
    CHECK(Detour_Testsome(4, requests.data(), &done_count, indices.data(), statuses.data()) ==
          MPI_SUCCESS);
    CHECK(done_count == 0);
    second->end();
    message.send(7);
    while (requests[1] != MPI_REQUEST_NULL || requests[3] != MPI_REQUEST_NULL) {
      CHECK(Detour_Waitsome(4, requests.data(), &done_count, indices.data(), MPI_STATUSES_IGNORE) ==
            MPI_SUCCESS);
      CHECK(done_count >= 1);
    }
    CHECK(requests[0] != MPI_REQUEST_NULL);
    first->end();
    CHECK(Detour_Waitsome(4, requests.data(), &done_count, indices.data(), statuses.data()) ==
          MPI_SUCCESS);
    CHECK(done_count == 1);
    CHECK(indices[0] == 0);
  }
  CHECK(requests ==
        std::array{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL});
  CHECK(message.value == 7);
  CHECK(first.use_count() == 1);
  CHECK(second.use_count() == 1);
}

TEST_CASE_METHOD(MpiSession, "inactive persistent requests are passed over") {
  int value = 0;
  MPI_Request persistent = MPI_REQUEST_NULL;
  PMPI_Recv_init(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &persistent);
  const auto operation = std::make_shared<FakeOperation>();
  operation->end_after(200);
  std::array requests{persistent, request_of(operation)};
  int index = -1;
  CHECK(Detour_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(index == 1);
  CHECK(requests[0] == persistent);
  PMPI_Request_free(&persistent);
}

TEST_CASE_METHOD(MpiSession, "lists without a request of ours are MPI's") {
  const auto pending = std::make_shared<FakeOperation>();
  MPI_Request elsewhere = request_of(pending);
  CHECK(Detour_Waitall(0, nullptr, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  int flag = 0;
  MPI_Request null = MPI_REQUEST_NULL;
  CHECK(Detour_Test(&null, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(flag == 1);
  SelfMessage message(3);
  message.send(5);
  CHECK(Detour_Waitall(1, &message.receive, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  CHECK(message.value == 5);
  CHECK(Detour_Waitall(-1, &null, MPI_STATUSES_IGNORE) != MPI_SUCCESS);
  CHECK(Detour_Test(&elsewhere, nullptr, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  pending->end();
  CHECK(Detour_Wait(&elsewhere, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

TEST_CASE_METHOD(MpiSession, "a request that is let go of lets its operation end") {
  const auto operation = std::make_shared<FakeOperation>();
  MPI_Request request = request_of(operation);
  CHECK(PMPI_Cancel(&request) == MPI_SUCCESS);
  CHECK(Detour_Request_free(&request) == MPI_SUCCESS);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK(operation.use_count() > 1);

  int flag = 0;
  Detour_Test(&request, &flag, MPI_STATUS_IGNORE);
  CHECK(operation->advance_count() > 1);
  operation->end();
  Detour_Test(&request, &flag, MPI_STATUS_IGNORE);
  CHECK(operation.use_count() == 1);
}

TEST_CASE_METHOD(MpiSession, "threads wait for requests of their own at the same time") {
  constexpr int thread_count = 4;
  constexpr int round_count = 200;
  std::vector<std::thread> threads;
  std::array<int, thread_count> failures{};
  for (int t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < round_count; ++round) {
        const auto first = std::make_shared<FakeOperation>();
        const auto second = std::make_shared<FakeOperation>();
        first->end_after(1 + round % 70);
        SelfMessage message(100 + t);
        std::array requests{request_of(first), message.receive, request_of(second)};
        message.send(round);
        std::thread ender([&] { second->end(); });
        const int result = Detour_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
        ender.join();
        if (result != MPI_SUCCESS || message.value != round) ++failures[static_cast<unsigned>(t)];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failures == std::array<int, thread_count>{});
}
