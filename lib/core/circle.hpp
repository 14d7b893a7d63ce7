// The members of a communicator whose ranks are all on this node and share memory, and how each can be reached.
#pragma once

#include <memory>
#include <vector>

#include "core/binding.hpp"
#include "core/letter_box.hpp"

namespace detour {

class Circle {
 public:
  explicit Circle(const Binding& binding);

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(processes_.size()); }
  PeerId process(int member) const { return processes_[static_cast<std::size_t>(member)]; }
  LetterBox& box(int member) const { return OwnHeap::letter_box_of(base(member)); }
  Counter& bell(int member) const { return OwnHeap::doorbell_of(base(member)); }

 private:
  std::byte* base(int member) const {
    return member == rank_ ? heap_->base()
                           : peers_[static_cast<std::size_t>(member)]->bytes().data();
  }

  const int rank_;
  std::vector<PeerId> processes_;
  const std::shared_ptr<OwnHeap> heap_;
  const std::vector<PeerHeap> peers_;
};

}  // namespace detour
