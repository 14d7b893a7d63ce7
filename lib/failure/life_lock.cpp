#include "failure/life_lock.hpp"

#include <type_traits>

#include "shm/futex.hpp"

namespace detour {

static_assert(std::is_standard_layout_v<LifeLock> && std::is_trivially_destructible_v<LifeLock>);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

Life LifeLock::life(Glance glance) {
  if ((glance & FUTEX_OWNER_DIED) != 0) return Life::dead;
  return glance == 0 ? Life::departed : Life::alive;
}

void LifeLock::mark_dead() {
  Glance seen = glance();
  // Not over a departure, which may happen at the same time.
  while (life(seen) == Life::alive) {
    if (!word_.compare_exchange_weak(seen, FUTEX_WAITERS | FUTEX_OWNER_DIED)) continue;
    futex_wake_all(word_);
    return;
  }
}

void LifeLock::tell_news() {
  news_.fetch_add(1);
  futex_wake_all(news_);
}

}  // namespace detour
