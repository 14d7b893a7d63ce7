// When to lose patience with a job or an mpirun that has to end. Does no I/O: times are passed in.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace detour::run {

class Escalation {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class Step : std::uint8_t { ask, force };

  explicit Escalation(std::chrono::milliseconds grace) : grace_(grace) {}

  // The first call counts: a deadline is never moved.
  void begin(Time now) {
    if (!next_) next_ = now + grace_;
  }

  // Somebody else has lost patience: the next step is due.
  void hurry(Time now) {
    if (next_ && now < *next_) next_ = now;
  }

  // Asks one grace after the beginning and forces after another one.
  std::optional<Step> due(Time now) {
    if (!next_ || has_forced_ || now < *next_) return std::nullopt;
    *next_ += grace_;
    has_forced_ = has_asked_;
    has_asked_ = true;
    return has_forced_ ? Step::force : Step::ask;
  }

  std::optional<Time> next() const { return has_forced_ ? std::nullopt : next_; }

 private:
  std::chrono::milliseconds grace_;
  std::optional<Time> next_;
  bool has_asked_ = false;
  bool has_forced_ = false;
};

}  // namespace detour::run
