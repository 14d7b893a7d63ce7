#include "application.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>

namespace detour::run {
namespace {

// What an option means here, apart from how many values it has.
enum class Meaning : std::uint8_t { nothing, hosts, folder, path, variable, setting, end };

struct Option {
  std::size_t value_count = 0;
  Meaning meaning = Meaning::nothing;
};

using OptionTable = std::map<std::string_view, Option>;

void add(OptionTable& table, std::string_view names, Option option) {
  while (!names.empty()) {
    const auto blank = std::min(names.find(' '), names.size());
    table.emplace(names.substr(0, blank), option);
    names.remove_prefix(std::min(blank + 1, names.size()));
  }
}

// Of Open MPI 4.1 and 5, without dashes in front: it takes most of them with one and with two. Those
// that take the program from elsewhere, or may have a value or none, are not in it.
OptionTable make_table() {
  OptionTable table;
  add(table,
      "allow-run-as-root bind-to-core bind-to-socket bycore bynode byslot continuous d debug "
      "debug-daemons debug-daemons-file debug-devel disable-recovery display-allocation "
      "display-devel-allocation display-devel-map display-diffable-map display-map display-topo "
      "do-not-launch do-not-resolve enable-instant-on-support enable-recovery "
      "fwd-mpirun-port get-stack-traces index-argv-by-rank leave-session-attached "
      "merge-stderr-to-stdout nolocal nooversubscribe noprefix novm oversubscribe pernode "
      "preload-binary q quiet report-bindings report-child-jobs-separately report-state-on-timeout "
      "s show-progress tag-output timestamp-output use-hwthread-cpus use-regexp v verbose xml",
      {0});
  add(table,
      "N am bind-to c cartofile cf cpu-list cpu-set cpus-per-proc cpus-per-rank display "
      "exec-agent launch-agent map-by max-restarts max-vm-size n np npernode npersocket output "
      "output-filename personality ppr prefix preload-files rank-by report-events report-pid "
      "report-uri runtime-options stdin stream-buffering timeout tune with-ft xml-file xterm",
      {1});
  add(table,
      "H host hostfile machinefile default-hostfile rankfile rf add-host add-hostfile hnp dvm-uri",
      {1, Meaning::hosts});
  add(table, "wd wdir", {1, Meaning::folder});
  add(table, "path", {1, Meaning::path});
  add(table, "x", {1, Meaning::variable});
  add(table, "mca gmca omca gomca prtemca gprtemca pmixmca gpmixmca", {2, Meaning::setting});
  add(table, "-", {0, Meaning::end});
  return table;
}

bool is_about_hosts(std::string_view setting) {
  return setting.find("hostfile") != std::string_view::npos;
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& words) : words_(words) {}

  // False: it is not clear where the program is.
  bool run() {
    while (at_ < words_.size()) {
      if (!take_application()) return false;
    }
    return true;
  }

  Applications result;

 private:
  bool take_application() {
    Application application;
    while (at_ < words_.size() && words_[at_].starts_with('-') && !is_over_) {
      if (!take_option(application)) return false;
    }
    is_over_ = false;
    if (at_ < words_.size() && words_[at_] != ":") {
      application.program = words_[at_];
      result.all.push_back(application);
    }
    const auto from = words_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto colon = std::find(from, words_.end(), ":");
    at_ = static_cast<std::size_t>(colon - words_.begin()) + 1;
    return true;
  }

  bool take_option(Application& application) {
    std::string_view name(words_[at_]);
    name.remove_prefix(name.starts_with("--") && name.size() > 2 ? 2 : 1);
    const auto equals = name.find('=');
    const auto found = table_.find(name.substr(0, equals));
    if (found == table_.end()) return false;
    const Option& option = found->second;
    const bool has_value = equals != std::string_view::npos;
    const std::size_t word_count = 1 + option.value_count - (has_value ? 1 : 0);
    if ((has_value && option.value_count == 0) || at_ + word_count > words_.size()) return false;
    std::string_view value;
    if (has_value) {
      value = name.substr(equals + 1);
    } else if (option.value_count > 0) {
      value = words_[at_ + 1];
    }
    apply(option.meaning, value, application);
    at_ += word_count;
    return true;
  }

  void apply(Meaning meaning, std::string_view value, Application& application) {
    constexpr std::string_view path_variable = "PATH=";
    if (meaning == Meaning::folder) application.folder = value;
    if (meaning == Meaning::path) result.path = joined_path(result.path, value);
    if (meaning == Meaning::variable && value.starts_with(path_variable)) {
      result.exported_path = joined_path(result.exported_path, value.substr(path_variable.size()));
    }
    if (meaning == Meaning::hosts) result.has_hosts = true;
    if (meaning == Meaning::setting && is_about_hosts(value)) result.has_hosts = true;
    if (meaning == Meaning::end) is_over_ = true;
  }

  const std::vector<std::string>& words_;
  const OptionTable table_ = make_table();
  std::size_t at_ = 0;
  bool is_over_ = false;  // after "--" comes the program, whatever it looks like
};

}  // namespace

std::optional<Applications> parse_applications(const std::vector<std::string>& for_mpirun) {
  Parser parser(for_mpirun);
  if (!parser.run()) return std::nullopt;
  return std::move(parser.result);
}

std::string joined_path(const std::string& first, std::string_view second) {
  return first + (first.empty() || second.empty() ? "" : ":") + std::string(second);
}

bool has_hosts(const Environment& environment) {
  constexpr std::array<std::string_view, 7> batch_systems{
      "SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID",   "PBS_NODEFILE",
      "LSB_JOBID",    "PE_HOSTFILE", "COBALT_JOBID"};
  return std::any_of(environment.begin(), environment.end(), [&](const std::string& entry) {
    const auto name = std::string_view(entry).substr(0, entry.find('='));
    if (std::find(batch_systems.begin(), batch_systems.end(), name) != batch_systems.end()) {
      return true;
    }
    return name.find("_MCA_") != std::string_view::npos && is_about_hosts(name);
  });
}

std::string names_of(const std::optional<Applications>& applications) {
  if (!applications || applications->all.empty()) return "the program";
  std::vector<std::string> names;
  for (const Application& each : applications->all) {
    if (std::find(names.begin(), names.end(), each.program) == names.end()) {
      names.push_back(each.program);
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace detour::run
