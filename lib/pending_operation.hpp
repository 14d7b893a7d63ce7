// An operation that was begun and goes on while the program does something else.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>

#include "operation_result.hpp"

namespace detour {

class PendingOperation {
 public:
  virtual ~PendingOperation() = default;

  // True once it has ended. Never blocks; may do a part of the work in the calling thread. Any thread
  // may call it, several at once too.
  virtual bool advance() = 0;

  // Sleeps until there may be something new, at most for so long. Spurious returns are fine.
  virtual void rest(std::chrono::microseconds at_most) = 0;

  // Between these a thread calls advance() again and again until the end, or until it is told otherwise, so nobody else has
  // to. Any number of threads may.
  virtual void attend() {}
  virtual void leave() {}
  // Changes whenever the operation, or one that has to come before it, gets on.
  virtual std::uint64_t progress_count() const { return 0; }

  // After the end: MPI_SUCCESS, or the class of the error, which belongs to comm()'s error handler.
  virtual int error() const = 0;
  virtual MPI_Comm comm() const = 0;

  // With an error, before it goes to the error handler of `comm`, which may end this process: for errors that the other
  // ranks would then know nothing of. It is comm(), or the world if that is gone.
  virtual void tell_others_of_error(MPI_Comm /*comm*/) const {}

  // After the end: what the program gets to see of it, but for the error. Null for a collective operation, which
  // has no source, no tag and no count.
  virtual const MPI_Status* status() const { return nullptr; }

  // After the end: whose data is in it. Null for an operation that has no result, or an error.
  virtual const OperationResult* result() const { return nullptr; }
};

}  // namespace detour
