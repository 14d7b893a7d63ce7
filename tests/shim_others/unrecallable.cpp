// Windows, files and other processes in a job whose last rank dies.
//
//   unrecallable before              every call is an error at once, once the death is known
//   unrecallable window|file|spawn   it dies while the others wait inside MPI for it: the job ends in words
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

int world_rank = 0;
int world_size = 0;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "rank %d: %s\n", world_rank, what.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 3);
  std::abort();
}

bool is_victim() {
  return world_rank == world_size - 1;
}

std::string text_of(int error) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  return text;
}

void expect_failure(const char* call, int error) {
  const std::string expected =
      "rank " + std::to_string(world_size - 1) + " of the communicator has died";
  if (error == MPI_SUCCESS) fail(std::string(call) + ": no error");
  if (text_of(error) != expected) fail(std::string(call) + ": " + text_of(error));
}

// Of all ranks, made while all live.
struct Objects {
  MPI_Win window = MPI_WIN_NULL;
  MPI_File file = MPI_FILE_NULL;
  int* memory = nullptr;
};

Objects make_objects(const char* path) {
  Objects made;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &made.memory,
                   &made.window);
  MPI_Win_set_errhandler(made.window, MPI_ERRORS_RETURN);
  *made.memory = world_rank;
  MPI_Win_fence(0, made.window);
  int value = -1;
  MPI_Get(&value, 1, MPI_INT, (world_rank + 1) % world_size, 0, 1, MPI_INT, made.window);
  MPI_Win_fence(0, made.window);
  if (value != (world_rank + 1) % world_size) fail("MPI_Get got something else");
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                    &made.file) != MPI_SUCCESS) {
    fail("no file");
  }
  const auto offset = static_cast<MPI_Offset>(world_rank) * static_cast<MPI_Offset>(sizeof(int));
  MPI_File_write_at_all(made.file, offset, &world_rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  // A request that the library stands in for tells the same as MPI's own.
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  int read = -1;
  int count = -1;
  MPI_File_iread_at_all(made.file, offset, &read, 1, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  if (read != world_rank || count != 1) fail("MPI_File_iread_at_all read something else");
  return made;
}

void die_if_victim(useconds_t after_us) {
  if (!is_victim()) return;
  usleep(after_us);
  kill(getpid(), SIGKILL);
}

void try_all(Objects objects) {
  die_if_victim(0);
  // Until the death is known here.
  while (MPI_Ibarrier(MPI_COMM_WORLD, [] {
           static MPI_Request request;
           return &request;
         }()) == MPI_SUCCESS) {
    usleep(1'000);
  }
  int value = 0;
  MPI_Win window = MPI_WIN_NULL;
  MPI_File file = MPI_FILE_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  const MPI_Info info = MPI_INFO_NULL;
  const MPI_Comm world = MPI_COMM_WORLD;
  expect_failure("Win_create", MPI_Win_create(&value, 4, 4, info, world, &window));
  expect_failure("Win_fence", MPI_Win_fence(0, objects.window));
  expect_failure("Win_lock", MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, objects.window));
  expect_failure("Win_lock_all", MPI_Win_lock_all(0, objects.window));
  expect_failure("Put", MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, objects.window));
  expect_failure("Rput", MPI_Rput(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, objects.window, &request));
  expect_failure("Win_free", MPI_Win_free(&objects.window));
  expect_failure("File_open", MPI_File_open(world, "x", MPI_MODE_RDONLY, info, &file));
  expect_failure("File_sync", MPI_File_sync(objects.file));
  expect_failure("File_write_all",
                 MPI_File_write_all(objects.file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  expect_failure("File_iwrite_all",
                 MPI_File_iwrite_all(objects.file, &value, 1, MPI_INT, &request));
  expect_failure("File_close", MPI_File_close(&objects.file));
  expect_failure("Comm_spawn", MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, info, 0, world, &comm,
                                              MPI_ERRCODES_IGNORE));
  expect_failure("Comm_accept", MPI_Comm_accept("no port", info, 0, world, &comm));
  // What is a rank's own goes on.
  MPI_Status status;
  if (MPI_File_read_at(objects.file, 0, &value, 1, MPI_INT, &status) != MPI_SUCCESS) {
    fail("no reading any more");
  }
  if (MPI_Win_allocate(4, 4, info, MPI_COMM_SELF, &objects.memory, &window) != MPI_SUCCESS ||
      MPI_Win_free(&window) != MPI_SUCCESS) {
    fail("no window of one's own any more");
  }
  std::printf("rank %d is done\n", world_rank);
}

// Never comes back.
void wait_inside(const std::string& what, Objects objects) {
  constexpr useconds_t until_all_wait_us = 300'000;
  die_if_victim(until_all_wait_us);
  MPI_Comm comm = MPI_COMM_NULL;
  if (what == "window") MPI_Win_fence(0, objects.window);
  if (what == "file") MPI_File_set_size(objects.file, 0);
  if (what == "spawn") {
    MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, world_size - 1, MPI_COMM_WORLD, &comm,
                   MPI_ERRCODES_IGNORE);
  }
  fail("the call came back");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string what = argv[1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  const Objects objects = make_objects(argv[2]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (what == "before") {
    try_all(objects);
  } else {
    wait_inside(what, objects);
  }
  MPI_Finalize();
  return 0;
}
