#include "setting_list.hpp"

#include <algorithm>
#include <utility>

#include "setting_words.hpp"
#include "value_text.hpp"
#include "way_words.hpp"

namespace detour {
namespace {

using Problem = std::optional<std::string>;
using Text = std::optional<std::string>;

constexpr std::array cell_words{Word{"rank", CellContent::rank}, Word{"node", CellContent::node}};
constexpr std::array transport_words{Word{"auto", TransportChoice::automatic},
                                     Word{"shm", TransportChoice::shm},
                                     Word{"mpi", TransportChoice::mpi}};
constexpr std::array rescaling_words{Word{"none", Rescaling::none}, Word{"mean", Rescaling::mean}};
constexpr std::array log_words{Word{"off", LogLevel::off}, Word{"error", LogLevel::error},
                               Word{"warn", LogLevel::warn}, Word{"info", LogLevel::info},
                               Word{"debug", LogLevel::debug}};

template <class Words, class Value>
std::string word_for(const Words& words, Value value) {
  return std::string(std::find_if(words.begin(), words.end(), [value](const auto& word) {
                       return word.value == value;
                     })->text);
}

// Sets `target`, or says how it should have been written.
template <class Words, class Target>
Problem read_word(const Words& words, const char* choice, std::string_view text, Target& target) {
  for (const auto& word : words) {
    if (word.text != text) continue;
    target = word.value;
    return std::nullopt;
  }
  return "is " + std::string(choice) + ", not '" + std::string(text) + "'";
}

template <class Value, class Target>
Problem read_outcome(Outcome<Value> outcome, Target& target) {
  if (!outcome.ok()) return outcome.reason();
  target = static_cast<Target>(std::move(outcome).value());
  return std::nullopt;
}

Problem read_policy(std::string_view text, Settings& settings) {
  settings.policy = text;
  return std::nullopt;
}

Problem read_policy_path(std::string_view text, Settings& settings) {
  settings.policy_path = text;
  return std::nullopt;
}

Problem read_bridges(std::string_view text, Settings& settings) {
  return read_word(switch_words, "'on' or 'off'", text, settings.bridges);
}

Problem read_mesh(std::string_view text, Settings& settings) {
  return read_outcome(parse_mesh_text(text), settings.mesh);
}

Problem read_cells(std::string_view text, Settings& settings) {
  return read_word(cell_words, "'rank' or 'node'", text, settings.cells);
}

Problem read_transport(std::string_view text, Settings& settings) {
  return read_word(transport_words, "'auto', 'shm' or 'mpi'", text, settings.transport);
}

Problem read_chunk_bytes(std::string_view text, Settings& settings) {
  return read_outcome(parse_chunk(text), settings.chunk_bytes);
}

Problem read_stores(std::string_view text, Settings& settings) {
  return read_word(stores_words, "'auto', 'cached', 'apart' or 'streamed'", text, settings.stores);
}

// More room than this for each link would be a slip of the keyboard.
constexpr std::uint64_t window_count_max = 65536;

Problem read_window_count(std::string_view text, Settings& settings) {
  return read_outcome(parse_count(text, window_count_max), settings.window_count);
}

Problem read_table(std::string_view text, Settings& settings) {
  settings.table_path = text;
  return std::nullopt;
}

Problem read_memory_bytes(std::string_view text, Settings& settings) {
  const auto bytes = parse_size(text);
  if (bytes.ok() && bytes.value() < memory_bytes_min) {
    return "has to be " + size_text(memory_bytes_min) + " at least, not '" + std::string(text) +
           "'";
  }
  return read_outcome(bytes, settings.memory_bytes);
}

Problem read_log(std::string_view text, Settings& settings) {
  return read_word(log_words, "'off', 'error', 'warn', 'info' or 'debug'", text, settings.log);
}

Problem read_fault_tolerance(std::string_view text, Settings& settings) {
  return read_word(switch_words, "'on' or 'off'", text, settings.fault_tolerance);
}

// In a day nobody is waiting any more.
constexpr std::uint64_t hang_timeout_ms_max = 86'400'000;

Problem read_hang_timeout_ms(std::string_view text, Settings& settings) {
  return read_outcome(parse_count(text, hang_timeout_ms_max), settings.hang_timeout_ms);
}

Problem read_rescaling(std::string_view text, Settings& settings) {
  return read_word(rescaling_words, "'none' or 'mean'", text, settings.rescaling);
}

Problem read_shared_malloc(std::string_view text, Settings& settings) {
  return read_word(switch_words, "'on' or 'off'", text, settings.shared_malloc);
}

template <auto member>
Text write_text(const Settings& settings) {
  return settings.*member;
}

Text write_bridges(const Settings& settings) {
  if (!settings.bridges) return std::nullopt;
  return word_for(switch_words, *settings.bridges);
}

Text write_mesh(const Settings& settings) {
  if (!settings.mesh) return std::nullopt;
  return mesh_text(*settings.mesh);
}

Text write_cells(const Settings& settings) {
  if (!settings.cells) return std::nullopt;
  return word_for(cell_words, *settings.cells);
}

Text write_transport(const Settings& settings) {
  return word_for(transport_words, settings.transport);
}

Text write_chunk_bytes(const Settings& settings) {
  if (!settings.chunk_bytes) return std::nullopt;
  return chunk_text(*settings.chunk_bytes);
}

Text write_stores(const Settings& settings) {
  if (!settings.stores) return std::nullopt;
  return stores_text(*settings.stores);
}

Text write_window_count(const Settings& settings) {
  return std::to_string(settings.window_count);
}

Text write_memory_bytes(const Settings& settings) {
  return size_text(settings.memory_bytes);
}

Text write_log(const Settings& settings) {
  return word_for(log_words, settings.log);
}

Text write_fault_tolerance(const Settings& settings) {
  return word_for(switch_words, settings.fault_tolerance);
}

Text write_hang_timeout_ms(const Settings& settings) {
  return std::to_string(settings.hang_timeout_ms);
}

Text write_rescaling(const Settings& settings) {
  return word_for(rescaling_words, settings.rescaling);
}

Text write_shared_malloc(const Settings& settings) {
  return word_for(switch_words, settings.shared_malloc);
}

template <auto member>
void copy(const Settings& from, Settings& to) {
  to.*member = from.*member;
}

constexpr auto process = SettingScope::process;
constexpr auto communicator = SettingScope::communicator;

constexpr std::array<SettingEntry, setting_count> entries{{
    {"bridges", "DETOUR_BRIDGES", "on",
     "whether plans may join parts of the mesh by hops that are no mesh links: on or off",
     communicator, read_bridges, write_bridges, copy<&Settings::bridges>},
    {"cells", "DETOUR_CELLS", "rank on one node, node on several",
     "what a cell of the mesh holds: a rank, or all ranks of a node", communicator, read_cells,
     write_cells, copy<&Settings::cells>},
    {"chunk_bytes", "DETOUR_CHUNK_BYTES", "as the selection table says",
     "size of the pieces that messages are cut into, or whole", communicator, read_chunk_bytes,
     write_chunk_bytes, copy<&Settings::chunk_bytes>},
    {"ft", "DETOUR_FT", "on",
     "fault tolerance: on, or off, which ends with the first rank that dies", communicator,
     read_fault_tolerance, write_fault_tolerance, copy<&Settings::fault_tolerance>},
    {"hang_timeout_ms", "DETOUR_HANG_TIMEOUT_MS", "10000",
     "how long a rank may be stopped, or stuck in an operation, while others wait; 0: for ever",
     process, read_hang_timeout_ms, write_hang_timeout_ms, copy<&Settings::hang_timeout_ms>},
    {"log", "DETOUR_LOG", "warn", "how much is said on stderr: off, error, warn, info or debug",
     process, read_log, write_log, copy<&Settings::log>},
    {"memory_bytes", "DETOUR_MEMORY_BYTES", "256M",
     "shared memory of a process at most, from 64K up; it takes room only where it is used",
     process, read_memory_bytes, write_memory_bytes, copy<&Settings::memory_bytes>},
    {"mesh", "DETOUR_MESH", "near-square", "rows and columns of the mesh: 4x8", communicator,
     read_mesh, write_mesh, copy<&Settings::mesh>},
    {"policy", "DETOUR_POLICY", "as the selection table says",
     "the policy that is asked first for every operation", communicator, read_policy,
     write_text<&Settings::policy>, copy<&Settings::policy>},
    {"policy_path", "DETOUR_POLICY_PATH", "none", "plug-ins: files or folders, separated by colons",
     process, read_policy_path, write_text<&Settings::policy_path>, copy<&Settings::policy_path>},
    {"rescale", "DETOUR_RESCALE", "none",
     "floating-point sums without the dead: none, or mean, times size by contributors",
     communicator, read_rescaling, write_rescaling, copy<&Settings::rescaling>},
    {"shared_malloc", shared_malloc_variable, "off",
     "on: what the program allocates in large pieces is shared memory; needs libdetour_malloc.so",
     process, read_shared_malloc, write_shared_malloc, copy<&Settings::shared_malloc>},
    {"stores", "DETOUR_STORES", "as the selection table says",
     "results go into the caches or past them: auto, cached, apart (those that replace no input) "
     "or streamed",
     communicator, read_stores, write_stores, copy<&Settings::stores>},
    {"table", "DETOUR_TABLE", "built in",
     "a file with lines for the selection table, which override the built-in ones", process,
     read_table, write_text<&Settings::table_path>, copy<&Settings::table_path>},
    {"transport", "DETOUR_TRANSPORT", "auto",
     "auto: shared memory within a node; shm: that or an error; mpi: MPI's messages only", process,
     read_transport, write_transport, copy<&Settings::transport>},
    {"window_count", "DETOUR_WINDOW_COUNT", "0",
     "messages that a link has room for at least; 0: as many as a plan needs", communicator,
     read_window_count, write_window_count, copy<&Settings::window_count>},
}};

}  // namespace

std::span<const SettingEntry, setting_count> setting_list() {
  return entries;
}

std::string_view name(SettingOrigin origin) {
  switch (origin) {
    case SettingOrigin::built_in:
      return "default";
    case SettingOrigin::environment:
      return "environment";
    case SettingOrigin::communicator:
      return "communicator";
  }
  return "unknown";
}

}  // namespace detour
