# SPDX-License-Identifier: MIT
# share/limber next to bin/, in the build tree as in an installation: resources, shaders, the guide and the font of the panels.
# It is updated when one of them was edited, added or removed.

set(LIMBER_SHARE "${PROJECT_BINARY_DIR}/share/limber")
set(share_commands)
set(share_files "${LIMBER_FONT}" "${PROJECT_SOURCE_DIR}/docs/guide.md")
foreach(pair "resources|." "shaders|shaders")
  string(REPLACE "|" ";" pair "${pair}")
  list(GET pair 0 from)
  list(GET pair 1 to)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${from}/*")
  if(files)
    list(APPEND share_files ${files})
    list(APPEND share_commands COMMAND ${CMAKE_COMMAND} -E copy_directory
      "${PROJECT_SOURCE_DIR}/${from}" "${LIMBER_SHARE}/${to}")
  endif()
endforeach()

# The removal of a file changes no other file, so the list itself is also a dependency.
set(share_list "${PROJECT_BINARY_DIR}/share_files.txt")
file(CONFIGURE OUTPUT "${share_list}" CONTENT "${share_files}" @ONLY)
set(share_stamp "${PROJECT_BINARY_DIR}/share.stamp")
add_custom_command(OUTPUT "${share_stamp}"
  COMMAND ${CMAKE_COMMAND} -E rm -rf "${LIMBER_SHARE}"
  ${share_commands}
  COMMAND ${CMAKE_COMMAND} -E make_directory "${LIMBER_SHARE}/fonts"
  COMMAND ${CMAKE_COMMAND} -E copy "${LIMBER_FONT}" "${LIMBER_SHARE}/fonts/interface.ttf"
  COMMAND ${CMAKE_COMMAND} -E copy "${PROJECT_SOURCE_DIR}/docs/guide.md" "${LIMBER_SHARE}"
  COMMAND ${CMAKE_COMMAND} -E touch "${share_stamp}"
  DEPENDS ${share_files} "${share_list}"
  COMMENT "Copying resources and shaders to ${LIMBER_SHARE}"
  VERBATIM)
add_custom_target(limber_share ALL DEPENDS "${share_stamp}")
