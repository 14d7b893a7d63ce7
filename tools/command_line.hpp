// The words of a command line, checked before CLI11 takes them apart, so that complaints are in our
// own words and name what was probably meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace detour::tool {

// "help" and "help plan" as the options that they mean.
std::vector<std::string> with_help_as_option(std::vector<std::string> words);

// Throws BadInput for unknown commands and options, options given twice, and missing values.
void check_command_line(const CLI::App& app, const std::vector<std::string>& words);

// An option whose value is kept as it was typed, an empty one too. Help shows `value_name`.
CLI::Option* add_text_option(CLI::App& command, const std::string& name,
                             const std::string& value_name, std::optional<std::string>& target,
                             const std::string& help);

// The same for an option whose value may be left out: then it is `default_value`.
CLI::Option* add_optional_text_option(CLI::App& command, const std::string& name,
                                      const std::string& value_name,
                                      const std::string& default_value,
                                      std::optional<std::string>& target, const std::string& help);

// The same for an option that may be repeated.
CLI::Option* add_text_list_option(CLI::App& command, const std::string& name,
                                  const std::string& value_name, std::vector<std::string>& target,
                                  const std::string& help);

}  // namespace detour::tool
