// Whatever allocation fails in a call, of messages to the living and to the dead: it is an error like others.
#include <dlfcn.h>

#include <utility>

#include "core/failing_new.hpp"
#include "job.hpp"

namespace {

using detour::test::allocation_limits;

constexpr int living = 1;
constexpr int victim = 2;

struct Case {
  const char* name;
  int (*make)();
};

int number = 0;

template <typename Begin>
int waited(Begin begin) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = begin(&request);
  return error == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
}

int receive_twice() {
  MPI_Request requests[2];
  for (MPI_Request& request : requests) {
    MPI_Irecv(&number, 1, MPI_INT, victim, job::tag, job::comm, &request);
  }
  const int error = MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return error == MPI_ERR_IN_STATUS ? MPI_SUCCESS : error;
}

int exchange_with_itself() {
  return MPI_Sendrecv_replace(&number, 1, MPI_INT, job::rank, job::tag, job::rank, job::tag,
                              job::comm, MPI_STATUS_IGNORE);
}

// Fortran's procedures, as its programs find them: all arguments are addresses, the last one is the error's.
template <typename... Arguments>
int call_fortran(const char* procedure, Arguments*... arguments) {
  using Procedure = void (*)(Arguments * ..., MPI_Fint*);
  const auto called = reinterpret_cast<Procedure>(dlsym(RTLD_DEFAULT, procedure));
  MPI_Fint error = MPI_ERR_INTERN;
  if (called != nullptr) called(arguments..., &error);
  return error;
}

MPI_Fint fortran_status[sizeof(MPI_Status) / sizeof(MPI_Fint)];
MPI_Fint fortran_flag = 0;
MPI_Fint no_request[1] = {0};
MPI_Fint zeros[1] = {0};
MPI_Fint one = 1;

int probe_in_fortran() {
  MPI_Fint self = PMPI_Comm_c2f(MPI_COMM_SELF);
  return call_fortran("mpi_iprobe_", zeros, zeros, &self, &fortran_flag, fortran_status);
}

int exchange_types_in_fortran() {
  MPI_Fint self = PMPI_Comm_c2f(MPI_COMM_SELF);
  MPI_Fint types[1] = {PMPI_Type_c2f(MPI_INT)};
  return call_fortran("mpi_alltoallw_", &number, zeros, zeros, types, &number, zeros, zeros, types,
                      &self);
}

const Case cases[] = {
    {"mpi_iprobe", probe_in_fortran},
    {"mpi_wait", [] { return call_fortran("mpi_wait_", no_request, fortran_status); }},
    {"mpi_test",
     [] { return call_fortran("mpi_test_", no_request, &fortran_flag, fortran_status); }},
    {"mpi_waitall", [] { return call_fortran("mpi_waitall_", &one, no_request, fortran_status); }},
    {"mpi_request_get_status",
     [] {
       return call_fortran("mpi_request_get_status_", no_request, &fortran_flag, fortran_status);
     }},
    {"mpi_alltoallw", exchange_types_in_fortran},
    {"MPI_Send", [] { return MPI_Send(&number, 1, MPI_INT, victim, job::tag, job::comm); }},
    {"MPI_Isend",
     [] {
       return waited([](MPI_Request* request) {
         return MPI_Isend(&number, 1, MPI_INT, victim, job::tag, job::comm, request);
       });
     }},
    {"MPI_Recv",
     [] { return MPI_Recv(&number, 1, MPI_INT, victim, job::tag, job::comm, MPI_STATUS_IGNORE); }},
    {"MPI_Irecv",
     [] {
       return waited([](MPI_Request* request) {
         return MPI_Irecv(&number, 1, MPI_INT, victim, job::tag, job::comm, request);
       });
     }},
    {"MPI_Waitall", receive_twice},
    {"MPI_Probe", [] { return MPI_Probe(victim, job::tag, job::comm, MPI_STATUS_IGNORE); }},
    {"MPI_Sendrecv_replace", exchange_with_itself},
    {"MPI_Bsend", [] { return MPI_Bsend(&number, 1, MPI_INT, living, job::tag, job::comm); }},
};

// For the test's own checks, while calls have none.
class WithMemory {
 public:
  WithMemory() : limits_(std::exchange(allocation_limits(), {})) {}
  ~WithMemory() { allocation_limits() = limits_; }
  WithMemory(const WithMemory&) = delete;
  WithMemory& operator=(const WithMemory&) = delete;

 private:
  const detour::test::AllocationLimits limits_;
};

// Receives from the victim that were begun before it died.
struct Pair {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int failed_count = 0;

  // MPI_ERR_NO_MEM is for the caller, all else is the victim's death.
  int note(int error) {
    if (error == MPI_ERR_NO_MEM) return error;
    const WithMemory memory;
    job::expect_failed(error, victim);
    ++failed_count;
    return MPI_SUCCESS;
  }
};

int wait_for_each(Pair& pair) {
  for (MPI_Request& request : pair.requests) {
    if (request == MPI_REQUEST_NULL) continue;
    const int error = pair.note(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int wait_for_all(Pair& pair) {
  MPI_Status statuses[2];
  const int error = MPI_Waitall(2, pair.requests, statuses);
  if (error == MPI_ERR_NO_MEM) return error;
  const WithMemory memory;
  job::expect(error == MPI_ERR_IN_STATUS, "the errors are in the statuses");
  for (const MPI_Status& status : statuses) pair.note(status.MPI_ERROR);
  return MPI_SUCCESS;
}

int wait_for_any(Pair& pair) {
  while (pair.failed_count < 2) {
    int index = MPI_UNDEFINED;
    const int error = pair.note(MPI_Waitany(2, pair.requests, &index, MPI_STATUS_IGNORE));
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

struct Completion {
  const char* name;
  int (*complete)(Pair& pair);
};
const Completion completions[] = {
    {"MPI_Wait, again", wait_for_each},
    {"MPI_Waitall, again", wait_for_all},
    {"MPI_Waitany, again", wait_for_any},
};
constexpr std::size_t pair_count =
    60;  // for all completions, with an allocation that fails for each

// After the call has failed for lack of memory the requests are still there to be waited for.
void fail_each_allocation(const Completion& tried, std::vector<Pair>& pairs) {
  int failed_count = 0;
  for (long allowed = 0;; ++allowed) {
    job::expect(!pairs.empty(), "too few receives were begun");
    Pair pair = pairs.back();
    pairs.pop_back();
    allocation_limits().count_left = allowed;
    const int error = tried.complete(pair);
    const bool one_failed = allocation_limits().count_left < 0;
    allocation_limits() = {};
    if (error == MPI_ERR_NO_MEM) {
      ++failed_count;
      job::expect(tried.complete(pair) == MPI_SUCCESS, "there is memory again");
    }
    job::expect(pair.failed_count == 2, "each request has failed once");
    for (const MPI_Request request : pair.requests) {
      job::expect(request == MPI_REQUEST_NULL, "it is gone");
    }
    if (!one_failed) break;
  }
  job::expect(failed_count > 0, "no allocation has failed");
}

// Every one that the call needs, one after the other.
void fail_each_allocation(const Case& tried) {
  int failed_count = 0;
  for (long allowed = 0;; ++allowed) {
    allocation_limits().count_left = allowed;
    const int error = tried.make();
    const bool one_failed = allocation_limits().count_left < 0;
    allocation_limits() = {};
    if (!one_failed) break;
    if (error == MPI_ERR_NO_MEM) {
      ++failed_count;
    } else if (error != MPI_SUCCESS) {
      job::expect_failed(error, victim);
    }
  }
  job::expect(failed_count > 0, "no allocation has failed");
}

}  // namespace

int main(int argc, char** argv) {
  job::begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  no_request[0] = PMPI_Request_c2f(MPI_REQUEST_NULL);
  if (job::rank != 0) job::obey();
  if (job::rank == 0) {
    std::vector<char> lent(1 << 16);
    MPI_Buffer_attach(lent.data(), static_cast<int>(lent.size()));
    std::vector<Pair> pairs(pair_count);
    for (Pair& pair : pairs) {
      for (MPI_Request& request : pair.requests) {
        MPI_Irecv(&number, 1, MPI_INT, victim, job::tag, job::comm, &request);
      }
    }
    job::give(victim, job::Order::die);
    job::wait_until_dead(victim);
    for (const Completion& tried : completions) {
      job::run(tried.name, [&] { fail_each_allocation(tried, pairs); });
    }
    for (const Case& tried : cases) job::run(tried.name, [&] { fail_each_allocation(tried); });
    void* back = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(&back, &bytes);
    job::give(living, job::Order::finish);
    allocation_limits().bytes_max = 0;
  }
  const int error = MPI_Finalize();
  allocation_limits() = {};
  job::expect(error == MPI_SUCCESS, "MPI_Finalize needs no memory of the library's");
  if (job::rank == 0) std::puts("MPI_Finalize: as it should be");
  return 0;
}
