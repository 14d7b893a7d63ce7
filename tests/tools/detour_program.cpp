#include "detour_program.hpp"

#include <algorithm>
#include <vector>

namespace detour::test {

ProgramResult run_detour(const std::string& arguments, const ProgramOptions& options) {
  std::vector<std::string> words{DETOUR_PROGRAM_PATH};
  std::size_t start = 0;
  while (start < arguments.size()) {
    const std::size_t end = std::min(arguments.find(' ', start), arguments.size());
    if (end > start) words.push_back(arguments.substr(start, end - start));
    if (words.back() == "''") words.back().clear();
    start = end + 1;
  }
  return run_program(words, options);
}

std::string output_of(const std::string& arguments, const ProgramOptions& options) {
  const auto result = run_detour(arguments, options);
  INFO(arguments);
  REQUIRE(result.err == "");
  REQUIRE(result.exit_status == 0);
  return result.out;
}

std::string complaint_of(const std::string& arguments, int exit_status,
                         const ProgramOptions& options) {
  const auto result = run_detour(arguments, options);
  INFO(arguments << "\n" << result.err);
  REQUIRE(result.exit_status == exit_status);
  REQUIRE(result.out == "");
  REQUIRE(result.err.starts_with("detour: "));
  REQUIRE(result.err.find('\n') == result.err.size() - 1);
  return result.err.substr(8, result.err.size() - 9);
}

}  // namespace detour::test
