// What becomes of the error of an operation that has a request.
#include <mpi.h>

#include <array>
#include <memory>
#include <vector>

#include "detour/detour.h"
#include "requests/request_table.hpp"
#include "support/catch.hpp"
#include "support/fake_operation.hpp"
#include "support/mpi_session.hpp"

namespace {

using detour::test::FakeOperation;
using detour::test::request_of;

std::vector<int> raised;

void note(MPI_Comm*, int* error, ...) {
  raised.push_back(*error);
}

// A communicator whose error handler takes notes; that of the world must not be asked.
class ErrorNotes : public detour::test::MpiSession {
 public:
  ErrorNotes() {
    raised.clear();
    PMPI_Comm_dup(MPI_COMM_SELF, &comm_);
    PMPI_Comm_create_errhandler(note, &handler_);
    PMPI_Comm_set_errhandler(comm_, handler_);
  }
  ~ErrorNotes() {
    PMPI_Errhandler_free(&handler_);
    PMPI_Comm_free(&comm_);
  }

  MPI_Request failed_request(int error) const {
    const auto operation = std::make_shared<FakeOperation>(error, comm_);
    operation->end();
    return request_of(operation);
  }

  MPI_Errhandler handler() const { return handler_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

MPI_Request good_request() {
  const auto operation = std::make_shared<FakeOperation>();
  operation->end();
  return request_of(operation);
}

// One that the library knows nothing of.
MPI_Request failed_request_of_mpi() {
  const auto query = [](void*, MPI_Status* status) { return status->MPI_ERROR = MPI_ERR_TRUNCATE; };
  const auto free = [](void*) { return MPI_SUCCESS; };
  const auto cancel = [](void*, int) { return MPI_SUCCESS; };
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Grequest_start(query, free, cancel, nullptr, &request);
  PMPI_Grequest_complete(request);
  return request;
}

}  // namespace

TEST_CASE_METHOD(ErrorNotes, "a single request gives its error once and is gone") {
  MPI_Request request = failed_request(MPI_ERR_TRUNCATE);
  int flag = 0;
  int index = -1;
  SECTION("waited for") {
    CHECK(Detour_Wait(&request, MPI_STATUS_IGNORE) == MPI_ERR_TRUNCATE);
  }
  SECTION("tested") {
    CHECK(Detour_Test(&request, &flag, MPI_STATUS_IGNORE) == MPI_ERR_TRUNCATE);
    CHECK(flag == 1);
  }
  SECTION("one of a list, waited for") {
    CHECK(Detour_Waitany(1, &request, &index, MPI_STATUS_IGNORE) == MPI_ERR_TRUNCATE);
    CHECK(index == 0);
  }
  SECTION("one of a list, tested") {
    CHECK(Detour_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE) == MPI_ERR_TRUNCATE);
    CHECK(index == 0);
  }
  CHECK(request == MPI_REQUEST_NULL);
  CHECK(raised == std::vector<int>{MPI_ERR_TRUNCATE});
}

TEST_CASE_METHOD(ErrorNotes, "the world hears of a request that outlives its communicator") {
  MPI_Comm freed = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_SELF, &freed);
  const auto operation = std::make_shared<FakeOperation>(MPI_ERR_TRUNCATE, freed);
  operation->end();
  std::array requests{request_of(operation), failed_request(MPI_ERR_COUNT)};
  detour::request_table().forget_communicator(freed);
  PMPI_Comm_free(&freed);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler());
  CHECK(Detour_Wait(&requests[0], MPI_STATUS_IGNORE) == MPI_ERR_TRUNCATE);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(Detour_Wait(&requests[1], MPI_STATUS_IGNORE) == MPI_ERR_COUNT);
  CHECK(raised == std::vector<int>{MPI_ERR_TRUNCATE, MPI_ERR_COUNT});
}

TEST_CASE_METHOD(ErrorNotes, "asking for the status raises nothing") {
  MPI_Request request = failed_request(MPI_ERR_OP);
  int flag = 0;
  CHECK(Detour_Request_get_status(request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(flag == 1);
  CHECK(raised.empty());
  CHECK(Detour_Wait(&request, MPI_STATUS_IGNORE) == MPI_ERR_OP);
}

TEST_CASE_METHOD(ErrorNotes, "calls on lists say in the statuses who failed") {
  std::array requests{good_request(), failed_request(MPI_ERR_COUNT), failed_request(MPI_ERR_TYPE)};
  std::array<MPI_Status, 3> statuses{};
  for (auto& status : statuses) status.MPI_ERROR = MPI_ERR_OTHER;
  int flag = 0;
  int done_count = 0;
  std::array<int, 3> indices{};
  SECTION("all waited for") {
    CHECK(Detour_Waitall(3, requests.data(), statuses.data()) == MPI_ERR_IN_STATUS);
  }
  SECTION("all tested") {
    CHECK(Detour_Testall(3, requests.data(), &flag, statuses.data()) == MPI_ERR_IN_STATUS);
    CHECK(flag == 1);
  }
  SECTION("some waited for") {
    CHECK(Detour_Waitsome(3, requests.data(), &done_count, indices.data(), statuses.data()) ==
          MPI_ERR_IN_STATUS);
    CHECK(done_count == 3);
  }
  SECTION("some tested") {
    CHECK(Detour_Testsome(3, requests.data(), &done_count, indices.data(), statuses.data()) ==
          MPI_ERR_IN_STATUS);
    CHECK(done_count == 3);
  }
  CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS);
  CHECK(statuses[1].MPI_ERROR == MPI_ERR_COUNT);
  CHECK(statuses[2].MPI_ERROR == MPI_ERR_TYPE);
  CHECK(raised == std::vector<int>{MPI_ERR_IN_STATUS});
}

TEST_CASE_METHOD(ErrorNotes, "calls on lists fail without statuses too") {
  std::array requests{failed_request(MPI_ERR_COUNT), good_request()};
  CHECK(Detour_Waitall(2, requests.data(), MPI_STATUSES_IGNORE) == MPI_ERR_IN_STATUS);
  CHECK(requests == std::array{MPI_REQUEST_NULL, MPI_REQUEST_NULL});
  CHECK(raised == std::vector<int>{MPI_ERR_IN_STATUS});
}

TEST_CASE_METHOD(ErrorNotes, "errors of both kinds are told apart") {
  std::array requests{failed_request_of_mpi(), failed_request(MPI_ERR_COUNT), good_request()};
  std::array<MPI_Status, 3> statuses{};
  CHECK(Detour_Waitall(3, requests.data(), statuses.data()) != MPI_SUCCESS);
  CHECK(statuses[0].MPI_ERROR == MPI_ERR_TRUNCATE);
  CHECK(statuses[1].MPI_ERROR == MPI_ERR_COUNT);
  CHECK(statuses[2].MPI_ERROR == MPI_SUCCESS);
  CHECK(raised.empty());
}
