// Catch2 2 (Debian 12) and 3 (Debian 13) have different headers: this is the one to include.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // Catch2 2 has it in the global namespace
#else
#include <catch2/catch.hpp>
#endif
