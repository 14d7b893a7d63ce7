// The slots of direct operations, out of this process's heap.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "core/own_heap.hpp"
#include "operations/direct_operation.hpp"

namespace detour {

class HeapSlots final : public DirectMemory {
 public:
  // `make_room` is asked when memory is short: true if there is more now.
  HeapSlots(std::shared_ptr<OwnHeap> heap, std::function<bool()> make_room)
      : heap_(std::move(heap)), make_room_(std::move(make_room)) {}

  std::optional<std::uint64_t> pipeline(std::size_t bytes) override;
  Room results(std::size_t bytes) override;
  void all_have_entered() override { retired_results_ = {}; }

  // When nobody reads any of it. True if there was something.
  bool give_back();

 private:
  const std::shared_ptr<OwnHeap> heap_;
  const std::function<bool()> make_room_;
  HeapPart pipeline_;
  HeapPart results_;
  std::size_t results_bytes_ = 0;
  HeapPart retired_results_;  // until all have entered the next call
};

}  // namespace detour
