#include "placement/hardware_place.hpp"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "placement/host_identity.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// The last processor that this process may run on.
std::size_t last_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) std::abort();
  std::size_t last = 0;
  for (std::size_t at = 0; at < CPU_SETSIZE; ++at) {
    if (CPU_ISSET(at, &set)) last = at;
  }
  return last;
}

// All threads: sanitizers have one of their own.
bool bind_process(std::size_t processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t thread = std::stoi(task.path().filename());
    if (::sched_setaffinity(thread, sizeof set, &set) != 0) return false;
  }
  return true;
}

bool is_sound(const HardwarePlace& place) {
  return place.core >= 0 && place.core_count >= 1 &&
         place.core + place.core_count <= place.machine_core_count &&
         place.machine_pu_count >= place.machine_core_count && place.numa >= 0 &&
         place.numa < place.machine_numa_count;
}

}  // namespace

TEST_CASE("the place of a process is within its machine, and is found once") {
  const HardwarePlace& place = hardware_place();
  REQUIRE(is_sound(place));
  REQUIRE(&hardware_place() == &place);
}

TEST_CASE("a process that is bound to a processor is on one core") {
  const auto places = make_shared_scratch<std::array<HardwarePlace, 2>>();
  ChildProcess child([&] {
    (*places)[0] = find_hardware_place();
    if (!bind_process(last_processor())) return 1;
    (*places)[1] = find_hardware_place();
    return 0;
  });
  REQUIRE(child.wait() == 0);
  const auto& [free, bound] = *places;
  REQUIRE(is_sound(bound));
  REQUIRE(bound.core_count == 1);
  REQUIRE(bound.core >= free.core);
  REQUIRE(bound.core < free.core + free.machine_core_count);
  REQUIRE(bound.machine_core_count == free.machine_core_count);
  if (free.core_count > 1) REQUIRE(bound.core > free.core);
}

TEST_CASE("where hwloc can't tell, the kernel does") {
  const auto place = make_shared_scratch<HardwarePlace>();
  ChildProcess child([&] {
    // hwloc is told to read a machine from a file that isn't there, and of no other way.
    ::setenv("HWLOC_HIDE_ERRORS", "2", 1);
    ::setenv("HWLOC_COMPONENTS", "xml,stop", 1);
    ::setenv("HWLOC_XMLFILE", "/nonexistent", 1);
    *place = find_hardware_place();
    return 0;
  });
  REQUIRE(child.wait() == 0);
  REQUIRE(place->core_count >= 1);
  REQUIRE(place->machine_core_count >= place->core_count);
}

TEST_CASE("processes of a host know each other by its identity") {
  const auto identity = make_shared_scratch<HostIdentity>();
  ChildProcess child([&] {
    *identity = host_identity();
    return 0;
  });
  REQUIRE(child.wait() == 0);
  REQUIRE(*identity == host_identity());
  REQUIRE(identity->high != identity->low);
}

TEST_CASE("a host name of its own makes another host") {
  constexpr int no_namespaces = 77;
  const auto identity = make_shared_scratch<HostIdentity>();
  ChildProcess child([&] {
    if (::geteuid() != 0 && ::unshare(CLONE_NEWUSER) != 0) return no_namespaces;
    if (::unshare(CLONE_NEWUTS) != 0) return no_namespaces;
    const char* const name = "another-host";
    if (::sethostname(name, std::strlen(name)) != 0) return no_namespaces;
    *identity = host_identity();
    return 0;
  });
  const int status = child.wait();
  if (status == no_namespaces) {
    WARN("can't be tested here: no UTS namespaces");
    return;
  }
  REQUIRE(status == 0);
  const HostIdentity own = host_identity();
  REQUIRE(identity->high != own.high);
  REQUIRE(identity->low != own.low);
}
