// How a rank writes the slots that others read: through its caches, or past them into memory.
//
// A slot is written again and again, and read by other cores in between. Where cores share a cache that costs little.
// Where they don't, every line has first to be taken away from whoever has read it, one after the other: on a processor
// of several dies 2 GB/s where memory takes 20. Which of the two it is can't be asked for: on virtual machines it changes
// while a program runs. So it is measured, by the way, on what has to be written anyhow.
//
// The better way is the one that takes less time to write, with some allowance: what was written past the caches takes
// longer to read. Each rank decides for itself; what others read is the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace detour {

class SlotWriting {
 public:
  enum class Way : std::uint8_t { through_caches, past_caches };

  // Smaller writes are always done through the caches.
  explicit SlotWriting(std::size_t bytes_min) : bytes_min_(bytes_min) {}

  // For a result of so many bytes, which takes too long to form to measure anything by it.
  Way way(std::size_t bytes) const { return bytes < bytes_min_ ? Way::through_caches : preferred_; }

  void copy(std::byte* slot, const std::byte* from, std::size_t bytes) {
    if (bytes < bytes_min_) {
      std::memcpy(slot, from, bytes);
    } else {
      copy_in_turn(slot, from, bytes);
    }
  }

  // What copy() does with more: the next write goes this way, and may be measured to tell note() how long it took.
  struct Turn {
    Way way = Way::through_caches;
    bool is_measured = false;
  };
  Turn take_turn(std::size_t bytes);
  void note(Way way, double ns_per_byte);

 private:
  // The middle one of the last three: one that was interrupted does not count.
  class Cost {
   public:
    void add(double ns_per_byte);
    bool is_known() const { return count_ >= latest_.size(); }
    double median() const;

   private:
    std::array<double, 3> latest_{};
    std::size_t count_ = 0;
  };

  void copy_in_turn(std::byte* slot, const std::byte* from, std::size_t bytes);
  Cost& cost(Way way) { return costs_[static_cast<std::size_t>(way)]; }
  bool all_are_known() const { return costs_[0].is_known() && costs_[1].is_known(); }

  std::size_t bytes_min_;
  Way preferred_ = Way::through_caches;
  std::array<Cost, 2> costs_{};
  std::uint64_t write_count_ = 0;  // of those that are large enough
};

}  // namespace detour
