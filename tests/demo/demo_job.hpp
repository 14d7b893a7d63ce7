// A job that is made up: what its ranks would have written.
#pragma once

#include <utility>
#include <vector>

#include "demo/progress.hpp"

namespace detour::test {

struct DemoJob {
  DemoJob(int rank_count, int step_count, std::vector<demo::Kill> kills)
      : progress(rank_count, step_count, std::move(kills)) {
    for (int rank = 0; rank < rank_count; ++rank) {
      progress.hear(rank, demo::Started{100 + rank}, seconds);
    }
  }

  // All that live take them.
  void steps(int count, int contributor_count) {
    for (int i = 0; i < count; ++i) {
      ++step;
      for (int rank = 0; rank < progress.rank_count(); ++rank) {
        if (progress.death_of(rank) != nullptr) continue;
        progress.hear(rank, demo::Stepped{step, 2.0 / step, 50, contributor_count, 1000}, seconds);
      }
    }
  }

  // All that live come to theirs.
  void end() {
    for (int rank = 0; rank < progress.rank_count(); ++rank) {
      if (progress.death_of(rank) == nullptr)
        progress.hear(rank, demo::Ended{"0x1p0", "1"}, seconds);
      progress.hear_log_closed(rank, seconds);
    }
  }

  demo::Progress progress;
  double seconds = 0;
  int step = 0;
};

}  // namespace detour::test
