// The two pictures of a plan for a terminal: what the links carry, and the route of one flow.
#pragma once

#include "detour/routing/plan.hpp"
#include "displayed_route.hpp"
#include "load_levels.hpp"
#include "text_glyphs.hpp"
#include "text_grid.hpp"

namespace detour::render {

TextCanvas load_picture(const Topology& topology, const Plan& plan, const LoadLevels& levels,
                        const TextGrid& grid, const Glyphs& glyphs);

// Needs room for links: a pitch of more than 1. Ends of bridges get a sign of their own, since the
// bridge itself finds no room.
TextCanvas route_picture(const Topology& topology, const Plan& plan, const DisplayedRoute& route,
                         const TextGrid& grid, const Glyphs& glyphs);

}  // namespace detour::render
