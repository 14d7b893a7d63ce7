#include "failure/progress_watch.hpp"

#include <algorithm>

namespace detour {
namespace {

using Silence = std::chrono::nanoseconds;

std::string in_words(const std::string& what, Silence silence) {
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(silence);
  return what + " for " + std::to_string(time.count()) + " ms";
}

}  // namespace

std::optional<std::string> ProgressWatch::look(PeerId peer, const ProgressSample& sample,
                                               Clock::time_point now) {
  const auto [place, is_new] = seen_.try_emplace(peer, Seen{sample, now});
  Seen& seen = place->second;
  const Silence passed =
      std::clamp<Silence>(now - seen.time, Silence::zero(), 2 * look_interval(limit_));
  const bool has_beaten = sample.beat_count != seen.sample.beat_count;
  const bool got_on =
      !sample.own.is_inside || sample.own.progress_count != seen.sample.own.progress_count;
  seen.beat_silence = has_beaten ? Silence::zero() : seen.beat_silence + passed;
  seen.progress_silence = got_on ? Silence::zero() : seen.progress_silence + passed;
  seen.sample = sample;
  seen.time = now;
  return judge(seen);
}

std::optional<std::string> ProgressWatch::judge(const Seen& seen) const {
  if (seen.beat_silence >= limit_) return in_words("no sign of life", seen.beat_silence);
  if (seen.progress_silence >= limit_) {
    return in_words("no progress in a collective operation", seen.progress_silence);
  }
  return std::nullopt;
}

}  // namespace detour
