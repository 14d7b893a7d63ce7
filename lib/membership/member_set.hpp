// A set of members of a communicator, by their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace detour {

class MemberSet {
 public:
  explicit MemberSet(std::size_t member_count)
      : member_count_(member_count), words_(word_count(member_count)) {}
  MemberSet(std::size_t member_count, std::span<const std::uint64_t> words)
      : member_count_(member_count), words_(words.begin(), words.end()) {}

  static MemberSet all(std::size_t member_count) {
    MemberSet set(member_count);
    for (std::size_t member = 0; member < member_count; ++member) set.add(member);
    return set;
  }
  static std::size_t word_count(std::size_t member_count) { return (member_count + 63) / 64; }

  void add(std::size_t member) { words_[member / 64] |= bit(member); }
  void remove(std::size_t member) { words_[member / 64] &= ~bit(member); }
  bool has(std::size_t member) const { return (words_[member / 64] & bit(member)) != 0; }

  std::size_t member_count() const { return member_count_; }
  const std::vector<std::uint64_t>& words() const { return words_; }
  std::vector<std::size_t> members() const {
    std::vector<std::size_t> list;
    for (std::size_t member = 0; member < member_count_; ++member) {
      if (has(member)) list.push_back(member);
    }
    return list;
  }

  bool operator==(const MemberSet&) const = default;

 private:
  static std::uint64_t bit(std::size_t member) { return std::uint64_t{1} << (member % 64); }

  std::size_t member_count_;
  std::vector<std::uint64_t> words_;
};

}  // namespace detour
