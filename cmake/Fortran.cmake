# The library has entry points for Fortran, but is written without it: a compiler is needed only for tests and
# examples. DETOUR_FORTRAN says whether there is one, and an MPI for it.
set(DETOUR_FORTRAN OFF)
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
include(CheckLanguage)
check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
  message(STATUS "No Fortran compiler: tests and examples in Fortran are skipped")
  return()
endif()
enable_language(Fortran)
find_package(MPI QUIET COMPONENTS Fortran)
if(MPI_Fortran_FOUND AND MPI_Fortran_HAVE_F08_MODULE)
  set(DETOUR_FORTRAN ON)
else()
  message(STATUS "No MPI for this Fortran compiler: tests and examples in Fortran are skipped")
endif()

#   detour_add_fortran_program(TARGET INTERFACE SOURCE)
# One source for all ways in which MPI offers itself to Fortran: HEADER, MODULE or F08, of which WITH_INTERFACE is
# defined.
function(detour_add_fortran_program target interface source)
  add_executable(${target} ${source})
  target_compile_definitions(${target} PRIVATE WITH_${interface})
  # With the header alone the compiler wonders about calls that don't look like the first one.
  target_compile_options(${target} PRIVATE
    -ffree-line-length-none "$<$<STREQUAL:${interface},HEADER>:-fallow-argument-mismatch;-w>")
  set_target_properties(${target} PROPERTIES
    Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target})
  target_link_libraries(${target} PRIVATE MPI::MPI_Fortran)
endfunction()
