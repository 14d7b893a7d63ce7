// A job in which ranks die when they are told to, and what is expected of calls on them. The programs know nothing of
// Detour: only that errors name the dead.
#pragma once

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace job {

inline constexpr int order_tag = 99;
inline constexpr int tag = 7;
// Too much for MPI to send without the receiver.
inline constexpr int large_count = 1 << 20;
// A call that takes longer hangs.
inline constexpr unsigned patience_seconds = 20;

inline int rank = 0;
inline int size = 0;
inline MPI_Comm comm = MPI_COMM_NULL;  // all ranks, in another order than in the world
inline const char* current = "nothing yet";

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "rank %d, %s: %s\n", rank, current, what.c_str());
  std::fflush(stderr);
  _exit(1);
}

inline void expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

inline void on_alarm(int) {
  static const char text[] = "a call hangs: ";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  for (const char* at = current; *at != '\0'; ++at) (void)!write(STDERR_FILENO, at, 1);
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(3);
}

inline std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

// The error's class has a text of its own, the code names the rank.
inline void expect_failed(int code, int dead) {
  expect(code != MPI_SUCCESS, "no error");
  const std::string wanted = "rank " + std::to_string(dead) + " of the communicator has died";
  expect(text_of(code) == wanted, "the error is '" + text_of(code) + "', not '" + wanted + "'");
  int error_class = 0;
  MPI_Error_class(code, &error_class);
  expect(error_class != code, "the error has a class");
}

inline void expect_success(int code) {
  expect(code == MPI_SUCCESS, "an error: " + text_of(code));
}

inline void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  int world_rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  signal(SIGALRM, on_alarm);
}

// What a victim does when its time has come. Killed at once or after some milliseconds.
enum class Order : int { die, die_later, finish };

inline void give(int to, Order order) {
  const int number = static_cast<int>(order);
  MPI_Send(&number, 1, MPI_INT, to, order_tag, comm);
}

[[noreturn]] inline void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Of all but the rank that tries things out. `last_words` is what it does before it dies.
inline void obey(const std::function<void()>& last_words = [] {}) {
  int order = 0;
  MPI_Recv(&order, 1, MPI_INT, 0, order_tag, comm, MPI_STATUS_IGNORE);
  if (order == static_cast<int>(Order::finish)) return;
  last_words();
  if (order == static_cast<int>(Order::die_later)) usleep(30'000);
  die();
}

// Until MPI says so.
inline void wait_until_dead(int victim) {
  int flag = 0;
  while (MPI_Iprobe(victim, tag + 1, comm, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS) usleep(100);
}

// One case after the other, each with all the time that a call may take.
inline void run(const char* name, const std::function<void()>& body) {
  current = name;
  alarm(patience_seconds);
  body();
  alarm(0);
  std::printf("%s: as it should be\n", name);
  std::fflush(stdout);
}

}  // namespace job
