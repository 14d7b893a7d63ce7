// How a rank writes the slots that others read: through its caches, or past them into memory.
//
// A slot is written again and again, and read by other cores in between. Where cores share a cache that costs little.
// Where they don't, every line has first to be taken away from whoever has read it, one after the other: on a processor
// of several dies 2 GB/s where memory takes 20. Which of the two it is can't be asked for: on virtual machines it changes
// while a program runs. So it is measured, by the way, on what has to be written anyhow: now and then a part of a write
// goes through the caches, and as much after it past them. Where ranks share cores a slot's parts are read by ranks on this
// very core and on others, so that it is another part each time.
//
// Writing past the caches is better if it saves more than it costs those who then have to read from memory. Each rank
// decides for itself; what others read is the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace detour {

class SlotWriting {
 public:
  enum class Way : std::uint8_t { through_caches, past_caches };

  // Smaller writes are always done through the caches. At least two bytes: one can't be written half one way, half the other.
  explicit SlotWriting(std::size_t bytes_min) : bytes_min_(std::max<std::size_t>(bytes_min, 2)) {}

  // For a write of so many bytes, as far as is known.
  Way way(std::size_t bytes) const {
    return bytes >= bytes_min_ && is_worth_it(bytes) ? Way::past_caches : Way::through_caches;
  }

  void copy(std::byte* slot, const std::byte* from, std::size_t bytes) {
    if (bytes < bytes_min_) {
      std::memcpy(slot, from, bytes);
    } else {
      copy_much(slot, from, bytes);
    }
  }

  // What was measured: how many ns it takes to write a byte.
  void note(double through_caches_ns, double past_caches_ns);
  // Whether the next write that is large enough is going to be measured.
  bool is_due() const;

 private:
  // The savings of the last times. Their mean counts, but for the largest and the smallest: one of them may have been
  // interrupted.
  class Savings {
   public:
    void add(double ns_per_byte) { latest_[count_++ % latest_.size()] = ns_per_byte; }
    bool are_known() const { return count_ >= latest_.size(); }
    double mean() const;
    std::size_t count() const { return count_; }

   private:
    std::array<double, 8> latest_{};
    std::size_t count_ = 0;
  };

  bool is_worth_it(std::size_t bytes) const;
  void copy_much(std::byte* slot, const std::byte* from, std::size_t bytes);
  void copy_and_measure(std::byte* slot, const std::byte* from, std::size_t bytes);

  std::size_t bytes_min_;
  Savings savings_;
  double saving_ns_ = 0;           // of a byte that is written past the caches
  std::uint64_t write_count_ = 0;  // of those that are large enough
  std::size_t bytes_since_measurement_ = 0;
};

}  // namespace detour
