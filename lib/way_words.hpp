// How the ways of cutting messages and of writing results are called, in settings and in the selection table.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "setting_words.hpp"
#include "settings.hpp"
#include "value_text.hpp"

namespace detour {

inline constexpr std::string_view whole_word = "whole";

inline Outcome<std::uint64_t> parse_chunk(std::string_view text) {
  return text == whole_word ? Outcome<std::uint64_t>(whole_chunk) : parse_size(text);
}

inline std::string chunk_text(std::uint64_t bytes) {
  return bytes == whole_chunk ? std::string(whole_word) : size_text(bytes);
}

inline constexpr std::array stores_words{
    Word{"auto", StoreChoice::automatic}, Word{"cached", StoreChoice::cached},
    Word{"apart", StoreChoice::apart}, Word{"streamed", StoreChoice::streamed}};

inline std::string stores_text(StoreChoice choice) {
  for (const auto& word : stores_words) {
    if (word.value == choice) return std::string(word.text);
  }
  return "?";
}

}  // namespace detour
