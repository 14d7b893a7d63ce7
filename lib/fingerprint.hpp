// A number for a series of texts that is the same in every process, so that ranks can compare what
// they hold without sending all of it. FNV-1a: no secrets here, only accidents.
#pragma once

#include <cstdint>
#include <string_view>

namespace detour {

class Fingerprint {
 public:
  static constexpr std::uint64_t usual_start = 0xcbf29ce484222325;

  explicit Fingerprint(std::uint64_t start = usual_start) : value_(start) {}

  void add(std::string_view text) {
    for (const char letter : text) add_byte(static_cast<unsigned char>(letter));
    // No text has this byte, in UTF-8 at least: "ab", "c" is something else than "a", "bc".
    add_byte(0xff);
  }

  std::uint64_t value() const { return value_; }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  std::uint64_t value_;
};

}  // namespace detour
