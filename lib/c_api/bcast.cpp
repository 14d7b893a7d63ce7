#include <optional>

#include "c_api/collective.hpp"
#include "c_api/moving.hpp"
#include "detour/detour.h"
#include "mpi/reduction.hpp"
#include "next_calls.hpp"

int Detour_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  using namespace detour;
  std::optional<FlatBuffer> flat;
  bool is_root = false;
  return collective(
      comm, CallKind::broadcast,
      [&](Member caller, Call& call) {
        call.header.root = root;
        if (const int error = check_bcast(buffer, count, datatype, root, caller);
            error != MPI_SUCCESS) {
          return error;
        }
        is_root = caller.rank == root;
        flat.emplace(buffer, count, datatype, FlatBuffer::As::packed);
        if (is_root) flat->load();
        describe_moving(call, flat->data(), flat->bytes());
        return MPI_SUCCESS;
      },
      [&](const MemberSet&) {
        if (!is_root) flat->store();
      },
      [&] { return next_calls().bcast(buffer, count, datatype, root, comm); });
}
