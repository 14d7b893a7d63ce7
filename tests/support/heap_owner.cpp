#include "support/heap_owner.hpp"

#include <sys/mman.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "shm/heap_name.hpp"

namespace detour::test {

HeapOwner::HeapOwner(std::size_t bytes, Backing backing)
    : shared_(make_shared_scratch<Shared>()),
      process_([this, bytes, backing] { return run(*shared_, bytes, backing); }) {
  if (!eventually([this] { return shared_->is_ready.load(); })) {
    throw std::runtime_error("the owner of a heap did not get ready");
  }
}

HeapOwner::~HeapOwner() {
  process_.kill_and_wait();
  for (const std::string& name : names_of(process_.pid())) ::shm_unlink(("/" + name).c_str());
}

int HeapOwner::run(Shared& shared, std::size_t bytes, Backing backing) {
  auto made = SharedHeap::create(bytes, backing);
  if (!made.ok()) throw std::runtime_error(made.reason());
  SharedHeap heap = std::move(made).value();
  std::memset(heap.bytes().data(), static_cast<int>(mark), bytes);
  shared.handle = heap.handle();
  shared.is_ready = true;
  for (;;) {
    if (shared.request == unlink_name) heap.unlink();
    if (shared.request == read_first_byte) shared.first_byte = heap.bytes().front();
    if (shared.request != none) shared.request = done;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void HeapOwner::ask(Request request) {
  shared_->request = request;
  if (!eventually([this] { return shared_->request == done; })) {
    throw std::runtime_error("the owner of a heap does not answer");
  }
}

void HeapOwner::unlink() {
  ask(unlink_name);
}

std::byte HeapOwner::first_byte() {
  ask(read_first_byte);
  return shared_->first_byte;
}

std::vector<std::string> names_of(pid_t owner) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
    const std::string name = entry.path().filename().string();
    const auto parsed = parse_heap_name(name);
    if (parsed && parsed->owner == owner) names.push_back(name);
  }
  return names;
}

}  // namespace detour::test
