#include "bench/validator.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace detour::tool {
namespace {

constexpr std::size_t sample_count = 16;
// Never right: it is no value of a pattern in any type.
constexpr int spoilt_byte = 0xfe;

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

}  // namespace

std::vector<std::size_t> sampled_elements(std::size_t element_count, std::size_t round) {
  std::vector<std::size_t> indices;
  if (element_count <= 2 * sample_count) {
    for (std::size_t index = 0; index < element_count; ++index) indices.push_back(index);
    return indices;
  }
  indices.push_back(0);
  const std::size_t stretch = element_count / sample_count;
  // A prime, so that all places get their turn.
  const std::size_t offset = round * 7919 % stretch;
  for (std::size_t sample = 0; sample < sample_count; ++sample) {
    indices.push_back(sample * stretch + offset);
  }
  indices.push_back(element_count - 1);
  return indices;
}

void Validator::spoil(std::span<std::byte> buffer, Thoroughness thoroughness,
                      std::size_t round) const {
  if (thoroughness == Thoroughness::whole) {
    std::memset(buffer.data(), spoilt_byte, buffer.size());
    return;
  }
  for (const std::size_t index : sampled_elements(buffer.size() / element_bytes(), round)) {
    std::memset(buffer.data() + index * element_bytes(), spoilt_byte, element_bytes());
  }
}

std::optional<std::string> Validator::find_defect(std::span<const std::byte> buffer,
                                                  std::size_t first, Thoroughness thoroughness,
                                                  std::size_t round) const {
  if (thoroughness == Thoroughness::whole) {
    const auto index = expected_.find_difference(buffer, first);
    if (!index) return std::nullopt;
    return describe(buffer, first, *index);
  }
  for (const std::size_t index : sampled_elements(buffer.size() / element_bytes(), round)) {
    const auto got = buffer.subspan(index * element_bytes(), element_bytes());
    if (!std::ranges::equal(got, expected_.element(first + index))) {
      return describe(buffer, first, index);
    }
  }
  return std::nullopt;
}

std::string Validator::describe(std::span<const std::byte> buffer, std::size_t first,
                                std::size_t index) const {
  const auto got = buffer.subspan(index * element_bytes(), element_bytes());
  return "rank " + std::to_string(rank_) + ", element " + std::to_string(index) + ": got " +
         number_text(decode(expected_.type(), got)) + ", expected " +
         number_text(decode(expected_.type(), expected_.element(first + index)));
}

}  // namespace detour::tool
