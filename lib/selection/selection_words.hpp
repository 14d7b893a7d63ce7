// How operations and layouts are called in a selection table.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "detour/routing/nearest_name.hpp"
#include "selection/selection_table.hpp"

namespace detour {

template <class Value>
struct SelectionWord {
  std::string_view text;
  std::optional<Value> value;  // unset: any
};

inline constexpr std::array<SelectionWord<CallKind>, 7> operation_words{{
    {"allreduce", CallKind::allreduce},
    {"reduce", CallKind::reduce},
    {"broadcast", CallKind::broadcast},
    {"allgather", CallKind::allgather},
    {"reduce_scatter", CallKind::reduce_scatter},
    {"barrier", CallKind::barrier},
    {"*", std::nullopt},
}};

inline constexpr std::array<SelectionWord<NodeLayout>, 3> layout_words{{
    {"one", NodeLayout::one},
    {"many", NodeLayout::many},
    {"*", std::nullopt},
}};

template <class Words, class Value>
std::string_view word_for(const Words& words, const std::optional<Value>& value) {
  for (const auto& word : words) {
    if (word.value == value) return word.text;
  }
  return "?";
}

}  // namespace detour
