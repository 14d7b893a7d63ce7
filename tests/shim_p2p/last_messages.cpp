// What the dead had sent: received if it was sent whole, an error if it was not, and receives from anybody.
#include <algorithm>
#include <thread>

#include "job.hpp"

namespace {

constexpr int message_count = 200;
constexpr int final_tag = job::tag + 4;
constexpr int living = 1;
// In the order of their deaths.
enum Victim : int { talkative = 2, interrupted, unnoticed, probed, busy, bystander, last };

// Each is gone when it dies, because MPI has no need of the receiver for so little.
void send_small_messages() {
  for (int number = 0; number < message_count; ++number) {
    MPI_Send(&number, 1, MPI_INT, 0, job::tag, job::comm);
  }
  MPI_Send(&message_count, 1, MPI_INT, 0, final_tag, job::comm);
}

// At some moment of a large message, from a thread of its own.
void die_while_sending() {
  static std::vector<int> numbers(job::large_count, 4);
  std::thread([] {
    usleep(static_cast<useconds_t>(getpid() % 8) * 500);
    job::die();
  }).detach();
  for (;;) MPI_Send(numbers.data(), job::large_count, MPI_INT, 0, job::tag, job::comm);
}

// Its beginning is sent, the rest is not.
void begin_large_message() {
  static std::vector<int> numbers(job::large_count, 4);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(numbers.data(), job::large_count, MPI_INT, 0, job::tag, job::comm, &request);
}

void receive_all_small_ones() {
  job::give(talkative, job::Order::die);
  // No call of MPI's meanwhile: it has seen none of the messages when the death is known, and takes in the one that
  // is asked for first after all others.
  usleep(300'000);
  int number = -1;
  job::expect_success(
      MPI_Recv(&number, 1, MPI_INT, talkative, final_tag, job::comm, MPI_STATUS_IGNORE));
  job::expect(number == message_count, "the last message");
  for (int expected = 0; expected < message_count; ++expected) {
    MPI_Status status;
    job::expect_success(MPI_Recv(&number, 1, MPI_INT, talkative, job::tag, job::comm, &status));
    job::expect(number == expected && status.MPI_SOURCE == talkative, "the messages in order");
  }
  job::expect_failed(
      MPI_Recv(&number, 1, MPI_INT, talkative, job::tag, job::comm, MPI_STATUS_IGNORE), talkative);
}

// Nothing is written after the error: the memory is the program's again.
void expect_quiet(std::vector<int>& numbers) {
  std::fill(numbers.begin(), numbers.end(), 9);
  for (int times = 0; times < 1000; ++times) {
    int flag = 0;
    MPI_Iprobe(living, job::tag + 3, job::comm, &flag, MPI_STATUS_IGNORE);
  }
  job::expect(std::count(numbers.begin(), numbers.end(), 9) == job::large_count,
              "memory is left alone");
}

// The kernel tells of a death just before it takes the memory away: until then the message can be had, and is whole.
void expect_failed_or_whole(int error, std::vector<int>& numbers, int sender) {
  if (error != MPI_SUCCESS) return job::expect_failed(error, sender);
  job::expect(std::count(numbers.begin(), numbers.end(), 4) == job::large_count,
              "the whole message");
}

void fail_a_message_without_end() {
  std::vector<int> numbers(job::large_count);
  job::give(interrupted, job::Order::die);
  job::wait_until_dead(interrupted);
  expect_failed_or_whole(MPI_Recv(numbers.data(), job::large_count, MPI_INT, interrupted, job::tag,
                                  job::comm, MPI_STATUS_IGNORE),
                         numbers, interrupted);
  expect_quiet(numbers);
}

// The program's communicators are copied by nobody but the program.
int refuse_copies(MPI_Comm, int, void*, void*, void*, int*) {
  job::fail("an attribute of the program's was copied");
}

void forbid_copies_of_self() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(refuse_copies, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

// The sender is dead, all others live: nobody could tell who the message is from.
void fail_a_message_without_end_from_anybody() {
  std::vector<int> numbers(job::large_count);
  MPI_Request request = MPI_REQUEST_NULL;
  job::give(unnoticed, job::Order::die);
  job::wait_until_dead(unnoticed);
  MPI_Irecv(numbers.data(), job::large_count, MPI_INT, MPI_ANY_SOURCE, job::tag, job::comm,
            &request);
  expect_failed_or_whole(MPI_Wait(&request, MPI_STATUS_IGNORE), numbers, unnoticed);
  expect_quiet(numbers);
}

// Each message comes whole, or there is an error.
void receive_until_the_sender_dies() {
  std::vector<int> numbers(job::large_count);
  job::give(busy, job::Order::die);
  for (;;) {
    std::fill(numbers.begin(), numbers.end(), 9);
    const int error = MPI_Recv(numbers.data(), job::large_count, MPI_INT, busy, job::tag, job::comm,
                               MPI_STATUS_IGNORE);
    expect_failed_or_whole(error, numbers, busy);
    if (error != MPI_SUCCESS) return expect_quiet(numbers);
  }
}

void fail_a_message_that_was_found() {
  std::vector<int> numbers(job::large_count);
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  job::give(probed, job::Order::die);
  job::expect_success(MPI_Mprobe(MPI_ANY_SOURCE, job::tag, job::comm, &message, &status));
  job::expect(status.MPI_SOURCE == probed, "whose message it is");
  job::wait_until_dead(probed);
  expect_failed_or_whole(
      MPI_Mrecv(numbers.data(), job::large_count, MPI_INT, &message, MPI_STATUS_IGNORE), numbers,
      probed);
}

void receive_from_anybody_alive() {
  int number = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, job::tag, job::comm, &request);
  job::give(bystander, job::Order::die);
  job::wait_until_dead(bystander);
  int flag = 0;
  for (int times = 0; times < 2000; ++times) {
    job::expect_success(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    job::expect(flag == 0, "the death of somebody is nothing to it");
  }
  job::give(living, job::Order::die_later);  // says a word before
  MPI_Status status;
  job::expect_success(MPI_Wait(&request, &status));
  job::expect(number == living && status.MPI_SOURCE == living, "a message of the living");
}

void fail_when_all_are_dead() {
  int number = 0;
  job::give(last, job::Order::die_later);
  const int error =
      MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, job::tag, job::comm, MPI_STATUS_IGNORE);
  job::expect(
      job::text_of(error) == "ranks 1, 2, 3, 4, 5, 6, 7 and 8 of the communicator have died",
      job::text_of(error));
  // To itself a rank may go on sending.
  number = 3;
  int same = 0;
  job::expect_success(MPI_Sendrecv(&number, 1, MPI_INT, 0, job::tag, &same, 1, MPI_INT,
                                   MPI_ANY_SOURCE, job::tag, job::comm, MPI_STATUS_IGNORE));
  job::expect(same == 3, "a message to itself");
}

void say_a_word() {
  MPI_Send(&job::rank, 1, MPI_INT, 0, job::tag, job::comm);
}

void live_and_die() {
  switch (job::rank) {
    case talkative:
      return job::obey(send_small_messages);
    case interrupted:
    case unnoticed:
    case probed:
      return job::obey(begin_large_message);
    case busy:
      return job::obey(die_while_sending);
    case living:
      return job::obey(say_a_word);
    default:
      return job::obey();
  }
}

}  // namespace

int main(int argc, char** argv) {
  job::begin(&argc, &argv);
  job::expect(job::size == last + 1, "nine ranks");
  if (job::rank != 0) live_and_die();
  forbid_copies_of_self();
  job::run("messages that were sent whole", receive_all_small_ones);
  job::run("a message without an end", fail_a_message_without_end);
  job::run("one from anybody", fail_a_message_without_end_from_anybody);
  job::run("one that was found", fail_a_message_that_was_found);
  job::run("many, until the sender dies", receive_until_the_sender_dies);
  job::run("from anybody who lives", receive_from_anybody_alive);
  job::run("from nobody", fail_when_all_are_dead);
  MPI_Finalize();
  return 0;
}
