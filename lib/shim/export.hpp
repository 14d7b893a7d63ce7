// How a function takes the place of MPI's of the same name.
#pragma once

#define DETOUR_REPLACES_MPI extern "C" __attribute__((visibility("default")))
