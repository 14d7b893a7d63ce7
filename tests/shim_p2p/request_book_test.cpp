#include "shim/fallible/request_book.hpp"

#include <map>
#include <random>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/mpi_session.hpp"

using detour::shim::FallibleRequest;
using detour::shim::RequestBook;
using detour::test::MpiSession;

namespace {

// Handles that are none of MPI's: the book only compares them.
std::vector<char> memory(1 << 16);

MPI_Request handle_of(std::size_t number) {
  return reinterpret_cast<MPI_Request>(&memory.at(number * 8));
}

}  // namespace

TEST_CASE("A book of requests does what a map does", "[request_book]") {
  RequestBook book;
  std::map<MPI_Request, int> model;
  std::mt19937 random(7);
  // Mostly few, from time to time many: slots fill up, move and become free.
  for (int round = 0; round < 200'000; ++round) {
    const std::size_t handle_count = round / 20'000 % 2 == 0 ? 60 : 3000;
    const MPI_Request handle = handle_of(random() % handle_count);
    const auto known = book.find(handle);
    const auto expected = model.find(handle);
    REQUIRE(known.has_value() == (expected != model.end()));
    if (known) REQUIRE(known->peer == expected->second);
    switch (random() % 4) {
      case 0:
        book.add(handle, FallibleRequest::receive_from(MPI_COMM_WORLD, round));
        model[handle] = round;
        break;
      case 1:
        if (known) book.remove(handle, known->number);
        model.erase(handle);
        break;
      case 2:
        REQUIRE(book.take(handle).has_value() == known.has_value());
        model.erase(handle);
        break;
      default:
        if (known) book.remove(handle, known->number + 1);  // of another request
    }
    REQUIRE(book.is_empty() == model.empty());
  }
}

TEST_CASE("Persistent requests stay in the book", "[request_book]") {
  RequestBook book;
  const std::vector<MPI_Request> handles = {handle_of(1), MPI_REQUEST_NULL, handle_of(2),
                                            handle_of(3)};
  book.add(handles[0], FallibleRequest::send_to(MPI_COMM_WORLD, 1));
  book.add(handles[2], FallibleRequest::send_to(MPI_COMM_WORLD, 2).as_persistent());
  std::vector<RequestBook::Listed> found;
  book.take_all(4, handles.data(), found);
  REQUIRE(found.size() == 2);
  CHECK(found[0].index == 0);
  CHECK(found[1].index == 2);
  CHECK_FALSE(book.find(handles[0]));
  REQUIRE(book.find(handles[2]));

  FallibleRequest changed = *book.find(handles[2]);
  changed.is_stuck = true;
  book.change(handles[2], changed);
  CHECK(book.find(handles[2])->is_stuck);
  ++changed.number;
  changed.is_stuck = false;
  book.change(handles[2], changed);
  CHECK(book.find(handles[2])->is_stuck);
}

TEST_CASE_METHOD(MpiSession, "Requests outlive their communicator", "[request_book]") {
  RequestBook book;
  MPI_Comm copy = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_SELF, &copy);
  book.add(handle_of(1), FallibleRequest::receive_from(copy, 0));
  book.add(handle_of(2), FallibleRequest::receive_from(copy, MPI_ANY_SOURCE));
  book.add(handle_of(3), FallibleRequest::receive_from(MPI_COMM_SELF, 0));
  book.forget_communicator(copy);
  PMPI_Comm_free(&copy);
  CHECK(book.find(handle_of(1))->comm == MPI_COMM_WORLD);
  CHECK_FALSE(book.find(handle_of(2)));
  CHECK(book.find(handle_of(3))->comm == MPI_COMM_SELF);
}

TEST_CASE("Threads have requests of their own in one book", "[request_book]") {
  RequestBook book;
  std::vector<std::thread> threads;
  std::atomic<int> wrong_count{0};
  for (std::size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 3000; ++round) {
        const MPI_Request handle = handle_of(thread * 100 + static_cast<std::size_t>(round % 100));
        book.add(handle, FallibleRequest::send_to(MPI_COMM_WORLD, round));
        const auto known = book.take(handle);
        if (!known || known->peer != round) ++wrong_count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong_count == 0);
  CHECK(book.is_empty());
}
