// MPI_Probe and its like, and receiving what was found.
#include <mutex>
#include <optional>
#include <unordered_map>

#include "core/dead_ranks.hpp"
#include "shim/export.hpp"
#include "shim/fallible/doom.hpp"
#include "shim/p2p/ending.hpp"
#include "shim/p2p/point_to_point.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {
namespace {

// Whose the messages are that were found and not received yet: MPI does not tell.
class MessageBook {
 public:
  void add(MPI_Message message, const FallibleRequest& what) {
    const std::lock_guard lock(mutex_);
    messages_[message] = what;
  }

  std::optional<FallibleRequest> take(const MPI_Message* message) {
    if (message == nullptr) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto found = messages_.extract(*message);
    return found ? std::optional(found.mapped()) : std::nullopt;
  }

  void forget_communicator(MPI_Comm comm) {
    const std::lock_guard lock(mutex_);
    for (auto& [message, what] : messages_) {
      if (what.comm == comm) what = what.in_world();
    }
  }

 private:
  std::mutex mutex_;
  std::unordered_map<MPI_Message, FallibleRequest> messages_;
};

MessageBook& message_book() {
  static auto* const book = new MessageBook;
  return *book;
}

// `look(&flag)` asks MPI once. An error if there is nothing and will be nothing.
template <typename Look>
int look_once(int source, MPI_Comm comm, int* flag, const Look& look) {
  const int result = look(flag);
  if (result != MPI_SUCCESS || *flag != 0 || !any_rank_is_dead()) return result;
  if (!source_is_dead(comm, source)) return result;
  take_in_last_messages();
  const int last_result = look(flag);
  if (last_result != MPI_SUCCESS || *flag != 0) return last_result;
  return report_process_failed(comm, failure_code_of_source(comm, source));
}

template <typename Look>
int look_until_found(int source, MPI_Comm comm, const Look& look) {
  int flag = 0;
  int result = MPI_SUCCESS;
  while (result == MPI_SUCCESS && flag == 0) result = look_once(source, comm, &flag, look);
  return result;
}

// The source has to be known, whether or not the program wants to know it.
int take_out(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
             MPI_Status* status) {
  MPI_Status found;
  const int result = below().improbe(source, tag, comm, flag, message, &found);
  if (result != MPI_SUCCESS || *flag == 0) return result;
  if (status != MPI_STATUS_IGNORE) *status = found;
  message_book().add(*message, FallibleRequest::receive_from(comm, found.MPI_SOURCE));
  return result;
}

}  // namespace

void forget_messages_on(MPI_Comm comm) {
  message_book().forget_communicator(comm);
}

int probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(source)) return below().probe(source, tag, comm, status);
    return look_until_found(
        source, comm, [&](int* flag) { return below().iprobe(source, tag, comm, flag, status); });
  });
}

int iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(source) || flag == nullptr) {
      return below().iprobe(source, tag, comm, flag, status);
    }
    return look_once(source, comm, flag,
                     [&](int* found) { return below().iprobe(source, tag, comm, found, status); });
  });
}

int mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(source) || message == nullptr) {
      return below().mprobe(source, tag, comm, message, status);
    }
    return look_until_found(source, comm, [&](int* flag) {
      return take_out(source, tag, comm, flag, message, status);
    });
  });
}

int improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(source) || flag == nullptr || message == nullptr) {
      return below().improbe(source, tag, comm, flag, message, status);
    }
    return look_once(source, comm, flag, [&](int* found) {
      return take_out(source, tag, comm, found, message, status);
    });
  });
}

int mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  return reporting_exceptions([&] {
    const auto what = message_book().take(message);
    if (!what) return below().mrecv(buffer, count, type, message, status);
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = below().imrecv(buffer, count, type, message, &request);
    return error == MPI_SUCCESS ? finish(request, *what, status) : error;
  });
}

int imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  return reporting_exceptions([&] {
    const auto what = message_book().take(message);
    const int result = below().imrecv(buffer, count, type, message, request);
    return what ? remember(result, request, *what) : result;
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return shim::probe(source, tag, comm, status);
}

DETOUR_REPLACES_MPI int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag,
                                   MPI_Status* status) {
  return shim::iprobe(source, tag, comm, flag, status);
}

DETOUR_REPLACES_MPI int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message,
                                   MPI_Status* status) {
  return shim::mprobe(source, tag, comm, message, status);
}

DETOUR_REPLACES_MPI int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag,
                                    MPI_Message* message, MPI_Status* status) {
  return shim::improbe(source, tag, comm, flag, message, status);
}

DETOUR_REPLACES_MPI int MPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message,
                                  MPI_Status* status) {
  return shim::mrecv(buf, count, type, message, status);
}

DETOUR_REPLACES_MPI int MPI_Imrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message,
                                   MPI_Request* request) {
  return shim::imrecv(buf, count, type, message, request);
}
