#include "transport/mpi_transport.hpp"

#include <algorithm>
#include <limits>

namespace detour {
namespace {

constexpr std::size_t lane_count = 2;

std::size_t index_of(Rank peer, Lane lane) {
  return static_cast<std::size_t>(peer) * lane_count + static_cast<std::size_t>(lane);
}

int tag_of(const MpiRoute& route, std::uint64_t epoch, Lane lane) {
  const auto pair_count = static_cast<std::uint64_t>(route.tag_count) / lane_count;
  return route.tag_base + static_cast<int>(epoch % pair_count * lane_count) +
         static_cast<int>(lane);
}

int error_class(int error) {
  int its_class = MPI_ERR_OTHER;
  PMPI_Error_class(error, &its_class);
  return its_class;
}

// More than the operation has messages would be of no use.
std::size_t window_of(const Link& link) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(link.window_count, link.message_count));
}

}  // namespace

int available_tag_count() {
  int* largest = nullptr;
  int is_there = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &is_there);
  constexpr int largest_everywhere = 32767;
  const int last = is_there != 0 ? *largest : largest_everywhere;
  return std::min(last, std::numeric_limits<int>::max() - 1) + 1;
}

MpiTransport::MpiTransport(const MpiRoute& route, const Program& program,
                           std::size_t message_bytes_max, std::uint64_t epoch)
    : route_(route),
      epoch_(epoch),
      sends_(route.comm_ranks.size() * lane_count),
      receives_(route.comm_ranks.size() * lane_count) {
  constexpr auto wire_bytes_max = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (message_bytes_max > wire_bytes_max - sizeof(MpiHeader)) note(MPI_ERR_COUNT);
  if (route.tag_count < static_cast<int>(lane_count)) note(MPI_ERR_TAG);
  if (error_ != MPI_SUCCESS) return;
  make_room_for_requests(program);
  std::span<MPI_Request> unused = requests_;
  for (const Link& link : program.outgoing) {
    if (!is_carried(link)) continue;
    auto& queue = sends_[index_of(link.peer, link.lane)];
    queue.emplace(shape_of(link, message_bytes_max), unused.first(window_of(link)));
    unused = unused.subspan(window_of(link));
    if (!queue->has_memory()) note(MPI_ERR_NO_MEM);
  }
  for (const Link& link : program.incoming) {
    if (!is_carried(link)) continue;
    auto& queue = receives_[index_of(link.peer, link.lane)];
    queue.emplace(shape_of(link, message_bytes_max), unused.first(window_of(link)));
    own_requests(*queue, unused.first(window_of(link)));
    unused = unused.subspan(window_of(link));
    if (!queue->has_memory()) note(MPI_ERR_NO_MEM);
  }
  for (auto& queue : receives_) {
    if (queue && error_ == MPI_SUCCESS) note(queue->start());
  }
}

MpiTransport::~MpiTransport() {
  for (auto& queue : sends_) {
    if (queue) queue->give_up();
  }
  for (auto& queue : receives_) {
    if (queue) queue->give_up();
  }
}

bool MpiTransport::is_carried(const Link& link) const {
  return route_.comm_ranks[static_cast<std::size_t>(link.peer)] != MPI_PROC_NULL;
}

MpiQueueShape MpiTransport::shape_of(const Link& link, std::size_t message_bytes_max) const {
  return {route_.comm,
          route_.comm_ranks[static_cast<std::size_t>(link.peer)],
          tag_of(route_, epoch_, link.lane),
          epoch_,
          link.message_count,
          message_bytes_max};
}

// All at once: queues keep their requests where they are.
void MpiTransport::make_room_for_requests(const Program& program) {
  std::size_t count = 0;
  for (const auto* links : {&program.outgoing, &program.incoming}) {
    for (const Link& link : *links) count += is_carried(link) ? window_of(link) : 0;
  }
  requests_.assign(count, MPI_REQUEST_NULL);
  owners_.resize(count);
  completed_.resize(count);
  statuses_.resize(count);
}

void MpiTransport::own_requests(MpiReceiveQueue& queue, std::span<const MPI_Request> window) {
  const auto first = static_cast<std::size_t>(window.data() - requests_.data());
  for (std::size_t slot = 0; slot < window.size(); ++slot) owners_[first + slot] = {&queue, slot};
}

void MpiTransport::note(int error) {
  if (error_ == MPI_SUCCESS) error_ = error;
}

std::span<std::byte> MpiTransport::reserve(Rank to, Lane lane, std::size_t bytes) {
  if (error_ != MPI_SUCCESS) return {};
  MpiSendQueue& queue = *sends_[index_of(to, lane)];
  if (const auto room = queue.reserve(bytes); !room.empty()) return room;
  poll();
  return queue.reserve(bytes);
}

void MpiTransport::send(Rank to, Lane lane) {
  note(sends_[index_of(to, lane)]->send());
}

std::span<const std::byte> MpiTransport::peek(Rank from, Lane lane) {
  if (error_ != MPI_SUCCESS) return {};
  MpiReceiveQueue& queue = *receives_[index_of(from, lane)];
  if (const auto message = queue.peek(); !message.empty()) return message;
  poll();
  return queue.peek();
}

void MpiTransport::release(Rank from, Lane lane) {
  note(receives_[index_of(from, lane)]->release());
}

bool MpiTransport::flushed() {
  const auto all_done = [this] {
    return std::all_of(sends_.begin(), sends_.end(),
                       [](const auto& queue) { return !queue || queue->flushed(); });
  };
  if (error_ != MPI_SUCCESS) return false;
  if (all_done()) return true;
  poll();
  return all_done();
}

void MpiTransport::poll() {
  if (error_ != MPI_SUCCESS || requests_.empty()) return;
  int count = 0;
  const int error = PMPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                  completed_.data(), statuses_.data());
  if (error != MPI_SUCCESS && error_class(error) != MPI_ERR_IN_STATUS) {
    note(error);
    return;
  }
  if (count == MPI_UNDEFINED) return;
  for (std::size_t at = 0; at < static_cast<std::size_t>(count); ++at) {
    // Statuses have errors only if the call says so.
    const int its_error = error == MPI_SUCCESS ? MPI_SUCCESS : statuses_[at].MPI_ERROR;
    const Owner& owner = owners_[static_cast<std::size_t>(completed_[at])];
    note(owner.queue ? owner.queue->take_in(owner.slot, its_error) : its_error);
  }
}

}  // namespace detour
