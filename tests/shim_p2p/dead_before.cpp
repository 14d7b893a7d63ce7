// Every call on a rank that is known to be dead, and on the others, which go on as if nothing had happened.
#include "calls.hpp"
#include "job.hpp"

namespace {

constexpr int victim = 2;
constexpr int victim_in_world = 0;
constexpr int living = 1;

void try_calls(const std::vector<calls::Call>& tried) {
  for (const calls::Call& call : tried) {
    job::run(call.name, [&] { job::expect_failed(call.make(victim), victim); });
  }
}

void talk_to_the_living() {
  int number = 5;
  job::expect_success(MPI_Sendrecv_replace(&number, 1, MPI_INT, living, job::tag, living, job::tag,
                                           job::comm, MPI_STATUS_IGNORE));
  job::expect(number == 6, "the answer of the living");
}

void cancel_started_sends() {
  MPI_Request request = MPI_REQUEST_NULL;
  int number = 0;
  MPI_Send_init(&number, 1, MPI_INT, victim, job::tag, job::comm, &request);
  MPI_Request requests[2] = {request, MPI_REQUEST_NULL};
  MPI_Recv_init(&number, 1, MPI_INT, victim, job::tag, job::comm, &requests[1]);
  job::expect_success(MPI_Startall(2, requests));
  job::expect_success(MPI_Cancel(&requests[0]));
  MPI_Status statuses[2];
  job::expect(MPI_Waitall(2, requests, statuses) == MPI_ERR_IN_STATUS, "both have failed");
  job::expect_failed(statuses[0].MPI_ERROR, victim);
  job::expect_failed(statuses[1].MPI_ERROR, victim);
  job::expect_success(MPI_Waitall(2, requests, statuses));
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

// What the world's error handler is told.
std::vector<int> told;

void note(MPI_Comm*, int* error, ...) {
  told.push_back(*error);
}

// All that is sent of it is its beginning.
void begin_message_on(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(calls::buffer().data(), job::large_count, MPI_INT, 0, job::tag, comm, &request);
}

// A request that has failed and a message that was found: both go on without their communicator.
void free_communicator(MPI_Comm comm, MPI_Message found) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(note, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(calls::buffer().data(), 1, MPI_INT, victim, job::tag, comm, &request);
  MPI_Comm_free(&comm);
  const int send_error = MPI_Wait(&request, MPI_STATUS_IGNORE);
  job::expect_failed(send_error, victim);
  const int receive_error =
      MPI_Mrecv(calls::buffer().data(), job::large_count, MPI_INT, &found, MPI_STATUS_IGNORE);
  job::expect_failed(receive_error, victim_in_world);
  job::expect(told == std::vector<int>{send_error, receive_error}, "the world is told");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

}  // namespace

int main(int argc, char** argv) {
  job::begin(&argc, &argv);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(job::comm, &copy);
  if (job::rank == victim) job::obey([&] { begin_message_on(copy); });
  if (job::rank == living) {
    int number = 0;
    MPI_Recv(&number, 1, MPI_INT, 0, job::tag, job::comm, MPI_STATUS_IGNORE);
    ++number;
    MPI_Send(&number, 1, MPI_INT, 0, job::tag, job::comm);
    job::obey();
  }
  if (job::rank == 0) {
    std::vector<char> lent(1 << 16);
    MPI_Buffer_attach(lent.data(), static_cast<int>(lent.size()));
    job::give(victim, job::Order::die);
    MPI_Message found = MPI_MESSAGE_NULL;
    MPI_Mprobe(victim, job::tag, copy, &found, MPI_STATUS_IGNORE);
    job::wait_until_dead(victim);
    try_calls(calls::waiting());
    try_calls(calls::hasty());
    job::run("persistent requests together", cancel_started_sends);
    job::run("a communicator that is freed", [&] { free_communicator(copy, found); });
    job::run("calls on the living", talk_to_the_living);
    void* back = nullptr;
    int bytes = 0;
    job::run("MPI_Buffer_detach", [&] { job::expect_success(MPI_Buffer_detach(&back, &bytes)); });
    job::expect(back == lent.data() && bytes == static_cast<int>(lent.size()), "the buffer");
    job::give(living, job::Order::finish);
  }
  MPI_Finalize();
  return 0;
}
