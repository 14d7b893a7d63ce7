// For the few variables of each thread's that every call looks at: they are found without a call to the loader. Programs that
// load the library when they already run have room for some dozens of bytes of that kind, not for more; and never for other
// libraries' variables, so this is no matter of the compiler's options.
#pragma once

#define DETOUR_NEAR_THREAD_LOCAL thread_local __attribute__((tls_model("initial-exec")))
