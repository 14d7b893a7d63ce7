// A rank's word that it has entered a call, in one cache line: that it has, what it has called, and its data if that is
// short. Whoever waits for it learns with one look, and one cache line from another core, all that it needs.
//
// The same stands in the rank's counter, entry and small slot, and those decide: a rank is in a call once its counter
// says so. The notice is posted after that. So who sees one knows what the counter says, and all that was written before;
// who sees none knows nothing, for a rank may have entered and died before it posted. As long as the others find what they
// need in notices, the rest stays in its owner's cache, where raising a counter is a matter of nanoseconds.
//
// There are two, used in turns. One of call q is written again in call q+2, like an entry: see call_board.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "shm/fetching.hpp"

namespace detour {

// 128 bytes and not 64: processors fetch cache lines in pairs.
class alignas(128) Notice {
 public:
  static constexpr std::size_t data_bytes_max = 48;

  // By the owner. The brief form of its header, or 0; data that is too long is left out.
  void post(std::uint64_t stamp, std::uint64_t brief_header, std::span<const std::byte> data) {
    brief_header_ = brief_header;
    const bool fits = !data.empty() && data.size() <= data_bytes_max;
    if (fits) std::memcpy(data_, data.data(), data.size());
    stamp_.store(stamp, std::memory_order_release);
  }

  // By the owner, some time before it posts.
  void prepare() const { fetch_for_writing(this); }

  // To be there once this has reached the stamp that one waits for.
  const std::atomic<std::uint64_t>& stamp() const { return stamp_; }
  bool is_posted(std::uint64_t stamp) const {
    return stamp_.load(std::memory_order_acquire) == stamp;
  }
  std::uint64_t brief_header() const { return brief_header_; }
  const std::byte* data() const { return data_; }

 private:
  std::atomic<std::uint64_t> stamp_{0};
  std::uint64_t brief_header_ = 0;
  std::byte data_[data_bytes_max] = {};
};

static_assert(sizeof(Notice) == 128);

}  // namespace detour
