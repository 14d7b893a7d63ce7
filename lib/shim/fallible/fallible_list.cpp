#include "shim/fallible/fallible_list.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/dead_ranks.hpp"
#include "shim/fallible/doom.hpp"
#include "shim/fallible/failed_request.hpp"

namespace detour::shim {
namespace {

using Listed = RequestBook::Listed;

// The memory of the last list of this thread, for the next one.
thread_local std::vector<Listed> spare;

}  // namespace

FallibleList::FallibleList(int count, MPI_Request requests[], All all)
    : count_(count), requests_(requests), all_(all) {
  RequestBook& book = request_book();
  if (!deaths_are_noticed() || requests == nullptr || book.is_empty()) return;
  found_ = std::exchange(spare, {});
  if (all == All::end) {
    book.take_all(count, requests, found_);
  } else {
    book.find_all(count, requests, found_);
  }
  hide_stuck();
}

// MPI is not shown those that nothing can be done with: for the program they are not under way.
void FallibleList::hide_stuck() {
  for (const Listed& listed : found_) {
    if (listed.request.is_stuck) requests_[listed.index] = MPI_REQUEST_NULL;
  }
}

FallibleList::~FallibleList() {
  if (!is_settled_) restore();
  found_.clear();
  if (found_.capacity() > spare.capacity()) spare = std::move(found_);
}

void FallibleList::wait_for_all() {
  for (Listed& listed : found_) {
    while (!has_ended(listed) && !is_doomed(listed)) {
    }
  }
}

bool FallibleList::all_are_settled() {
  return std::all_of(found_.begin(), found_.end(),
                     [](Listed& listed) { return has_ended(listed) || is_doomed(listed); });
}

std::optional<int> FallibleList::find_doomed() {
  if (!any_rank_is_dead()) return std::nullopt;
  const auto found = std::find_if(found_.begin(), found_.end(), is_doomed);
  return found == found_.end() ? std::nullopt : std::optional(found->index);
}

void FallibleList::fail_doomed() {
  if (!any_rank_is_dead()) return;
  for (Listed& listed : found_) {
    if (is_doomed(listed)) fail(listed);
  }
}

void FallibleList::fail_doomed_at(int index) {
  for (Listed& listed : found_) {
    if (listed.index == index && is_doomed(listed)) fail(listed);
  }
}

// What needs memory comes first: once MPI has forgotten the request, something has to be in its place.
void FallibleList::fail(Listed& listed) {
  const int code = failure_code(listed);
  MPI_Request failed = MPI_REQUEST_NULL;
  if (make_failed_request(listed.request.comm, code, &failed) != MPI_SUCCESS) {
    throw std::bad_alloc();
  }
  if (!give_up(listed)) {
    take_back_failed_request(failed);
    return;
  }
  listed.request.is_refused = false;
  if (listed.request.is_persistent) {
    request_book().change(listed.handle, listed.request);
  } else {
    request_book().remove(listed.handle, listed.request.number);
  }
  requests_[listed.index] = failed;
}

// Requests that were taken are watched again. A persistent one that has failed is the program's again, too; it
// is told of the failure by the error that the call ends with.
void FallibleList::restore() noexcept {
  for (const Listed& listed : found_) {
    MPI_Request& place = requests_[listed.index];
    if (listed.request.is_persistent) {
      if (place != MPI_REQUEST_NULL && place != listed.handle) take_back_failed_request(place);
      place = listed.handle;
    } else if (all_ == All::end && place == listed.handle) {
      request_book().put_back(listed.handle, listed.request);
    }
  }
}

int FallibleList::settle(int result) {
  is_settled_ = true;
  for (const Listed& listed : found_) {
    if (listed.request.is_persistent) {
      requests_[listed.index] = listed.handle;
    } else if (all_ == All::may_go_on && requests_[listed.index] == MPI_REQUEST_NULL) {
      request_book().remove(listed.handle, listed.request.number);
    }
  }
  return result;
}

}  // namespace detour::shim
