#include "compare/open_mpi_peers.hpp"

#include <cstdlib>

#include "exit_status.hpp"

namespace detour::tool {
namespace {

constexpr const char* heed_choice = "coll_tuned_use_dynamic_rules";
constexpr const char* algorithm_choice = "coll_tuned_allreduce_algorithm";
constexpr const char* segment_choice = "coll_tuned_allreduce_algorithm_segmentsize";

// A control variable of MPI.
class Control {
 public:
  explicit Control(const char* name) : name_(name) {
    int index = 0;
    int count = 0;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count) != MPI_SUCCESS) {
      throw BadInput("this MPI has no control variable " + name_ +
                     ": the comparison needs Open MPI 4.1");
    }
  }
  ~Control() { MPI_T_cvar_handle_free(&handle_); }
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // Of flags a byte, of others all.
  int read() const {
    int value = 0;
    MPI_T_cvar_read(handle_, &value);
    return value;
  }

  void write(int value) const {
    if (MPI_T_cvar_write(handle_, &value) != MPI_SUCCESS || read() != value) {
      throw BadInput("this MPI does not let " + name_ + " be set to " + std::to_string(value));
    }
  }

 private:
  std::string name_;
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
};

AllreduceCall blocking(MPI_Comm comm) {
  return [comm](const void* send, void* receive, int count) {
    return PMPI_Allreduce(send == nullptr ? MPI_IN_PLACE : send, receive, count, MPI_FLOAT, MPI_SUM,
                          comm);
  };
}

AllreduceCall nonblocking(MPI_Comm comm) {
  return [comm](const void* send, void* receive, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = PMPI_Iallreduce(send == nullptr ? MPI_IN_PLACE : send, receive, count,
                                      MPI_FLOAT, MPI_SUM, comm, &request);
    return error == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : error;
  };
}

}  // namespace

void prepare_environment_for_peers() {
  const std::string prefix = "OMPI_MCA_";
  ::setenv((prefix + heed_choice).c_str(), "1", 1);
  ::setenv((prefix + "coll_sm_priority").c_str(), "1", 1);
}

OpenMpiPeers::OpenMpiPeers() {
  int provided = 0;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
    throw BadInput("MPI's tool interface does not start: no choice of algorithms without it");
  }
  if (Control(heed_choice).read() == 0) {
    throw BadInput("MPI would not heed a choice of algorithm: is " + std::string(heed_choice) +
                   " set on mpirun's command line or in a file of parameters?");
  }
  constexpr int kib = 1024;
  add_tuned("tuned", 0, 0);
  add_tuned("linear", 1, 0);
  add_tuned("nonoverlapping", 2, 0);
  add_tuned("recursive doubling", 3, 0);
  add_tuned("ring", 4, 0);
  add_tuned("segmented ring, 64K", 5, 64 * kib);
  add_tuned("segmented ring, 1M", 5, 1024 * kib);
  add_tuned("rabenseifner", 6, 0);
  Control(algorithm_choice).write(0);
  Control(segment_choice).write(0);
  add_component("basic");
  add_component("sm");
  add_nonblocking();
}

OpenMpiPeers::~OpenMpiPeers() {
  for (MPI_Comm& comm : comms_) PMPI_Comm_free(&comm);
  MPI_T_finalize();
}

void OpenMpiPeers::add_tuned(const std::string& name, int algorithm, int segment_bytes) {
  Control(algorithm_choice).write(algorithm);
  Control(segment_choice).write(segment_bytes);
  calls_.push_back({name, blocking(duplicate(nullptr))});
}

void OpenMpiPeers::add_component(const std::string& name) {
  calls_.push_back({name, blocking(duplicate(name.c_str()))});
}

void OpenMpiPeers::add_nonblocking() {
  calls_.push_back({"libnbc", nonblocking(duplicate(nullptr))});
}

MPI_Comm OpenMpiPeers::duplicate(const char* preferred_component) {
  MPI_Info info = MPI_INFO_NULL;
  PMPI_Info_create(&info);
  if (preferred_component != nullptr) {
    PMPI_Info_set(info, "ompi_comm_coll_preference", preferred_component);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  PMPI_Info_free(&info);
  comms_.push_back(comm);
  return comm;
}

}  // namespace detour::tool
