// Every call that waits for a message to or from one rank, as a function of that rank that returns the error.
#pragma once

#include <mpi.h>

#include <vector>

#include "job.hpp"

namespace calls {

struct Call {
  const char* name;
  int (*make)(int peer);
};

inline std::vector<int>& buffer() {
  static std::vector<int> numbers(job::large_count);
  return numbers;
}
inline std::vector<int>& other_buffer() {
  static std::vector<int> numbers(job::large_count);
  return numbers;
}

// What a nonblocking call gives fails when it is completed.
template <typename Begin>
int waited(Begin begin) {
  MPI_Request request = MPI_REQUEST_NULL;
  job::expect_success(begin(&request));
  const int error = MPI_Wait(&request, MPI_STATUS_IGNORE);
  job::expect(request == MPI_REQUEST_NULL, "the request is gone");
  return error;
}

// The same request is started and fails twice.
template <typename Init>
int restarted(Init init) {
  MPI_Request request = MPI_REQUEST_NULL;
  job::expect_success(init(&request));
  const MPI_Request handle = request;
  int error = MPI_SUCCESS;
  for (int times = 0; times < 2; ++times) {
    job::expect_success(MPI_Start(&request));
    error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    job::expect(request == handle, "a persistent request stays");
    job::expect_success(MPI_Wait(&request, MPI_STATUS_IGNORE));  // it is not under way
  }
  job::expect_success(MPI_Request_free(&request));
  return error;
}

#define DETOUR_TRIED_SEND(name, count)                                               \
  {                                                                                  \
    "MPI_" #name, [](int peer) {                                                     \
      return MPI_##name(buffer().data(), count, MPI_INT, peer, job::tag, job::comm); \
    }                                                                                \
  }
#define DETOUR_TRIED_ISEND(name, count)                                                         \
  {                                                                                             \
    "MPI_" #name, [](int peer) {                                                                \
      return waited([peer](MPI_Request* request) {                                              \
        return MPI_##name(buffer().data(), count, MPI_INT, peer, job::tag, job::comm, request); \
      });                                                                                       \
    }                                                                                           \
  }
#define DETOUR_TRIED_INIT(name, count)                                                          \
  {                                                                                             \
    "MPI_" #name, [](int peer) {                                                                \
      return restarted([peer](MPI_Request* request) {                                           \
        return MPI_##name(buffer().data(), count, MPI_INT, peer, job::tag, job::comm, request); \
      });                                                                                       \
    }                                                                                           \
  }

// They fail whether the death is known at the beginning, or comes while they wait.
inline const std::vector<Call>& waiting() {
  using job::large_count;
  static const std::vector<Call> all = {
      DETOUR_TRIED_SEND(Send, large_count),
      DETOUR_TRIED_SEND(Ssend, 1),
      DETOUR_TRIED_ISEND(Isend, large_count),
      DETOUR_TRIED_ISEND(Issend, 1),
      DETOUR_TRIED_INIT(Send_init, large_count),
      DETOUR_TRIED_INIT(Ssend_init, 1),
      DETOUR_TRIED_ISEND(Irecv, 1),
      DETOUR_TRIED_INIT(Recv_init, 1),
      {"MPI_Recv",
       [](int peer) {
         return MPI_Recv(buffer().data(), 1, MPI_INT, peer, job::tag, job::comm, MPI_STATUS_IGNORE);
       }},
      {"MPI_Sendrecv from the dead",
       [](int peer) {
         return MPI_Sendrecv(buffer().data(), 1, MPI_INT, 0, job::tag + 2, other_buffer().data(), 1,
                             MPI_INT, peer, job::tag, job::comm, MPI_STATUS_IGNORE);
       }},
      {"MPI_Sendrecv to the dead",
       [](int peer) {
         const int error = MPI_Sendrecv(buffer().data(), large_count, MPI_INT, peer, job::tag,
                                        other_buffer().data(), 0, MPI_INT, MPI_PROC_NULL, job::tag,
                                        job::comm, MPI_STATUS_IGNORE);
         return error;
       }},
      {"MPI_Sendrecv_replace",
       [](int peer) {
         return MPI_Sendrecv_replace(buffer().data(), large_count, MPI_INT, peer, job::tag, peer,
                                     job::tag, job::comm, MPI_STATUS_IGNORE);
       }},
      {"MPI_Probe",
       [](int peer) { return MPI_Probe(peer, job::tag, job::comm, MPI_STATUS_IGNORE); }},
      {"MPI_Mprobe",
       [](int peer) {
         MPI_Message message = MPI_MESSAGE_NULL;
         return MPI_Mprobe(peer, job::tag, job::comm, &message, MPI_STATUS_IGNORE);
       }},
      {"MPI_Test",
       [](int peer) {
         MPI_Request request = MPI_REQUEST_NULL;
         MPI_Irecv(buffer().data(), 1, MPI_INT, peer, job::tag, job::comm, &request);
         int flag = 0;
         int error = MPI_SUCCESS;
         while (error == MPI_SUCCESS) {
           job::expect(flag == 0, "a receive from the dead has ended");
           error = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
         }
         job::expect(request == MPI_REQUEST_NULL, "the request is gone");
         return error;
       }},
      {"MPI_Request_get_status",
       [](int peer) {
         MPI_Request request = MPI_REQUEST_NULL;
         MPI_Irecv(buffer().data(), 1, MPI_INT, peer, job::tag, job::comm, &request);
         int flag = 0;
         int error = MPI_SUCCESS;
         MPI_Status status;
         while (error == MPI_SUCCESS) error = MPI_Request_get_status(request, &flag, &status);
         job::expect(flag != 0 && status.MPI_ERROR == error, "the status has the error");
         job::expect(MPI_Wait(&request, MPI_STATUS_IGNORE) == error, "and the request still");
         return error;
       }},
  };
  return all;
}

// They wait for nobody, so they fail only if the death is known.
inline const std::vector<Call>& hasty() {
  static const std::vector<Call> all = {
      DETOUR_TRIED_SEND(Send, 1),
      DETOUR_TRIED_SEND(Rsend, 1),
      DETOUR_TRIED_SEND(Bsend, 1),
      DETOUR_TRIED_ISEND(Isend, 1),
      DETOUR_TRIED_ISEND(Irsend, 1),
      DETOUR_TRIED_ISEND(Ibsend, 1),
      DETOUR_TRIED_INIT(Send_init, 1),
      DETOUR_TRIED_INIT(Rsend_init, 1),
      DETOUR_TRIED_INIT(Bsend_init, 1),
      {"MPI_Iprobe",
       [](int peer) {
         int flag = 0;
         return MPI_Iprobe(peer, job::tag, job::comm, &flag, MPI_STATUS_IGNORE);
       }},
      {"MPI_Improbe",
       [](int peer) {
         int flag = 0;
         MPI_Message message = MPI_MESSAGE_NULL;
         return MPI_Improbe(peer, job::tag, job::comm, &flag, &message, MPI_STATUS_IGNORE);
       }},
  };
  return all;
}

}  // namespace calls
