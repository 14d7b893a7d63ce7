#include "bench_program.hpp"

#include <sstream>

namespace detour::test {

ProgramResult run_bench(int rank_count, const std::string& arguments) {
  std::vector<std::string> words{
      MPIEXEC_PATH, "--oversubscribe",          "--bind-to",         "none",
      "-np",        std::to_string(rank_count), DETOUR_PROGRAM_PATH, "bench"};
  std::istringstream text(arguments);
  for (std::string word; text >> word;) words.push_back(word);
  return run_program(
      words, {.environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}});
}

std::string bench_output(int rank_count, const std::string& arguments) {
  const auto result = run_bench(rank_count, arguments);
  INFO(arguments << "\n" << result.err);
  REQUIRE(result.exit_status == 0);
  REQUIRE(result.err == "");
  return result.out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> complaints_of(const ProgramResult& result) {
  std::vector<std::string> complaints;
  for (const std::string& line : lines_of(result.err)) {
    if (line.starts_with("detour: ")) complaints.push_back(line.substr(8));
  }
  return complaints;
}

}  // namespace detour::test
