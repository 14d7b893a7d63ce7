# Tests that are MPI programs of several ranks.
#
#   detour_add_mpi_test(NAME PROGRAM RANK_COUNT... [OPTIONS MPIRUN_OPTION...] [ARGUMENTS ARGUMENT...]
#                       [ENVIRONMENT NAME=VALUE...] [TIMEOUT SECONDS])
#
# adds a test NAME/RANK_COUNT for every count. PROGRAM is a target; it tells success by its exit status.
# A program that is linked by hand has detour_mpi_sanitizer_options among its libraries.
set(DETOUR_MPIRUN_OPTIONS --oversubscribe --bind-to none CACHE STRING
  "What mpirun needs to run more ranks than there are cores, several jobs side by side")

#   detour_job_processors(VARIABLE RANK_COUNT)
# How many processors a job of so many ranks counts for in ctest. Ranks mostly wait, for mpirun to start them and for each
# other: short jobs take a fifth of their time on one processor.
function(detour_job_processors variable rank_count)
  math(EXPR processors "1 + ${rank_count} / 8")
  set(${variable} ${processors} PARENT_SCOPE)
endfunction()

function(detour_add_mpi_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "TIMEOUT" "OPTIONS;ARGUMENTS;ENVIRONMENT")
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 120)
  endif()
  foreach(rank_count IN LISTS test_UNPARSED_ARGUMENTS)
    add_test(NAME ${name}/${rank_count}
      COMMAND ${MPIEXEC_EXECUTABLE} ${DETOUR_MPIRUN_OPTIONS} ${test_OPTIONS}
        ${MPIEXEC_NUMPROC_FLAG} ${rank_count} $<TARGET_FILE:${program}> ${test_ARGUMENTS})
    detour_job_processors(processors ${rank_count})
    # mpirun refuses to run as root, which is who runs it in a container, unless told twice.
    set_tests_properties(${name}/${rank_count} PROPERTIES
      TIMEOUT ${test_TIMEOUT} PROCESSORS ${processors}
      ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;${test_ENVIRONMENT}")
  endforeach()
endfunction()
