// Disjoint sets over 0..n-1, with path halving and union by size.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace detour {

class UnionFind {
 public:
  explicit UnionFind(std::int32_t count)
      : parent_(static_cast<std::size_t>(count)), size_(parent_.size(), 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  void reset() {
    std::iota(parent_.begin(), parent_.end(), 0);
    size_.assign(size_.size(), 1);
  }

  std::int32_t find(std::int32_t item) {
    while (at(item) != item) {
      at(item) = at(at(item));
      item = at(item);
    }
    return item;
  }

  // False if they were in one set already.
  bool unite(std::int32_t a, std::int32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    auto& size_a = size_[static_cast<std::size_t>(a)];
    auto& size_b = size_[static_cast<std::size_t>(b)];
    if (size_a < size_b) std::swap(a, b);
    at(b) = a;
    size_[static_cast<std::size_t>(a)] = size_a + size_b;
    return true;
  }

 private:
  std::int32_t& at(std::int32_t item) { return parent_[static_cast<std::size_t>(item)]; }

  std::vector<std::int32_t> parent_;
  std::vector<std::int32_t> size_;
};

}  // namespace detour
