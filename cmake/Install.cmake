# `cmake --install`: headers, libraries, programs, the CMake package, detour.pc and detour-mpi.pc.
#
# All targets are named here and nowhere else: an export set wants each exactly once.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Detour)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/detour DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(pkgconfig_libs "")
foreach(library IN ITEMS detour detour_routing)
  if(TARGET ${library})
    install(TARGETS ${library} EXPORT DetourTargets)
    string(APPEND pkgconfig_libs " -l${library}")
  endif()
endforeach()
# Preloaded, or named by those who want it ahead of MPI: not for all who link libdetour.
set(pkgconfig_names detour)
if(TARGET detour_mpi)
  install(TARGETS detour_mpi EXPORT DetourTargets)
  list(APPEND pkgconfig_names detour-mpi)
endif()
# Nobody links the library for malloc.
foreach(target IN ITEMS detour_malloc detour_program detourrun)
  if(TARGET ${target})
    install(TARGETS ${target})
  endif()
endforeach()
install(EXPORT DetourTargets NAMESPACE Detour:: DESTINATION ${package_dir})

# Whoever links libdetour needs MPI's headers as soon as its own headers show MPI.
set(DETOUR_PUBLIC_MPI FALSE)
set(pkgconfig_requires "")
set(pkgconfig_cflags "")
if(TARGET detour)
  get_target_property(public_libraries detour INTERFACE_LINK_LIBRARIES)
  if("MPI::MPI_C" IN_LIST public_libraries)
    set(DETOUR_PUBLIC_MPI TRUE)
    set(pkgconfig_requires "Requires: ompi-c\n")
    set(pkgconfig_cflags " -DOMPI_SKIP_MPICXX")
  endif()
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/DetourConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/DetourConfig.cmake INSTALL_DESTINATION ${package_dir})
# Until 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/DetourConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/DetourConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/DetourConfigVersion.cmake
  DESTINATION ${package_dir})

# Relative, because `cmake --install --prefix` decides only then where everything goes.
file(RELATIVE_PATH pkgconfig_to_prefix
  ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
foreach(name IN LISTS pkgconfig_names)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/cmake/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}.pc DESTINATION ${pkgconfig_dir})
endforeach()
