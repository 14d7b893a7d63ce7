#include "combination.hpp"

#include <algorithm>
#include <charconv>
#include <span>

namespace detour::parity {
namespace {

constexpr char separator = ':';
constexpr std::array<std::string_view, 2> place_names{"apart", "in-place"};

// Takes the parts of a text one after the other; from the first wrong one on all are.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}

  template <class Names, class Projection>
  std::size_t one_of(const Names& names, Projection name_of) {
    const std::string_view part = next();
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const auto& entry) { return name_of(entry) == part; });
    if (found == names.end()) {
      is_right_ = false;
      return 0;
    }
    return static_cast<std::size_t>(found - names.begin());
  }

  template <class Names>
  std::size_t one_of(const Names& names) {
    return one_of(names, [](const auto& name) { return std::string_view(name); });
  }

  template <class Number>
  Number number() {
    const std::string_view part = next();
    Number value{};
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size()) is_right_ = false;
    return value;
  }

  bool are_right() const { return is_right_ && rest_.empty(); }

 private:
  std::string_view next() {
    const std::size_t end = std::min(rest_.find(separator), rest_.size());
    const std::string_view part = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return part;
  }

  std::string_view rest_;
  bool is_right_ = true;
};

}  // namespace

std::string text_of(const Combination& of, const Universe& universe) {
  std::string text(kind_names[static_cast<std::size_t>(of.kind)]);
  const auto add = [&](std::string_view part) {
    text += separator;
    text += part;
  };
  add(universe.subject(of).name);
  add(universe.operation(of).name);
  add(std::to_string(of.count));
  add(place_names[of.in_place ? 1 : 0]);
  add(universe.policies[of.policy]);
  add(group_names[static_cast<std::size_t>(of.group)]);
  add(std::to_string(of.root));
  add(std::to_string(of.seed));
  return text;
}

std::optional<Combination> combination_of(std::string_view text, const Universe& universe) {
  const auto name_of = [](const auto& named) { return std::string_view(named.name); };
  Parts parts(text);
  Combination made;
  made.kind = static_cast<Kind>(parts.one_of(kind_names));
  made.subject = parts.one_of(universe.subjects, name_of);
  made.operation = parts.one_of(universe.subject(made).operations, name_of);
  made.count = parts.number<std::size_t>();
  made.in_place = parts.one_of(place_names) == 1;
  made.policy = parts.one_of(universe.policies);
  made.group = static_cast<Group>(parts.one_of(group_names));
  made.root = parts.number<int>();
  made.seed = parts.number<std::uint64_t>();
  return parts.are_right() ? std::optional(made) : std::nullopt;
}

}  // namespace detour::parity
