// The settings that users make, in the environment for all communicators or for one of them by
// Detour_Set. Nothing else reads DETOUR_ variables. setting_list.hpp describes each.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "detour/routing/api.hpp"
#include "detour/routing/mesh.hpp"
#include "detour/routing/outcome.hpp"

namespace detour {

enum class CellContent : std::uint8_t { rank, node };
enum class Rescaling : std::uint8_t { none, mean };
// How results are written: into the caches, past them, or past them only where they don't replace an input.
enum class StoreChoice : std::uint8_t { automatic, cached, apart, streamed };
enum class TransportChoice : std::uint8_t { automatic, shm, mpi };
// Each includes those before it.
enum class LogLevel : std::uint8_t { off, error, warn, info, debug };

enum class SettingOrigin : std::uint8_t { built_in, environment, communicator };

inline constexpr std::size_t setting_count = 16;

// A message is not cut.
inline constexpr std::uint64_t whole_chunk = std::numeric_limits<std::uint64_t>::max();

// With less than that a process has hardly room for what is in its shared memory before any communicator is.
inline constexpr std::uint64_t memory_bytes_min = std::uint64_t{64} << 10;

struct Settings {
  std::optional<std::string> policy;       // a name; unset: the selection table decides
  std::optional<std::string> policy_path;  // see policy_loader.hpp
  std::optional<bool> bridges;
  std::optional<Mesh> mesh;          // unset: near-square
  std::optional<CellContent> cells;  // unset: rank on one node, node on several
  TransportChoice transport = TransportChoice::automatic;
  std::optional<std::uint64_t> chunk_bytes;  // or whole_chunk; unset: the selection table decides
  std::optional<StoreChoice> stores;         // unset: the selection table decides
  std::uint32_t window_count =
      0;  // least number of messages that a link has room for; 0: as needed
  std::optional<std::string> table_path;  // a file, see selection/selection_table.hpp
  std::uint64_t memory_bytes = std::uint64_t{256} << 20;  // virtual until it is touched
  bool shared_malloc = false;  // the program's own large allocations are in there too
  LogLevel log = LogLevel::warn;
  bool fault_tolerance = true;  // off: a rank's death is not noticed, and nothing is kept for it

  std::uint64_t hang_timeout_ms = 10'000;  // 0: nobody is ever taken to hang
  Rescaling rescaling = Rescaling::none;   // of sums that dead ranks are missing from

  // Of each in turn, as setting_list() has them.
  std::array<SettingOrigin, setting_count> origins{};
};

// Fails with one line for a DETOUR_ variable that does not exist, naming the one that was probably
// meant, and for a value that makes no sense. An empty value is none. DETOUR_ROOT and DETOUR_DIR are CMake's, and ignored.
DETOUR_API Outcome<Settings> read_settings();

// The same from an environment of the caller's, a list of "NAME=value" that ends in a nullptr.
DETOUR_API Outcome<Settings> read_settings(const char* const* environment);

// For one communicator: `settings` with one changed, `name` being that of the variable without
// DETOUR_, in lower case. An empty value gives it back what it has in `environment`. Fails for what
// does not exist, makes no sense, holds for the whole process, or asks for more than the process has.
DETOUR_API Outcome<Settings> with_setting(const Settings& settings, std::string_view name,
                                          std::string_view value, const Settings& environment);

// Over all that has to be the same on all ranks, which is all but the log level. The same in every
// process.
DETOUR_API std::uint64_t fingerprint(const Settings& settings);

}  // namespace detour
