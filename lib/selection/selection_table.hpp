// Which policies are asked for an operation, and how its messages are cut: a table that can be printed,
// read and replaced, instead of conditions in the code.
//
//     # operation  nodes  ranks  bytes  policies     chunk  stores
//     allreduce    one    0      0      direct,tree  whole
//     allreduce    one    0      16K    direct,tree  256K   apart     # from 16 KiB on
//
// A line holds for communicators of at least so many ranks and payloads of at least so many bytes, on
// one node or many. `*` stands for any operation, and for one and many nodes alike. The last line that
// holds counts, so a file needs only the lines that it wants otherwise: they come after the built-in
// ones. Policies are asked from left to right until one does not refuse; `tree`, which never does, is
// always the last. Messages are cut into chunks, or stay whole: `direct` needs only one synchronisation
// for those. How `direct` writes results need not be said: see StoreChoice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/call_header.hpp"
#include "detour/routing/api.hpp"
#include "detour/routing/outcome.hpp"
#include "settings.hpp"

namespace detour {

enum class NodeLayout : std::uint8_t { one, many };

// What is to be done.
struct Situation {
  CallKind operation = CallKind::allreduce;
  NodeLayout nodes = NodeLayout::one;
  std::int32_t rank_count = 1;
  std::uint64_t bytes = 0;  // of a rank's whole payload
};

struct SelectionLine {
  std::optional<CallKind> operation;  // unset: any
  std::optional<NodeLayout> nodes;    // unset: any
  std::int32_t rank_count_min = 0;
  std::uint64_t bytes_min = 0;
  std::vector<std::string> policies;  // the last one is `tree`
  std::uint64_t chunk_bytes = 0;      // or whole_chunk
  StoreChoice stores = StoreChoice::automatic;

  DETOUR_API bool holds_for(const Situation& situation) const;
};

// How it is to be done.
struct Selection {
  std::vector<std::string> policies;
  std::uint64_t chunk_bytes = 0;  // or whole_chunk
  StoreChoice stores = StoreChoice::automatic;
};

class DETOUR_API SelectionTable {
 public:
  static SelectionTable built_in();

  // The built-in table, and the lines of the settings' file if they name one. Plug-ins have to be
  // loaded: a line that names an unknown policy is an error, as is anything else in it that makes no
  // sense; the reason has the file's name and the line's number.
  static Outcome<SelectionTable> load(const Settings& settings);

  // The built-in table, and the lines of this text, which is called `source` in errors.
  static Outcome<SelectionTable> parse(std::string_view text, std::string_view source);

  const std::vector<SelectionLine>& lines() const { return lines_; }

  // Settings go before the table: their policy is asked first, their chunk size is taken. A policy that the line does not
  // begin with has the usual chunk size, because the line's is that of another.
  Selection select(const Situation& situation, const Settings& settings) const;

  // As it could be read again, in columns.
  std::string text() const;

  // Ranks have to have the same table. The same in every process.
  std::uint64_t fingerprint() const;

 private:
  explicit SelectionTable(std::vector<SelectionLine> lines) : lines_(std::move(lines)) {}

  std::vector<SelectionLine> lines_;  // not empty, and one holds for every situation
};

// Lines as they could be read again, in columns, below a comment that names these.
DETOUR_API std::string selection_text(const std::vector<SelectionLine>& lines);

// Nothing if there is a policy of that name; otherwise a sentence that names the nearest.
DETOUR_API std::optional<std::string> unknown_policy(std::string_view name);

}  // namespace detour
