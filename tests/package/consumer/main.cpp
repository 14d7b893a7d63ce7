// Plans a mesh with a hole with the installed library, and fails unless the plan is there.
#include <detour/routing.hpp>
#include <iostream>

int main() {
  const detour::Mesh mesh(4, 4);
  detour::FaultSet faults(mesh);
  faults.fail(mesh.id({1, 1}));
  const detour::Topology topology(mesh, faults);

  const detour::Policy* tree = detour::PolicyRegistry::instance().find("tree");
  if (tree == nullptr) {
    std::cerr << "the installed library has no policy 'tree'\n";
    return 1;
  }
  const auto plan = tree->plan(topology, {});
  if (!plan.ok()) {
    std::cerr << plan.reason() << '\n';
    return 1;
  }
  std::cout << plan.value().policy << ": " << plan.value().flows.size() << " flow\n";
  return 0;
}
