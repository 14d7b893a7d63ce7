# routing must not see MPI, or anything else beyond the standard library. What it may include and
# link is a list of what is allowed, not of what is forbidden: the next dependency is caught too.
function(detour_require_pure property)
  get_target_property(found detour_routing ${property})
  foreach(entry IN LISTS found)
    if(entry AND NOT entry IN_LIST ARGN)
      message(FATAL_ERROR "routing is pure C++, but '${entry}' is in its ${property}")
    endif()
  endforeach()
endfunction()

set(public_include $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
detour_require_pure(INCLUDE_DIRECTORIES ${public_include} ${PROJECT_SOURCE_DIR}/routing)
detour_require_pure(INTERFACE_INCLUDE_DIRECTORIES ${public_include})
detour_require_pure(LINK_LIBRARIES $<BUILD_INTERFACE:detour_warnings>)
detour_require_pure(INTERFACE_LINK_LIBRARIES)
