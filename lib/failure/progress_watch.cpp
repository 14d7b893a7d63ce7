#include "failure/progress_watch.hpp"

#include <algorithm>

namespace detour {
namespace {

std::string in_words(const std::string& what, std::chrono::nanoseconds silence) {
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(silence);
  return what + " for " + std::to_string(time.count()) + " ms";
}

}  // namespace

std::optional<std::string> ProgressWatch::look(PeerId peer, const ProgressSample& sample,
                                               Clock::time_point now) {
  const auto [place, is_new] = seen_.try_emplace(peer, Seen{sample, now});
  Seen& seen = place->second;
  const auto passed = std::clamp<std::chrono::nanoseconds>(
      now - seen.time, std::chrono::nanoseconds::zero(), look_gap_max);
  const bool has_moved = sample.progress_count != seen.sample.progress_count ||
                         sample.is_inside != seen.sample.is_inside;
  const bool helper_has_moved = sample.helper_beat_count != seen.sample.helper_beat_count;
  seen.progress_silence =
      has_moved ? std::chrono::nanoseconds::zero() : seen.progress_silence + passed;
  seen.helper_silence =
      helper_has_moved ? std::chrono::nanoseconds::zero() : seen.helper_silence + passed;
  seen.sample = sample;
  seen.time = now;
  return judge(seen);
}

std::optional<std::string> ProgressWatch::judge(const Seen& seen) const {
  const auto& limit = seen.sample.is_inside ? limits_.inside_collective : limits_.computing;
  if (limit && seen.progress_silence >= *limit) {
    return in_words(
        seen.sample.is_inside ? "no progress inside a collective" : "no call of a collective",
        seen.progress_silence);
  }
  if (limits_.helper && seen.sample.helper_beat_count != 0 &&
      seen.helper_silence >= *limits_.helper) {
    return in_words("its helper does not answer", seen.helper_silence);
  }
  return std::nullopt;
}

}  // namespace detour
