#include "command_line.hpp"

#include <charconv>

namespace detour::run {
namespace {

// "--name value" or "--name=value"; `at` is moved on to the value.
Outcome<std::string> value_of(const std::vector<std::string>& arguments, std::size_t& at,
                              const std::string& name) {
  if (arguments[at].size() > name.size()) return arguments[at].substr(name.size() + 1);
  if (at + 1 == arguments.size()) return Failure{name + " needs a value"};
  return arguments[++at];
}

bool is_option(const std::string& argument, const std::string& name) {
  return argument == name || argument.starts_with(name + "=");
}

Outcome<std::chrono::milliseconds> read_seconds(const std::string& text) {
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc{} || stop != end || !(seconds >= 0 && seconds <= 3600)) {
    return Failure{"--grace takes seconds from 0 to 3600, not '" + text + "'"};
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

Outcome<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  std::size_t at = 0;
  for (; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (argument == "--help" || argument == "-h") {
      line.wants_help = true;
    } else if (argument == "--version") {
      line.wants_version = true;
    } else if (argument == "--no-preload") {
      line.preload = false;
    } else if (is_option(argument, "--mpirun")) {
      auto path = value_of(arguments, at, "--mpirun");
      if (!path.ok()) return path.without_value<CommandLine>();
      line.mpirun = std::move(path).value();
    } else if (is_option(argument, "--grace")) {
      const auto text = value_of(arguments, at, "--grace");
      if (!text.ok()) return text.without_value<CommandLine>();
      const auto grace = read_seconds(text.value());
      if (!grace.ok()) return grace.without_value<CommandLine>();
      line.grace = grace.value();
    } else {
      if (argument == "--") ++at;
      break;
    }
  }
  line.for_mpirun.assign(arguments.begin() + static_cast<std::ptrdiff_t>(at), arguments.end());
  if (line.for_mpirun.empty() && !line.wants_help && !line.wants_version) {
    return Failure{"nothing to run; for example: detourrun -np 4 ./program (--help says more)"};
  }
  return line;
}

std::string help_text() {
  return R"(usage: detourrun [OPTION...] [--] MPIRUN-ARGUMENT...

Runs an MPI program through mpirun so that the others go on when a rank dies:

    detourrun -np 16 ./train --epochs 3

Options, before those of mpirun:
  --no-preload     the program links libdetour or libdetour_mpi itself
  --mpirun PATH    the mpirun to use (default: the one in PATH)
  --grace SECONDS  patience with a job or an mpirun that has to end (default: 5)
  --version, --help

All other arguments go to mpirun unchanged.

The exit status is 0 when all ranks that were not killed finished with 0, otherwise the first bad one:
that of a rank or of MPI_Abort, or 128 plus the number of a signal that ended the job or all ranks.
)";
}

}  // namespace detour::run
