/* Detour's C interface: collective operations that can replace those of MPI.
 *
 * Every Detour_X has the signature, the meaning and the error classes of MPI_X, so that replacing the
 * prefix is the whole port. Functions may be called between MPI_Init and MPI_Finalize, from as many threads as
 * MPI's thread level allows. Errors go through the communicator's error handler, as in MPI.
 *
 * When ranks die, these functions go on without them. MPI's own don't, unless libdetour_mpi is preloaded or linked.
 *
 * What the library does not speed up (intercommunicators, say) goes to MPI unchanged. Which calls do
 * depends only on what is the same on all ranks.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DETOUR_C_API __attribute__((visibility("default")))
#else
#define DETOUR_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Collective operations ---------------------------------------------------------------------
 *
 * All ranks get the same bits. If the ranks of a communicator disagree about a call (its kind, bytes, operation
 * or root), or one of them has a wrong argument, all of them get an error of the same class, nothing is
 * computed, and the next call works.
 */
DETOUR_C_API int Detour_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
DETOUR_C_API int Detour_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                               MPI_Op op, int root, MPI_Comm comm);
DETOUR_C_API int Detour_Bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                              MPI_Comm comm);
DETOUR_C_API int Detour_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm);
DETOUR_C_API int Detour_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, const int recvcounts[], const int displs[],
                                   MPI_Datatype recvtype, MPI_Comm comm);
DETOUR_C_API int Detour_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
DETOUR_C_API int Detour_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
DETOUR_C_API int Detour_Barrier(MPI_Comm comm);

/* ---- Nonblocking -------------------------------------------------------------------------------
 *
 * Makes progress by itself: a thread of the library works while the program computes. Nothing waits here, so
 * the communicator has to be known to the library already, by Detour_Prepare or by any blocking operation
 * on it; otherwise the operation is MPI's own. So it is between nodes unless all ranks have started MPI with
 * MPI_THREAD_MULTIPLE, and with an operation of the program's.
 *
 * The request may stand in a list with any others, but has to be completed by the functions below: MPI_Wait
 * and its like know of it only where libdetour_mpi.so is loaded, which takes them over.
 */
DETOUR_C_API int Detour_Iallreduce(const void* sendbuf, void* recvbuf, int count,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                   MPI_Request* request);

DETOUR_C_API int Detour_Wait(MPI_Request* request, MPI_Status* status);
DETOUR_C_API int Detour_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
DETOUR_C_API int Detour_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
DETOUR_C_API int Detour_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                                 MPI_Status statuses[]);
DETOUR_C_API int Detour_Test(MPI_Request* request, int* flag, MPI_Status* status);
DETOUR_C_API int Detour_Testall(int count, MPI_Request requests[], int* flag,
                                MPI_Status statuses[]);
DETOUR_C_API int Detour_Testany(int count, MPI_Request requests[], int* index, int* flag,
                                MPI_Status* status);
DETOUR_C_API int Detour_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                                 MPI_Status statuses[]);
DETOUR_C_API int Detour_Request_get_status(MPI_Request request, int* flag, MPI_Status* status);
DETOUR_C_API int Detour_Request_free(MPI_Request* request);

/* ---- Communicators -----------------------------------------------------------------------------
 *
 * The first blocking operation on a communicator makes it known to the library; this does it ahead of time.
 * Collective over the communicator.
 */
DETOUR_C_API int Detour_Prepare(MPI_Comm comm);

/* As MPI_Comm_dup and MPI_Comm_split, but of those members who live: MPI's own functions wait for ever for the dead. (Where
 * libdetour_mpi.so is loaded MPI's names do the same.) New ranks are in the order of the keys and old ranks. */
DETOUR_C_API int Detour_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm);
DETOUR_C_API int Detour_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm);

/* Changes a setting for one communicator, from the next operation on. Collective: all ranks have to make the
 * same change. `name` is that of the environment variable without DETOUR_, in lower case: "policy", "mesh",
 * "cells", "bridges", "chunk_bytes", "stores", "window_count", "ft", "rescale". A null or empty value restores what
 * the environment says. MPI_ERR_ARG for what does not exist. */
DETOUR_C_API int Detour_Set(MPI_Comm comm, const char* name, const char* value);

/* Who is in a result. */
typedef struct Detour_Result {
  int contributor_count;
  /* Bit r % 64 of word r / 64 is set if rank r's data is in the result. Points to memory of the library that
   * is valid until the calling thread asks for another result. */
  const uint64_t* contributors;
  int word_count;
  int attempts;   /* how often the operation was begun: 1 unless ranks have failed */
  uint64_t epoch; /* how often the set of members had changed */
} Detour_Result;

/* Of the last operation on the communicator that has ended well on this rank, be it one that nobody has waited for yet.
 * Before there is one, all is zero: no contributors, no words, no attempts, and `contributors` is a null pointer. */
DETOUR_C_API int Detour_Last_result(MPI_Comm comm, Detour_Result* result);

/* Of the operation behind a request of Detour_Iallreduce, for whose end it waits. The request is still to be completed
 * afterwards, with Detour_Wait or its like. Returns the operation's error if it has one, which the error handler gets to
 * see only then; and MPI_ERR_REQUEST for other requests, also those of operations that the library leaves to MPI. */
DETOUR_C_API int Detour_Request_result(MPI_Request request, Detour_Result* result);

/* When operations on a communicator last had to get over the death of members, as this rank saw it. In nanoseconds
 * of CLOCK_MONOTONIC, which is the same for all processes of a node. Losses that one operation got over are one
 * recovery: the first noticing, the last agreement. */
typedef struct Detour_Recovery {
  uint64_t count;        /* of recoveries on this communicator so far; 0: all else is 0, too */
  uint64_t noticed_ns;   /* this rank learnt of the death */
  uint64_t broken_ns;    /* the operation under way was broken off; 0: none had to be */
  uint64_t agreed_ns;    /* this rank knew who goes on */
  uint64_t begun_ns;     /* the operation was begun again, with a plan for those */
  uint64_t completed_ns; /* its result was there */
} Detour_Recovery;

DETOUR_C_API int Detour_Last_recovery(MPI_Comm comm, Detour_Recovery* recovery);

/* The class of the errors of calls that failed because a rank has died, or because the others have taken this one for
 * dead: MPIX_ERR_PROC_FAILED where MPI has it, otherwise one of the library's own. Error codes have texts that name the
 * dead, so it is to be compared with what MPI_Error_class says of a code, not with the code. */
DETOUR_C_API int Detour_Process_failed_class(void);

/* Who has died. */
typedef struct Detour_Death {
  int rank; /* in MPI_COMM_WORLD */
  int pid;
  const char* host; /* valid during the call */
  double time;      /* when this rank noticed: seconds since 1970 */
} Detour_Death;
typedef void Detour_Death_function(const Detour_Death* death, void* context);

/* Has the function called once for every rank of this node that dies, of those that this rank has had a collective
 * operation with: for past deaths in this call, for later ones in a thread of the library's, one after the other. It
 * has to return soon, because that thread notices the next death and shows the other ranks that this one is not
 * stopped; and it may call neither MPI nor Detour, except Detour_Version. One function at a time: another one, or a
 * null pointer, takes its place, and when this returns the one before is not being called any more. */
DETOUR_C_API int Detour_On_death(Detour_Death_function* function, void* context);

/* What this rank has done on one communicator since it was made known. Before that, all is zero. */
typedef struct Detour_Statistics {
  uint64_t operation_count; /* without those that were left to MPI */
  uint64_t payload_bytes;   /* of this rank's part in the operations that succeeded */
  uint64_t error_count;
  uint64_t memory_bytes; /* shared memory that this process has in use, for all communicators */
  uint64_t memory_limit_bytes;
} Detour_Statistics;

DETOUR_C_API int Detour_Get_statistics(MPI_Comm comm, Detour_Statistics* statistics);

/* ---- Memory ------------------------------------------------------------------------------------
 *
 * Memory that the other ranks of this node can map, as MPI_Alloc_mem would give it otherwise. `baseptr` is the
 * address of a pointer. MPI_ERR_NO_MEM if there is not enough; its limit is DETOUR_MEMORY_BYTES. Starts at a page, if it
 * is as large as one, and from 2 MiB up at a huge page if there is room for that. With the preloaded library MPI_Alloc_mem gives such memory too, for large pieces.
 */
DETOUR_C_API int Detour_Alloc(MPI_Aint size, MPI_Info info, void* baseptr);
DETOUR_C_API int Detour_Free(void* base);

/* ---- Datatypes ---------------------------------------------------------------------------------
 *
 * 16-bit floating-point numbers, for the operations above. Valid from the first use until MPI_Finalize.
 */
DETOUR_C_API MPI_Datatype Detour_Float16(void);
DETOUR_C_API MPI_Datatype Detour_Bfloat16(void);
#define DETOUR_FLOAT16 (Detour_Float16())
#define DETOUR_BFLOAT16 (Detour_Bfloat16())

/* The library's version: "0.1.0". */
DETOUR_C_API const char* Detour_Version(void);

#ifdef __cplusplus
}
#endif
