# How everything in the project is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Most of compiling goes into headers of others, and into code out of them that sanitizers make large: once per batch
# is enough. Sources must compile alone nevertheless, and not only by what others in the batch include: of the library's
# release builds see to that.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
if(DETOUR_UNITY STREQUAL all)
  set(CMAKE_UNITY_BUILD ON)
endif()

#   detour_compile_alone(SOURCE...)
# Not in a batch: for sources of this folder with a name of their own that another source has too. Mind templates: the
# better match is taken, without a word.
function(detour_compile_alone)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# Installed programs and libraries look for each other where they were installed together, so that
# the whole tree may be moved.
include(GNUInstallDirs)
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN/${bin_to_lib}" "$ORIGIN")
# And where an MPI outside the system's folders was linked.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# Until 1.0 a new minor version may change the interface.
set(DETOUR_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

add_library(detour_warnings INTERFACE)
target_compile_options(detour_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Wold-style-cast;-Woverloaded-virtual>
  # In a batch a local name may well be that of something in another source.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>
  # gcc 12 warns of its own std::string (gcc bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${DETOUR_WERROR}>:-Werror>)

if(DETOUR_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # With sanitizers gcc takes optional values for uninitialised that are not.
  target_compile_options(detour_warnings INTERFACE -Wno-maybe-uninitialized)
endif()

if(DETOUR_TEST_HOOKS)
  add_compile_definitions(DETOUR_TEST_HOOKS)
endif()

if(DETOUR_SANITIZE)
  add_compile_options(-fsanitize=${DETOUR_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DETOUR_SANITIZE})
endif()

#   detour_compile_quickly()
# What is compiled in this folder and those below need not be fast. -O3 takes twice as long as -O1, and that with the
# address sanitizer, though not with the other one, twice as long as -O0. Whoever uses a null pointer is found out
# without being looked for.
macro(detour_compile_quickly)
  if(DETOUR_UNITY STREQUAL tests)
    set(CMAKE_UNITY_BUILD ON)
  endif()
  add_compile_options($<$<CONFIG:Release>:-O1>)
  if(DETOUR_SANITIZE MATCHES address)
    add_compile_options(-O0 -fno-sanitize=null)
  endif()
endmacro()
