// A folder for a test's own files, which goes with it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace detour::test {

class TestFolder {
 public:
  TestFolder() {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("can't make a folder");
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }

  std::string add_file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ + "/" + name) << content;
    return path_ + "/" + name;
  }

  std::string add_program(const std::string& name, const std::string& content) const {
    const auto file = add_file(name, content);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

 private:
  std::string path_ = "/tmp/detourrun-test-XXXXXX";
};

}  // namespace detour::test
