// Everything a policy author, or a tool that works with plans, needs. No MPI.
#pragma once

#include "detour/routing/bound.hpp"
#include "detour/routing/cost_model.hpp"
#include "detour/routing/fault_set.hpp"
#include "detour/routing/live_graph.hpp"
#include "detour/routing/mesh.hpp"
#include "detour/routing/nearest_name.hpp"
#include "detour/routing/outcome.hpp"
#include "detour/routing/plan.hpp"
#include "detour/routing/plan_check.hpp"
#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "detour/routing/render.hpp"
#include "detour/routing/request.hpp"
#include "detour/routing/topology.hpp"
#include "detour/routing/tree.hpp"
