// Derived datatypes of every kind, nested at random.
#pragma once

#include <mpi.h>

#include <random>

namespace detour::test {

// Plain ones avoid what Open MPI 4.1 gets wrong: parts without bytes, and strides of -1 byte, which it
// takes for "side by side".
enum class Variety { plain, all };

// Not committed; to be freed. Small: at most some thousands of bytes for one instance. With gaps,
// overlaps, negative offsets, and bounds of any sign.
MPI_Datatype random_type(std::mt19937& random, int depth, Variety variety);

}  // namespace detour::test
