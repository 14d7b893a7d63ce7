// The requests in the list of a Wait or Test call that a death can keep from ending.
//
// They are looked at here; what is left for the library and for MPI are requests that end. One that can't end is given up
// and changes places with one that has failed, so that indices, statuses and error handlers are dealt with where
// they always are. That is done only with those that the call is going to report: programs keep copies of handles.
//
//   FallibleList list(count, requests, FallibleList::All::end);
//   list.wait_for_all();
//   list.fail_doomed();
//   return list.settle(Detour_Waitall(count, requests, statuses));
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "shim/fallible/request_book.hpp"

namespace detour::shim {

class FallibleList {
 public:
  // Whether the call returns before all have ended.
  enum class All : bool { may_go_on, end };

  // Empty if nobody notices deaths, nothing in the list can fail, or the arguments are for MPI to refuse.
  FallibleList(int count, MPI_Request requests[], All all);
  ~FallibleList();
  FallibleList(const FallibleList&) = delete;
  FallibleList& operator=(const FallibleList&) = delete;

  bool is_empty() const { return found_.empty(); }

  // Until each of them has ended or is doomed.
  void wait_for_all();
  bool all_are_settled();

  // The index of one that can't end.
  std::optional<int> find_doomed();
  // Gives up all that are doomed, or the one at this index. Its place is taken by a request that has failed, unless it
  // ends after all.
  void fail_doomed();
  void fail_doomed_at(int index);

  // After the call: forgets those that have been completed, gives persistent ones their handles back, and the result. A list
  // that does not get there, because there is no memory, leaves requests that have not failed as they were.
  int settle(int result);

  // Positions of all others.
  template <typename Visit>
  bool all_others(Visit visit) const {
    std::size_t next = 0;
    for (int index = 0; index < count_; ++index) {
      if (next < found_.size() && found_[next].index == index) {
        ++next;
      } else if (!visit(index)) {
        return false;
      }
    }
    return true;
  }

 private:
  void hide_stuck();
  void fail(RequestBook::Listed& listed);
  void restore() noexcept;

  int count_;
  MPI_Request* requests_;
  All all_;
  std::vector<RequestBook::Listed> found_;
  bool is_settled_ = false;
};

}  // namespace detour::shim
