#include "shim/p2p/buffered_sends.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/dead_ranks.hpp"
#include "shim/below.hpp"
#include "shim/export.hpp"
#include "shim/fallible/failed_request.hpp"
#include "shim/p2p/ending.hpp"
#include "shim/p2p/packed_bytes.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {
namespace {

struct Arguments {
  const void* buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int dest = MPI_PROC_NULL;
  int tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

class BufferedSends {
 public:
  void set_room(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    room_bytes_ = bytes;
  }
  bool has_room() const {
    const std::lock_guard lock(mutex_);
    return room_bytes_ != 0;
  }

  // MPI_ERR_BUFFER, not reported, if there is no room for it; MPI's errors are.
  int send(const Arguments& arguments);
  void finish();

 private:
  // What MPI reads from, and the request that it does it for, which is in the book.
  struct Message {
    Message(std::size_t byte_count, const FallibleRequest& request_of_it)
        : bytes(std::make_unique_for_overwrite<std::byte[]>(byte_count)),
          room_bytes(byte_count + MPI_BSEND_OVERHEAD),
          what(request_of_it) {}
    ~Message() {
      if (request != MPI_REQUEST_NULL) keep_for_ever(std::move(bytes));
    }
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;

    std::unique_ptr<std::byte[]> bytes;
    std::size_t room_bytes;
    FallibleRequest what;
    MPI_Request request =
        MPI_REQUEST_NULL;  // while MPI reads the bytes: of those to the dead, for ever
  };

  void forget_ended();
  static void finish(Message& message);

  mutable std::mutex mutex_;  // guards what follows
  std::size_t room_bytes_ = 0;
  std::size_t used_bytes_ = 0;
  std::list<Message> messages_;
};

BufferedSends& buffered_sends() {
  static auto* const sends = new BufferedSends;
  return *sends;
}

int BufferedSends::send(const Arguments& arguments) {
  const auto& [buffer, count, type, dest, tag, comm] = arguments;
  int as_int = 0;  // of which MPI says nothing if there are more bytes than that
  int error = PMPI_Pack_size(count, type, comm, &as_int);
  if (error != MPI_SUCCESS) return error;
  const std::size_t packed_bytes = packed_bytes_of(count, type);
  const std::lock_guard lock(mutex_);
  forget_ended();
  if (used_bytes_ + packed_bytes + MPI_BSEND_OVERHEAD > room_bytes_) return MPI_ERR_BUFFER;
  std::list<Message>
      made;  // moves over without an allocation, which might fail with the message under way
  Message& message = made.emplace_back(packed_bytes, FallibleRequest::send_to(comm, dest));
  int position = 0;
  error = PMPI_Pack(buffer, count, type, message.bytes.get(), as_int, &position, comm);
  if (error != MPI_SUCCESS) return error;
  error = PMPI_Isend(message.bytes.get(), position, MPI_PACKED, dest, tag, comm, &message.request);
  if (error != MPI_SUCCESS) return error;
  remember(error, &message.request, message.what);
  used_bytes_ += message.room_bytes;
  messages_.splice(messages_.end(), made);
  return MPI_SUCCESS;
}

void BufferedSends::forget_ended() {
  for (auto message = messages_.begin(); message != messages_.end();) {
    const auto next = std::next(message);
    int flag = 0;
    PMPI_Request_get_status(message->request, &flag, MPI_STATUS_IGNORE);
    if (flag != 0) {
      used_bytes_ -= message->room_bytes;
      finish(*message);
      messages_.erase(message);
    }
    message = next;
  }
}

void BufferedSends::finish(Message& message) {
  const MPI_Request handle = message.request;
  const auto known = request_book().find(handle);
  if (!failure_of(handle, known.value_or(message.what))) {
    PMPI_Wait(&message.request, MPI_STATUS_IGNORE);
  }
  if (known) request_book().remove(handle, known->number);
}

void BufferedSends::finish() {
  std::list<Message> messages;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(messages_);
    used_bytes_ = 0;
  }
  for (Message& message : messages) finish(message);
}

// What persistent requests send. MPI has in their place one to nobody, which starts and ends in the same way.
class BufferedInits {
 public:
  void add(MPI_Request handle, Arguments arguments) {
    PMPI_Type_dup(arguments.type, &arguments.type);  // the program may free its own
    const std::lock_guard lock(mutex_);
    inits_[handle] = arguments;
  }

  std::optional<Arguments> find(MPI_Request handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = inits_.find(handle);
    return found == inits_.end() ? std::nullopt : std::optional(found->second);
  }

  void remove(MPI_Request handle) {
    const std::lock_guard lock(mutex_);
    const auto found = inits_.find(handle);
    if (found == inits_.end()) return;
    PMPI_Type_free(&found->second.type);
    inits_.erase(found);
  }

 private:
  mutable std::mutex mutex_;
  std::map<MPI_Request, Arguments> inits_;
};

BufferedInits& buffered_inits() {
  static auto* const inits = new BufferedInits;
  return *inits;
}

// Without a buffer it is for MPI to complain.
int send(const Arguments& arguments) {
  const auto& [buffer, count, type, dest, tag, comm] = arguments;
  if (!is_watched(dest) || !buffered_sends().has_room()) {
    return below().buffered.send(buffer, count, type, dest, tag, comm);
  }
  const int error = buffered_sends().send(arguments);
  if (error == MPI_ERR_BUFFER) PMPI_Comm_call_errhandler(comm, error);
  return error;
}

}  // namespace

int bsend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return reporting_exceptions(comm, [&] {
    if (is_watched(dest) && is_dead(comm, dest)) {
      return report_process_failed(comm, process_failed_code(dest));
    }
    return send({buffer, count, type, dest, tag, comm});
  });
}

int ibsend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
           MPI_Request* request) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(dest) || !buffered_sends().has_room()) {
      return below().buffered.isend(buffer, count, type, dest, tag, comm, request);
    }
    if (is_dead(comm, dest)) return make_failed_request(comm, process_failed_code(dest), request);
    if (const int error = send({buffer, count, type, dest, tag, comm}); error != MPI_SUCCESS) {
      return error;
    }
    // It has ended: the message is in the buffer.
    return PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
  });
}

int bsend_init(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return reporting_exceptions(comm, [&] {
    const int result = below().buffered.init(buffer, count, type, dest, tag, comm, request);
    if (result != MPI_SUCCESS || !is_watched(dest)) return result;
    // MPI has found the arguments good.
    PMPI_Request_free(request);
    PMPI_Send_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
    buffered_inits().add(*request, {buffer, count, type, dest, tag, comm});
    return remember(result, request, FallibleRequest::send_to(comm, dest).as_persistent());
  });
}

int send_if_buffered(MPI_Request persistent) {
  const auto arguments = buffered_inits().find(persistent);
  return arguments ? send(*arguments) : MPI_SUCCESS;
}

void forget_if_buffered(MPI_Request persistent) {
  buffered_inits().remove(persistent);
}

void finish_buffered_sends() {
  buffered_sends().finish();
}

int buffer_attach(void* buffer, int bytes) {
  return reporting_exceptions([&] {
    const int result = below().buffer_attach(buffer, bytes);
    if (result == MPI_SUCCESS) buffered_sends().set_room(static_cast<std::size_t>(bytes));
    return result;
  });
}

int buffer_detach(void* buffer_address, int* bytes) {
  return reporting_exceptions([&] {
    finish_buffered_sends();
    const int result = below().buffer_detach(buffer_address, bytes);
    if (result == MPI_SUCCESS) buffered_sends().set_room(0);
    return result;
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Bsend(const void* buf, int count, MPI_Datatype datatype, int dest,
                                  int tag, MPI_Comm comm) {
  return shim::bsend(buf, count, datatype, dest, tag, comm);
}

DETOUR_REPLACES_MPI int MPI_Ibsend(const void* buf, int count, MPI_Datatype datatype, int dest,
                                   int tag, MPI_Comm comm, MPI_Request* request) {
  return shim::ibsend(buf, count, datatype, dest, tag, comm, request);
}

DETOUR_REPLACES_MPI int MPI_Bsend_init(const void* buf, int count, MPI_Datatype datatype, int dest,
                                       int tag, MPI_Comm comm, MPI_Request* request) {
  return shim::bsend_init(buf, count, datatype, dest, tag, comm, request);
}

DETOUR_REPLACES_MPI int MPI_Buffer_attach(void* buffer, int size) {
  return shim::buffer_attach(buffer, size);
}

DETOUR_REPLACES_MPI int MPI_Buffer_detach(void* buffer, int* size) {
  return shim::buffer_detach(buffer, size);
}
