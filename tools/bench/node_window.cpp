#include "bench/node_window.hpp"

#include <cstring>
#include <utility>

namespace detour::tool {
namespace {

// Errors of the communicator come back as values as long as this lives.
class ErrorsReturn {
 public:
  explicit ErrorsReturn(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm, &before_);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturn() {
    PMPI_Comm_set_errhandler(comm_, before_);
    PMPI_Errhandler_free(&before_);
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

}  // namespace

// All have written their zeros when it is known that all have memory.
std::unique_ptr<NodeWindow> NodeWindow::make(MPI_Comm comm, std::size_t own_bytes) {
  std::unique_ptr<NodeWindow> window(new NodeWindow(comm, own_bytes));
  int has_memory = window->window_ != MPI_WIN_NULL ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &has_memory, 1, MPI_INT, MPI_MIN, comm);
  return has_memory != 0 ? std::move(window) : nullptr;
}

NodeWindow::NodeWindow(MPI_Comm comm, std::size_t own_bytes) {
  int rank = 0;
  int count = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &count);
  rank_ = static_cast<std::size_t>(rank);
  parts_.resize(static_cast<std::size_t>(count));
  void* own = nullptr;
  const ErrorsReturn errors_return(comm);
  if (PMPI_Win_allocate_shared(static_cast<MPI_Aint>(own_bytes), 1, MPI_INFO_NULL, comm, &own,
                               &window_) != MPI_SUCCESS) {
    window_ = MPI_WIN_NULL;
    return;
  }
  for (int of = 0; of < count; ++of) {
    MPI_Aint bytes = 0;
    int unit_bytes = 0;
    void* part = nullptr;
    PMPI_Win_shared_query(window_, of, &bytes, &unit_bytes, &part);
    if (bytes > 0) parts_[static_cast<std::size_t>(of)] = static_cast<std::byte*>(part);
  }
  if (own_bytes > 0) std::memset(own, 0, own_bytes);
}

NodeWindow::~NodeWindow() {
  if (window_ != MPI_WIN_NULL) PMPI_Win_free(&window_);
}

}  // namespace detour::tool
