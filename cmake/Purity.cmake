# routing must not see MPI, or anything else beyond the standard library. What it may include and
# link is a list of what is allowed, not of what is forbidden: the next dependency is caught too.
function(detour_require_pure target property)
  get_target_property(found ${target} ${property})
  foreach(entry IN LISTS found)
    if(entry AND NOT entry IN_LIST ARGN)
      message(FATAL_ERROR "routing is pure C++, but '${entry}' is in the ${property} of ${target}")
    endif()
  endforeach()
endfunction()

set(public_include $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
foreach(target IN ITEMS detour_routing_objects detour_routing)
  detour_require_pure(${target} INCLUDE_DIRECTORIES ${public_include} ${PROJECT_SOURCE_DIR}/routing)
  detour_require_pure(${target} INTERFACE_INCLUDE_DIRECTORIES ${public_include})
  detour_require_pure(${target} LINK_LIBRARIES $<BUILD_INTERFACE:detour_warnings>)
  detour_require_pure(${target} INTERFACE_LINK_LIBRARIES
    $<LINK_ONLY:$<BUILD_INTERFACE:detour_warnings>>)
endforeach()
