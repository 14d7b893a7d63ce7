#include "placement/hardware_place.hpp"

#include <hwloc.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>

namespace detour {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, FreeBitmap>;

// Without what cgroups keep from us, which hwloc leaves out by itself.
TopologyHandle load_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return nullptr;
  TopologyHandle handle(topology);
  if (hwloc_topology_load(topology) != 0) return nullptr;
  return handle;
}

// The processors that all threads of this process may run on together; those of the machine if hwloc
// can't tell.
Bitmap own_processors(hwloc_topology_t topology) {
  Bitmap set(hwloc_bitmap_alloc());
  if (!set) return nullptr;
  const auto allowed = hwloc_topology_get_allowed_cpuset(topology);
  if (hwloc_get_cpubind(topology, set.get(), HWLOC_CPUBIND_PROCESS) != 0) {
    hwloc_bitmap_copy(set.get(), allowed);
  }
  hwloc_bitmap_and(set.get(), set.get(), allowed);
  return set;
}

std::int32_t numa_of(hwloc_topology_t topology, hwloc_obj_t core) {
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr) {
    if (hwloc_bitmap_intersects(node->cpuset, core->cpuset) != 0) {
      return static_cast<std::int32_t>(node->logical_index);
    }
  }
  return 0;
}

std::int32_t count_of(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return std::max(1, hwloc_get_nbobjs_by_type(topology, type));
}

// Nothing if hwloc knows no processors, or none of those that we run on.
std::optional<HardwarePlace> ask_hwloc() {
  const TopologyHandle topology = load_topology();
  if (!topology) return std::nullopt;
  const Bitmap own = own_processors(topology.get());
  if (!own) return std::nullopt;
  // Some virtual machines tell of processors, but not of cores.
  const bool has_cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) > 0;
  const auto core_type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  HardwarePlace place;
  place.core_count = 0;
  hwloc_obj_t core = nullptr;
  while ((core = hwloc_get_next_obj_by_type(topology.get(), core_type, core)) != nullptr) {
    if (hwloc_bitmap_intersects(core->cpuset, own.get()) == 0) continue;
    if (place.core_count++ > 0) continue;
    place.core = static_cast<std::int32_t>(core->logical_index);
    place.numa = numa_of(topology.get(), core);
  }
  if (place.core_count == 0) return std::nullopt;
  place.machine_core_count = count_of(topology.get(), core_type);
  place.machine_pu_count = count_of(topology.get(), HWLOC_OBJ_PU);
  place.machine_numa_count = count_of(topology.get(), HWLOC_OBJ_NUMANODE);
  return place;
}

// Processors for cores, and one NUMA node.
HardwarePlace ask_kernel() {
  HardwarePlace place;
  const auto online_count = static_cast<std::int32_t>(::sysconf(_SC_NPROCESSORS_ONLN));
  place.machine_core_count = std::max(1, online_count);
  place.machine_pu_count = place.machine_core_count;
  place.core_count = place.machine_core_count;
  cpu_set_t own;
  CPU_ZERO(&own);
  if (::sched_getaffinity(0, sizeof own, &own) != 0) return place;
  place.core_count = std::max(1, CPU_COUNT(&own));
  while (place.core + 1 < CPU_SETSIZE && !CPU_ISSET(static_cast<unsigned>(place.core), &own)) {
    ++place.core;
  }
  return place;
}

}  // namespace

HardwarePlace find_hardware_place() {
  const auto place = ask_hwloc();
  return place ? *place : ask_kernel();
}

const HardwarePlace& hardware_place() {
  static const HardwarePlace place = find_hardware_place();
  return place;
}

}  // namespace detour
