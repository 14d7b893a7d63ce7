// The slots of direct operations, out of this process's heap.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "core/own_heap.hpp"
#include "core/room_maker.hpp"
#include "operations/direct_memory.hpp"

namespace detour {

class HeapSlots final : public DirectMemory {
 public:
  // The room maker, which has to live longer, is asked when memory is short.
  HeapSlots(std::shared_ptr<OwnHeap> heap, RoomMaker& room) : heap_(std::move(heap)), room_(room) {}

  std::optional<std::uint64_t> pipeline(std::size_t bytes) override;
  [[gnu::hot]] std::optional<std::uint64_t> pipeline_if_there() const override {
    return pipeline_ ? std::optional<std::uint64_t>(pipeline_.offset()) : std::nullopt;
  }
  bool room_comes_later() const override { return room_.comes_later(); }
  Room results(std::size_t bytes) override;
  [[gnu::hot]] void all_have_entered() override { retired_results_ = {}; }
  std::uint64_t place_of(std::span<const std::byte> data) const override;

  bool are_empty() const { return !pipeline_; }
  // When nobody reads any of it.
  void give_back();

 private:
  const std::shared_ptr<OwnHeap> heap_;
  RoomMaker& room_;
  HeapPart pipeline_;
  HeapPart results_;
  std::size_t results_bytes_ = 0;
  HeapPart retired_results_;  // until all have entered the next call
};

}  // namespace detour
