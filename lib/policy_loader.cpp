#include "policy_loader.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace detour {
namespace {

namespace fs = std::filesystem;

constexpr const char* entry_point_name = "detour_policy_plugin";
using EntryPoint = const PolicyPlugin* (*)(std::uint32_t abi);

// What is wrong with a plug-in; load_policies turns it into a Failure.
class PluginError : public std::runtime_error {
 public:
  PluginError(const fs::path& file, const std::string& problem)
      : std::runtime_error("policy plug-in '" + file.string() + "' " + problem) {}
};

// Closes the shared object again unless its policy was registered.
class SharedObject {
 public:
  explicit SharedObject(const fs::path& file)
      // An absolute name, because dlopen looks for a bare one in the system's folders.
      : handle_(::dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw PluginError(file, std::string("can't be loaded: ") + ::dlerror());
  }
  ~SharedObject() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  void* symbol(const char* name) const { return ::dlsym(handle_, name); }
  void keep() { handle_ = nullptr; }

 private:
  void* handle_;
};

std::vector<fs::path> files_of(const fs::path& entry) {
  std::error_code error;
  const auto status = fs::status(entry, error);
  if (status.type() == fs::file_type::not_found) throw PluginError(entry, "is not there");
  if (error) throw PluginError(entry, "can't be reached: " + error.message());
  if (!fs::is_directory(status)) return {entry};
  std::vector<fs::path> files;
  fs::directory_iterator listing(entry, error);
  if (error) throw PluginError(entry, "can't be listed: " + error.message());
  for (const auto& item : listing) {
    if (item.path().extension() == ".so") files.push_back(item.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_policy_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
  });
}

std::unique_ptr<Policy> make_policy(const fs::path& file, const SharedObject& object) {
  const auto entry_point = reinterpret_cast<EntryPoint>(object.symbol(entry_point_name));
  if (entry_point == nullptr) {
    throw PluginError(file, std::string("has no function ") + entry_point_name);
  }
  const PolicyPlugin* plugin = entry_point(policy_plugin_abi);
  if (plugin == nullptr || plugin->abi != policy_plugin_abi) {
    throw PluginError(file, "was built for another version of the plug-in interface than " +
                                std::to_string(policy_plugin_abi) + ": build it anew");
  }
  if (auto policy = plugin->make()) return policy;
  throw PluginError(file, "makes no policy");
}

std::string register_policy(const fs::path& file, const SharedObject& object,
                            PolicyRegistry& registry) {
  auto policy = make_policy(file, object);
  const std::string name(policy->name());
  if (!is_policy_name(name)) {
    throw PluginError(
        file, "calls its policy '" + name + "'; names are lower-case letters, digits and dashes");
  }
  if (registry.find(name) != nullptr) {
    throw PluginError(file, "brings a policy '" + name + "', but there is one already");
  }
  registry.add(std::move(policy));
  return name;
}

// Whatever the plug-in's code throws is said anew while the object is open: the exception's own code
// may be in it.
std::string load_file(const fs::path& file, PolicyRegistry& registry) {
  SharedObject object(file);
  std::string problem;
  try {
    std::string name = register_policy(file, object, registry);
    object.keep();
    return name;
  } catch (const PluginError&) {
    throw;
  } catch (const std::exception& error) {
    problem = std::string("failed to make its policy: ") + error.what();
  } catch (...) {
    problem = "failed to make its policy: it threw something that is no std::exception";
  }
  throw PluginError(file, problem);
}

std::vector<fs::path> split(std::string_view path_list) {
  std::vector<fs::path> entries;
  while (!path_list.empty()) {
    const auto colon = std::min(path_list.find(':'), path_list.size());
    if (colon > 0) entries.emplace_back(path_list.substr(0, colon));
    path_list.remove_prefix(std::min(colon + 1, path_list.size()));
  }
  return entries;
}

}  // namespace

Outcome<std::vector<std::string>> load_policies(std::string_view path_list,
                                                PolicyRegistry& registry) {
  std::vector<std::string> names;
  try {
    for (const fs::path& entry : split(path_list)) {
      for (const fs::path& file : files_of(entry)) names.push_back(load_file(file, registry));
    }
  } catch (const PluginError& error) {
    return Failure{error.what()};
  } catch (const std::exception& error) {
    return Failure{"policy plug-ins of '" + std::string(path_list) + "': " + error.what()};
  }
  return names;
}

}  // namespace detour
