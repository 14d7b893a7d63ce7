// Whether a request can still end, and letting go of one that can't.
#pragma once

#include <mpi.h>

#include "shim/fallible/request_book.hpp"

namespace detour::shim {

// Lets MPI take in what the dead had sent before they died: what they sent whole can be received after this. Once
// per death; free at other times.
void take_in_last_messages();

// Whether nobody is left from whom a message could come. A communicator of one member has lost nobody.
bool source_is_dead(MPI_Comm comm, int source);

// The error of a doomed request that was not given up yet, or of a call that looks for messages: names the dead
// that it waits for.
int failure_code(const RequestBook::Listed& listed);
int failure_code_of_source(MPI_Comm comm, int source);

// What the status of a request or call says that has failed: nothing but the error.
void set_failed(MPI_Status* status, int code);

// Whether MPI has ended it. Lets MPI work if it has not. One that the program has not started has ended.
bool has_ended(const RequestBook::Listed& listed);

// Whether it has not ended, and never will. One load while nobody has died.
bool is_doomed(RequestBook::Listed& listed);

// Of a doomed request. False if it has ended after all. True: it has failed; MPI has forgotten it (the handle is
// gone), or it is a persistent one, which has its handle still and is not under way as far as the program knows.
//
// After this MPI writes no more into the buffer of a receive. Nobody else could: a receiver's memory is written by
// its own thread, while that is in MPI (also where data is fetched from the sender's memory). A receive for which no message
// was found is cancelled. One that had begun to take in a message goes on with each part of it that comes in: so we
// wait until the sender's threads have ended, let MPI take in what is there, and from then on there is none.
// The buffer of a send may still be read, when MPI finds room for a message that it had put off: as much of it as
// fits into one fragment, and nobody sees it.
bool give_up(RequestBook::Listed& listed);

}  // namespace detour::shim
