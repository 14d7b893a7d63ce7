#include "shim/completion.hpp"

#include <optional>

#include "core/dead_ranks.hpp"
#include "detour/detour.h"
#include "shim/below.hpp"
#include "shim/fallible/doom.hpp"
#include "shim/fallible/fallible_list.hpp"
#include "shim/fallible/request_book.hpp"
#include "shim/p2p/buffered_sends.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {
namespace {

bool has_ended_by_itself(MPI_Request request) {
  int flag = 0;
  Detour_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

// Of a list that has one that can't end: the call ends with that one.
int fail_one(FallibleList& list, int doomed, MPI_Request requests[], int* index, int* flag,
             MPI_Status* status) {
  list.fail_doomed_at(doomed);
  *index = doomed;
  *flag = 1;
  return list.settle(Detour_Wait(&requests[doomed], status));
}

}  // namespace

int wait(MPI_Request* request, MPI_Status* status) {
  return reporting_exceptions([&] {
    if (!deaths_are_noticed() || request == nullptr) return Detour_Wait(request, status);
    const auto known = request_book().take(*request);
    if (!known) return Detour_Wait(request, status);
    const RequestBook::Listed listed{0, *request, *known};
    while (!any_rank_is_dead()) {
      if (has_ended(listed)) return Detour_Wait(request, status);
    }
    request_book().put_back(*request, *known);
    FallibleList list(1, request, FallibleList::All::end);
    list.wait_for_all();
    list.fail_doomed();
    return list.settle(Detour_Wait(request, status));
  });
}

int waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return reporting_exceptions([&] {
    FallibleList list(count, requests, FallibleList::All::end);
    if (list.is_empty()) return Detour_Waitall(count, requests, statuses);
    list.wait_for_all();
    list.fail_doomed();
    return list.settle(Detour_Waitall(count, requests, statuses));
  });
}

int waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return reporting_exceptions([&] {
    FallibleList list(count, requests, FallibleList::All::may_go_on);
    if (list.is_empty() || index == nullptr) {
      return list.settle(Detour_Waitany(count, requests, index, status));
    }
    for (;;) {
      int flag = 0;
      if (const auto doomed = list.find_doomed()) {
        return fail_one(list, *doomed, requests, index, &flag, status);
      }
      const int result = Detour_Testany(count, requests, index, &flag, status);
      if (result != MPI_SUCCESS || flag != 0) return list.settle(result);
    }
  });
}

int waitsome(int in_count, MPI_Request requests[], int* out_count, int indices[],
             MPI_Status statuses[]) {
  return reporting_exceptions([&] {
    FallibleList list(in_count, requests, FallibleList::All::may_go_on);
    if (list.is_empty() || out_count == nullptr || indices == nullptr) {
      return list.settle(Detour_Waitsome(in_count, requests, out_count, indices, statuses));
    }
    for (;;) {
      list.fail_doomed();
      const int result = Detour_Testsome(in_count, requests, out_count, indices, statuses);
      if (result != MPI_SUCCESS || *out_count != 0) return list.settle(result);
    }
  });
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  return reporting_exceptions([&] {
    FallibleList list(1, request, FallibleList::All::may_go_on);
    if (!list.is_empty() && flag != nullptr) list.fail_doomed();
    return list.settle(Detour_Test(request, flag, status));
  });
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return reporting_exceptions([&] {
    FallibleList list(count, requests, FallibleList::All::may_go_on);
    if (list.find_doomed() && flag != nullptr) {
      const auto has_ended_at = [&](int index) { return has_ended_by_itself(requests[index]); };
      *flag = 0;
      if (!list.all_are_settled() || !list.all_others(has_ended_at))
        return list.settle(MPI_SUCCESS);
      list.fail_doomed();
    }
    return list.settle(Detour_Testall(count, requests, flag, statuses));
  });
}

int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return reporting_exceptions([&] {
    FallibleList list(count, requests, FallibleList::All::may_go_on);
    if (index != nullptr && flag != nullptr) {
      if (const auto doomed = list.find_doomed()) {
        return fail_one(list, *doomed, requests, index, flag, status);
      }
    }
    return list.settle(Detour_Testany(count, requests, index, flag, status));
  });
}

int testsome(int in_count, MPI_Request requests[], int* out_count, int indices[],
             MPI_Status statuses[]) {
  return reporting_exceptions([&] {
    FallibleList list(in_count, requests, FallibleList::All::may_go_on);
    if (out_count != nullptr && indices != nullptr) list.fail_doomed();
    return list.settle(Detour_Testsome(in_count, requests, out_count, indices, statuses));
  });
}

int request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return reporting_exceptions([&] {
    const auto known =
        any_rank_is_dead() && flag != nullptr ? request_book().find(request) : std::nullopt;
    if (!known) return Detour_Request_get_status(request, flag, status);
    RequestBook::Listed listed{0, request, *known};
    if (is_doomed(listed)) {
      const int code = failure_code(listed);
      *flag = 1;
      set_failed(status, code);
      return report_process_failed(known->comm, code);
    }
    return Detour_Request_get_status(known->is_stuck ? MPI_REQUEST_NULL : request, flag, status);
  });
}

// What was noted of it goes first: once it is free its handle may stand for another request.
int request_free(MPI_Request* request) {
  return reporting_exceptions([&] {
    if (request != nullptr) {
      const auto known = request_book().find(*request);
      if (known) request_book().remove(*request, known->number);
      if (known && known->is_persistent) forget_if_buffered(*request);
    }
    return Detour_Request_free(request);
  });
}

// What MPI was never asked for, or can't end, is left to fail when it is waited for.
int cancel(MPI_Request* request) {
  return reporting_exceptions([&] {
    if (request != nullptr) {
      const auto known = request_book().find(*request);
      if (known && (known->is_refused || known->is_stuck)) return MPI_SUCCESS;
    }
    return below().cancel(request);
  });
}

}  // namespace detour::shim
