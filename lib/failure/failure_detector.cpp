#include "failure/failure_detector.hpp"

#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "shm/futex.hpp"
#include "signals_blocked.hpp"

namespace detour {

Outcome<std::unique_ptr<FailureDetector>> FailureDetector::start(DetectorPeer own,
                                                                 DetectorOptions options) {
  std::unique_ptr<FailureDetector> detector(
      new FailureDetector(std::move(own), std::move(options)));
  std::promise<bool> promise;
  auto has_begun = promise.get_future();
  try {
    const SignalsBlocked blocked;
    detector->thread_ = std::thread(
        [self = detector.get()](std::promise<bool> begun) { self->run(std::move(begun)); },
        std::move(promise));
  } catch (const std::system_error& error) {
    return Failure{std::string("no thread for the failure detector: ") + error.what()};
  }
  if (!has_begun.get()) return Failure{"the kernel keeps no list of robust locks"};
  return detector;
}

FailureDetector::FailureDetector(DetectorPeer own, DetectorOptions options)
    : options_(std::move(options)),
      sleeps_on_several_(options_.may_sleep_on_several_words && can_sleep_on_several_words()),
      process_(::getpid()),
      first_lock_(own.record->lock),
      own_{std::move(own)},
      book_(own_.front().id, options_.hang_limit) {}

FailureDetector::~FailureDetector() {
  end_thread(false);
}

void FailureDetector::add_own_record(DetectorPeer own) {
  {
    const std::lock_guard lock(mutex_);
    holder_.hold(own.record->lock);
    own_.push_back(std::move(own));
  }
  wake_thread();
}

void FailureDetector::add_peer(DetectorPeer peer) {
  {
    const std::lock_guard lock(mutex_);
    if (!book_.add(std::move(peer))) return;
  }
  wake_thread();
}

// A thread that does not sleep now will compare the news before it does, and finds others than it has read. One that
// sleeps holds no lock, so that it can be waited for by whoever holds any.
void FailureDetector::settle() {
  if (!sleeps_on_several_ || ::getpid() != process_) return;
  const std::uint32_t step = sleep_steps_.load();
  if (step % 2 == 0) return;
  wake_thread();
  sleep_steps_.wait(step);
}

void FailureDetector::look() {
  Findings findings;
  {
    const std::lock_guard lock(mutex_);
    book_.look(findings);
    keep(findings);
  }
  announce(findings);
}

PeerState FailureDetector::state(PeerId peer) const {
  const std::lock_guard lock(mutex_);
  return book_.state(peer);
}

bool FailureDetector::can_be_confirmed(PeerId peer) const {
  const std::lock_guard lock(mutex_);
  return book_.can_be_confirmed(peer);
}

std::vector<PeerId> FailureDetector::dead_peers() const {
  const std::lock_guard lock(mutex_);
  return book_.dead_peers();
}

std::vector<PeerChange> FailureDetector::take_changes() {
  const std::lock_guard lock(mutex_);
  return std::exchange(changes_, {});
}

Outcome<bool> FailureDetector::fence(PeerId peer, std::string_view reason) {
  Findings findings;
  auto killed = [&] {
    const std::lock_guard lock(mutex_);
    auto outcome = book_.fence(peer, reason, findings);
    keep(findings);
    return outcome;
  }();
  announce(findings);
  return killed;
}

void FailureDetector::depart() {
  end_thread(true);
}

// A stop is either seen here, or has raised the news after they were read, so that the sleep ends at once.
// The same goes for what others tell, and for what is added.
void FailureDetector::run(std::promise<bool> has_begun) {
  {
    const std::lock_guard lock(mutex_);
    const bool can_hold = holder_.begin();
    if (can_hold) holder_.hold(own_.front().record->lock);
    has_begun.set_value(can_hold);
    if (!can_hold) return;
  }
  for (;;) {
    auto words = news_words();
    if (stops_) break;
    const auto slice = look_around(words);
    sleep(words, slice);
  }
  const std::lock_guard lock(mutex_);
  if (departs_) holder_.let_go();
}

std::vector<SeenWord> FailureDetector::news_words() const {
  const std::lock_guard lock(mutex_);
  std::vector<SeenWord> words;
  for (const DetectorPeer& own : own_) {
    const auto& news = own.record->lock.news();
    if (words.size() + 1 < words_max) words.push_back({&news, news.load()});
  }
  return words;
}

// Puts the watched lock before the news, and says how long to sleep.
std::chrono::nanoseconds FailureDetector::look_around(std::vector<SeenWord>& words) {
  Findings findings;
  std::chrono::nanoseconds slice = sleeps_on_several_ ? options_.slice : options_.slice_on_one_word;
  if (options_.hang_limit) {
    slice = std::min(slice, ProgressWatch::look_interval(*options_.hang_limit));
  }
  const OwnProgress progress = options_.own_progress();
  {
    const std::lock_guard lock(mutex_);
    for (const DetectorPeer& own : own_) own.record->progress.beat(progress);
    book_.look(findings);
    book_.look_for_hangs(options_.waits_for, findings);
    keep(findings);
    if (const auto watched = book_.word_to_sleep_on()) words.insert(words.begin(), *watched);
    if (book_.awaits_confirmation()) slice = options_.slice_until_confirmed;
  }
  announce(findings);
  return slice;
}

void FailureDetector::sleep(std::vector<SeenWord>& words, std::chrono::nanoseconds slice) {
  ++sleep_steps_;
  if (sleeps_on_several_) {
    sleep_on_words(words, slice);
  } else {
    futex_wait(*words.front().word, words.front().seen, slice);
  }
  ++sleep_steps_;
  sleep_steps_.notify_all();
}

void FailureDetector::wake_thread() const {
  first_lock_.tell_news();
}

// In the child of a fork there is no such thread, and the records are its parent's.
void FailureDetector::end_thread(bool on_purpose) {
  if (!thread_.joinable()) return;
  if (::getpid() != process_) {
    thread_.detach();
    return;
  }
  if (on_purpose) departs_ = true;
  stops_ = true;
  wake_thread();
  thread_.join();
}

// With the mutex that the findings were made under, so that changes are kept in the order of their happening.
void FailureDetector::keep(const Findings& findings) {
  if (findings.changes.empty()) return;
  changes_.insert(changes_.end(), findings.changes.begin(), findings.changes.end());
  change_count_.fetch_add(findings.changes.size(), std::memory_order_release);
  for (const DetectorPeer& own : own_) {
    if (own.doorbell != nullptr) own.doorbell->add_one();
  }
}

void FailureDetector::announce(const Findings& findings) const {
  if (!findings.changes.empty() && options_.on_change) options_.on_change();
  if (!options_.on_note) return;
  for (const auto& note : findings.notes) options_.on_note(note);
}

}  // namespace detour
