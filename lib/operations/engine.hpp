// Carries out the calls of one communicator, one after the other: chooses how, and begins.
//
//   direct      straight from each other's memory, where all members share it: allreduce, unless the table or a
//               setting wants another policy; barriers; and what depends on the order of operands
//   routed      all else
//
// The choice depends only on what is the same on all ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/call.hpp"
#include "operations/bells.hpp"
#include "operations/direct_operation.hpp"
#include "operations/operation.hpp"
#include "operations/operation_links.hpp"
#include "operations/route_book.hpp"
#include "operations/routed_operation.hpp"
#include "operations/view.hpp"

namespace detour {

class Engine {
 public:
  // What it works with; all has to live longer. View and memory go together: there are none unless all members
  // share memory.
  struct Means {
    View* view = nullptr;
    DirectMemory* memory = nullptr;
    MemberBlockLayout layout{};
    LinkSource& links;
    const Bells& bells;
    const OperationErrors& errors;
    DirectOperation::Node node = DirectOperation::Node::roomy;
  };
  Engine(std::size_t member_count, const Means& means, RouteBook book);

  // Between calls. Routes and choices come from a new book; without survival a death in the middle of an operation is
  // an error.
  void set_book(RouteBook book);
  void set_survival(bool survives) { survives_ = survives; }
  bool survives() const { return survives_ && means_.view != nullptr; }
  const RouteBook& book() const { return *book_; }

  // Whether a call can be carried out: not if it depends on the order of operands, and its elements are too large to be
  // done directly or not all members share memory.
  [[gnu::hot]] bool can_do(const Call& call) const;

  // Enters the call, or will do so in a step, when there is memory for it. It has to live until the operation ends; the
  // one before has ended.
  [[gnu::hot]] Operation& begin(const Call& call);
  // The short way of an allreduce on so many bytes, if there is one now; and what is to be done with a call that was begun
  // there, as by begin().
  ShortSums* short_sums(std::uint64_t bytes) {
    return direct_ && direct_->short_sums().take(bytes) ? &direct_->short_sums() : nullptr;
  }
  Operation& take_over(const Call& call) noexcept;

  // Of the operation that has ended last: whose data is in the result, and what it took.
  const MemberSet& contributors() const;
  [[gnu::hot]] int attempt_count() const;
  std::uint64_t change_count() const {
    return means_.view != nullptr ? means_.view->change_count() : 0;
  }

  // Who may be reading this rank's memory for direct operations.
  std::vector<std::size_t> readers() const {
    return direct_ ? direct_->readers() : std::vector<std::size_t>{};
  }
  // This rank can't go on: the others do without it.
  void withdraw();
  // Afterwards: what is left of the operation under way, which ends with this error when the others are through with what
  // they read of the program's memory; null if nothing is.
  Operation* abandon(int error);

 private:
  bool goes_direct(const Call& call);
  void admit_short_sums(const Call& call, const DirectWay& way);
  DirectOperation::Survives survival() const {
    return survives_ ? DirectOperation::Survives::yes : DirectOperation::Survives::no;
  }
  bool can_go_direct(const Call& call) const;

  const Means means_;
  std::optional<RouteBook> book_;
  bool survives_ = true;
  MemberSet everybody_;
  std::optional<DirectOperation> direct_;
  std::optional<RoutedOperation> routed_;
  bool last_was_direct_ = false;
  std::uint64_t routed_count_ = 0;
};

}  // namespace detour
