# What the layers above routing build on. All of it comes from Debian.
find_package(MPI REQUIRED COMPONENTS C)
# Open MPI's C++ bindings warn, and drag in a library of their own.
target_compile_definitions(MPI::MPI_C INTERFACE OMPI_SKIP_MPICXX)

find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)

find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
