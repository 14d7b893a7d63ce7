// Whether the job goes on when ranks die.
#pragma once

namespace detour::shim {

// True if it does and deaths are noticed: then no call may wait for the dead. Where mpirun ends the whole job
// at the first death nobody has to look out for any, and calls are MPI's as ever. When MPI runs.
bool survives_deaths();

}  // namespace detour::shim
