// What the library finds around itself in a simulation: time, chance, death, and a network that takes its time.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace detour::sim {

// Thrown inside of a process that dies: nothing of it is ever run again.
struct Killed {};

// One process's end. The library passes points in the middle of its steps, whenever it calls something that the
// simulation provides.
class Fate {
 public:
  void end_at_point(int count) { points_left_ = count; }
  void pass_point() {
    if (points_left_ > 0 && --points_left_ == 0) throw Killed{};
  }

 private:
  int points_left_ = 0;  // 0: it lives on
};

// Things that happen at a time, in the order of times and, at the same time, in that of their planning.
class Agenda {
 public:
  std::uint64_t now_us() const { return now_us_; }
  void let_pass(std::uint64_t us) { now_us_ += us; }

  void plan(std::uint64_t in_us, std::function<void()> what) {
    entries_.push({now_us_ + in_us, next_number_++, std::move(what)});
  }
  bool is_empty() const { return entries_.empty(); }
  void skip_to_next() { now_us_ = std::max(now_us_, entries_.top().time_us); }
  // One of those whose time has come, if there is one.
  bool do_next() {
    if (entries_.empty() || entries_.top().time_us > now_us_) return false;
    const auto what = entries_.top().what;
    entries_.pop();
    what();
    return true;
  }

 private:
  struct Entry {
    std::uint64_t time_us;
    std::uint64_t number;
    std::function<void()> what;
    bool operator<(const Entry& other) const {
      return time_us != other.time_us ? time_us > other.time_us : number > other.number;
    }
  };
  std::uint64_t now_us_ = 0;
  std::uint64_t next_number_ = 0;
  std::priority_queue<Entry> entries_;
};

// Which processes can't hear each other. For partitions, which nothing survives yet: no scenario makes any.
class Cuts {
 public:
  // Groups of processes by bits; whoever is in different groups is cut off from each other.
  void cut(std::vector<std::uint64_t> groups) { groups_ = std::move(groups); }
  void mend() { groups_.clear(); }
  bool are_apart(int a, int b) const {
    for (const std::uint64_t group : groups_) {
      if (((group >> a) & 1) != ((group >> b) & 1)) return true;
    }
    return false;
  }

 private:
  std::vector<std::uint64_t> groups_;
};

struct Surroundings {
  Agenda agenda{};
  std::mt19937_64 random{};
  Cuts cuts{};
  std::uint64_t message_delay_us_max = 0;
  bool is_crowded = true;  // memory may be in use

  std::uint64_t below(std::uint64_t end) { return random() % end; }
  // Whether somebody, elsewhere, still reads the memory that is wanted now.
  bool room_is_late() { return is_crowded && below(5) == 0; }
};

}  // namespace detour::sim
