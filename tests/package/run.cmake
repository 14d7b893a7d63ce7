# One run of the package test: install, build the consumer in one way or the other, run it.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(installed ${WORK}/installed)
set(moved ${WORK}/moved)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${installed})
# What was installed must not depend on where it was built or put at first.
file(RENAME ${installed} ${moved})
execute_process(COMMAND grep --recursive --binary-files=without-match --files-with-matches
  -e ${BUILD} -e ${SOURCE}/ -e ${installed} ${moved} OUTPUT_VARIABLE traces)
if(traces)
  message(FATAL_ERROR "these installed files name a folder of the build:\n${traces}")
endif()
file(GLOB binaries ${moved}/bin/* ${moved}/${LIBDIR}/*.so)
execute_process(COMMAND readelf --dynamic ${binaries} OUTPUT_VARIABLE dynamic)
if(dynamic MATCHES "runpath: \\[[^]]*${BUILD}")
  message(FATAL_ERROR "an installed binary looks for its libraries in the build:\n${dynamic}")
endif()

if(WAY STREQUAL "cmake")
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${moved} -D "TARGETS=${TARGETS}")
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  file(GLOB consumers ${WORK}/build/consumer_*)
  foreach(consumer IN LISTS consumers)
    run(${consumer})
  endforeach()
else()
  set(ENV{PKG_CONFIG_PATH} ${moved}/${LIBDIR}/pkgconfig)
  foreach(name IN ITEMS detour detour-mpi)
    execute_process(COMMAND pkg-config --cflags --libs ${name}
      OUTPUT_VARIABLE ${name}_flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(${name}_flags UNIX_COMMAND "${${name}_flags}")
  endforeach()
  set(flags ${detour_flags})
  run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/main.cpp -o ${WORK}/consumer
    -Wl,--no-as-needed ${flags} -Wl,-rpath,${moved}/${LIBDIR})
  run(${WORK}/consumer)
  run(${CC} -std=c99 -Wall -Wextra -Wpedantic -Werror ${CMAKE_CURRENT_LIST_DIR}/consumer/main.c
    -o ${WORK}/consumer_c ${flags} -Wl,-rpath,${moved}/${LIBDIR})
  run(${WORK}/consumer_c)
  run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/sum.cpp -o ${WORK}/consumer_cpp ${flags}
    -Wl,-rpath,${moved}/${LIBDIR})
  run(${WORK}/consumer_cpp)
  run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/replaced.cpp -o ${WORK}/consumer_replaced
    ${detour-mpi_flags} -ldl -Wl,-rpath,${moved}/${LIBDIR})
  run(${WORK}/consumer_replaced)
endif()

if(EXISTS ${moved}/bin/detour)
  run(${moved}/bin/detour policies)
endif()
