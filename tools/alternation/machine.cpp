#include "alternation/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "format.hpp"

namespace detour::tool {
namespace {

constexpr std::uint64_t usual_cache_bytes = std::uint64_t{32} << 20;

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// What follows the name and the separator in a file of lines "name: value" or "name=value".
std::string value_in(const char* path, const std::string& name, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find(separator);
    if (at == std::string::npos) continue;
    const auto name_end = line.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (line.substr(0, name_end + 1) != name) continue;
    const auto begin = line.find_first_not_of(" \t\"", at + 1);
    const auto end = line.find_last_not_of(" \t\"");
    return begin == std::string::npos ? "" : line.substr(begin, end + 1 - begin);
  }
  return {};
}

struct Cache {
  std::string level;
  std::string kind;
  std::uint64_t bytes = 0;
};

// "32768K" and the like.
std::uint64_t cache_bytes(const std::string& text) {
  std::uint64_t number = 0;
  std::size_t at = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    number = number * 10 + static_cast<std::uint64_t>(text[at] - '0');
  }
  if (at < text.size() && text[at] == 'K') number <<= 10;
  if (at < text.size() && text[at] == 'M') number <<= 20;
  return number;
}

std::vector<Cache> caches_of_a_core() {
  std::vector<Cache> caches;
  const std::filesystem::path folder = "/sys/devices/system/cpu/cpu0/cache";
  for (int index = 0;; ++index) {
    const auto cache = folder / ("index" + std::to_string(index));
    if (!std::filesystem::exists(cache / "size")) return caches;
    caches.push_back({.level = first_line(cache / "level"),
                      .kind = first_line(cache / "type"),
                      .bytes = cache_bytes(first_line(cache / "size"))});
  }
}

std::string caches_text() {
  std::string text;
  for (const Cache& cache : caches_of_a_core()) {
    if (cache.kind == "Instruction") continue;
    text += (text.empty() ? "L" : ", L") + cache.level + " " + size(cache.bytes);
  }
  return text.empty() ? "not known" : text;
}

std::string memory_text() {
  const auto pages = static_cast<double>(::sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return fixed(pages * page_bytes / (1 << 30), 1) + " GiB";
}

}  // namespace

std::vector<Fact> describe_machine() {
  utsname system{};
  ::uname(&system);
  const std::string huge_pages = first_line("/sys/kernel/mm/transparent_hugepage/enabled") +
                                 ", shared memory " +
                                 first_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  return {{"CPU", value_in("/proc/cpuinfo", "model name", ':')},
          {"cores", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
          {"caches", caches_text()},
          {"memory", memory_text()},
          {"huge pages", huge_pages},
          {"kernel", std::string(system.sysname) + " " + system.release},
          {"system", value_in("/etc/os-release", "PRETTY_NAME", '=')}};
}

std::uint64_t last_cache_bytes() {
  std::uint64_t bytes = 0;
  for (const Cache& cache : caches_of_a_core()) bytes = std::max(bytes, cache.bytes);
  return bytes == 0 ? usual_cache_bytes : bytes;
}

}  // namespace detour::tool
