# SPDX-License-Identifier: MIT
# Components. "application": the program and its desktop integration. "data": the files that program and Python package
# read at run time (findResource looks for them relative to the program, so that the prefix can be moved afterwards), and
# the documents. "core": limber::core,
# limber::ik and limber::io with their public headers, and packages for find_package(limber) and pkg-config.
include(CMakePackageConfigHelpers)

if(TARGET limber)
  install(TARGETS limber RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT application)
  install(DIRECTORY "${LIMBER_SHARE}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/limber" COMPONENT data)
  install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT data)
  install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT data)  # keeps the README's links valid
endif()

# Menus, icons, the file type and software centres, for freedesktop.org desktops only.
if(TARGET limber AND UNIX AND NOT APPLE)
  set(desktop src/packaging)
  install(FILES ${desktop}/limber.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT application)
  set(LIMBER_WEBSITE "" CACHE STRING "Web address of docs/pictures, for the picture that software centres show")
  set(website_elements)
  if(LIMBER_WEBSITE)
    set(website_elements "  <url type=\"homepage\">${LIMBER_WEBSITE}</url>
  <screenshots>
    <screenshot type=\"default\"><image>${LIMBER_WEBSITE}/docs/pictures/window.png</image></screenshot>
  </screenshots>
")
  endif()
  configure_file(${desktop}/limber.metainfo.xml.in "${PROJECT_BINARY_DIR}/limber.metainfo.xml" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/limber.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT application)
  install(FILES ${desktop}/limber-mime.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME limber.xml
    COMPONENT application)
  install(DIRECTORY ${desktop}/hicolor DESTINATION "${CMAKE_INSTALL_DATADIR}/icons" COMPONENT application)
  install(FILES ${desktop}/limber.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps"
    COMPONENT application)
endif()

# The manual page and shell completion (src/CMakeLists.txt).
if(LIMBER_HAS_REFERENCE)
  set(reference "${PROJECT_BINARY_DIR}/reference")
  install(FILES "${reference}/limber.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT application)
  install(FILES "${reference}/limber.bash" RENAME limber COMPONENT application
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${reference}/limber.zsh" RENAME _limber COMPONENT application
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${reference}/limber.fish" COMPONENT application
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

# The Python package, installed only by `cmake --install BUILD --component python`.
if(TARGET limber_python)
  set(LIMBER_PYTHON_DIR "${CMAKE_INSTALL_LIBDIR}/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/site-packages"
    CACHE STRING "Folder of Python packages, below the prefix")
  install(TARGETS limber_python DESTINATION "${LIMBER_PYTHON_DIR}/limber" COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES src/python/limber/__init__.py src/python/limber/_limber.pyi src/python/limber/py.typed
    src/python/limber/view.html DESTINATION "${LIMBER_PYTHON_DIR}/limber" COMPONENT python EXCLUDE_FROM_ALL)
endif()

# The library: its public headers, and the headers that these include.
set(public_headers ik.h goals/aim_goal.h goals/centre_of_mass_goal.h goals/clearance_goal.h
  goals/coupled_rotations_goal.h goals/direction_goal.h goals/distance_goal.h goals/level_goal.h goals/line_goal.h
  goals/orientation_goal.h
  goals/plane_goal.h goals/position_goal.h goals/position_orientation_goal.h goals/relative_goal.h goals/support_goal.h
  goals/swivel_goal.h goals/upright_goal.h kinematics/figure_edit.h kinematics/figure_faults.h solvers/batch/batch.h
  solvers/convex/certificate.h solvers/methods/conjugate_gradient.h solvers/methods/cyclic_descent.h
  solvers/methods/damped_least_squares.h solvers/methods/fabrik.h solvers/methods/fixed_step_descent.h
  solvers/methods/gdls_then_newton.h solvers/methods/global.h solvers/methods/globalised_newton.h
  solvers/methods/gradient_descent.h solvers/methods/lbfgs.h
  solvers/methods/levenberg_marquardt.h solvers/methods/multi_start.h solvers/methods/newtons_method.h
  solvers/methods/penalty_methods.h solvers/methods/sdp_ik.h solvers/methods/trust_region.h solvers/methods/variable_metric.h solvers/registry.h body/balance.h body/footholds.h
  problem/goal_place.h problem/joint_turn.h body/mirror.h problem/new_goal.h posing/certify.h posing/clear_batch.h
  posing/velocity_step.h posing/answer_derivative.h
  proof/global_search.h)
if(TARGET limber_io)
  list(APPEND public_headers io.h)
endif()
set(headers)
while(public_headers)
  list(POP_FRONT public_headers header)
  list(APPEND headers "${header}")
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/limber/${header}" includes REGEX "^#include \"limber/")
  foreach(include ${includes})
    string(REGEX REPLACE "^#include \"limber/(.*)\"$" "\\1" included "${include}")
    if(NOT included IN_LIST headers AND NOT included IN_LIST public_headers)
      list(APPEND public_headers "${included}")
    endif()
  endforeach()
endwhile()
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "src/limber/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/limber/${folder}" COMPONENT core)
endforeach()
# The reference of these headers: target docs, if Doxygen is available.
find_program(DOXYGEN doxygen)
mark_as_advanced(DOXYGEN)
if(PROJECT_IS_TOP_LEVEL AND DOXYGEN)
  list(TRANSFORM headers REPLACE "(.+)" "\"${PROJECT_SOURCE_DIR}/src/limber/\\1\"" OUTPUT_VARIABLE LIMBER_REFERENCE_INPUT)
  list(JOIN LIMBER_REFERENCE_INPUT " " LIMBER_REFERENCE_INPUT)
  configure_file(src/cmake/Doxyfile.in "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
  add_custom_target(docs COMMAND "${DOXYGEN}" "${PROJECT_BINARY_DIR}/Doxyfile" VERBATIM)
endif()
install(FILES "${PROJECT_BINARY_DIR}/include/limber/version.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/limber"
  COMPONENT core)

# limber_pkg_config(NAME REQUIRES package... LIBS flag...): the pkg-config file of limber::NAME.
function(limber_pkg_config name)
  cmake_parse_arguments(PARSE_ARGV 1 package "" "DESCRIPTION" "REQUIRES;LIBS")
  list(JOIN package_REQUIRES ", " package_REQUIRES)
  list(JOIN package_LIBS " " package_LIBS)
  get_target_property(package_CFLAGS limber_core INTERFACE_COMPILE_DEFINITIONS)
  list(TRANSFORM package_CFLAGS PREPEND "-D")
  list(JOIN package_CFLAGS " " package_CFLAGS)
  file(RELATIVE_PATH prefix_from_here "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  configure_file("${PROJECT_SOURCE_DIR}/src/cmake/limber.pc.in" "${PROJECT_BINARY_DIR}/limber-${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/limber-${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT core)
endfunction()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/limber")
set(components core)
limber_pkg_config(core DESCRIPTION "Figures, goals, objective and solvers" REQUIRES "eigen3 >= 3.4" LIBS -pthread)
if(TARGET limber_ik)
  list(APPEND components ik)
  limber_pkg_config(ik DESCRIPTION "Inverse kinematics of articulated figures" REQUIRES "limber-core = ${PROJECT_VERSION}"
    LIBS -lqhull_r)
endif()
if(TARGET limber_io)
  list(APPEND components scene io)
  set(io_libraries -llimber_scene -ltinyxml2)
  if(STB_LIBRARY)
    list(APPEND io_libraries -lstb)
  endif()
  get_target_property(io_codecs limber_io LIMBER_CODECS)
  list(TRANSFORM io_codecs PREPEND -l)
  list(APPEND io_libraries ${io_codecs})
  limber_pkg_config(io DESCRIPTION "Figures and problems from files" REQUIRES "limber-ik = ${PROJECT_VERSION}"
    LIBS ${io_libraries})
endif()
foreach(component ${components})
  install(TARGETS limber_${component} EXPORT limber-${component}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT core
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT core
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT core)
  install(EXPORT limber-${component} NAMESPACE limber:: FILE limber-${component}-targets.cmake
    DESTINATION "${package_dir}" COMPONENT core)
endforeach()
configure_package_config_file(src/cmake/limber-config.cmake.in limber-config.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/limber-config-version.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/limber-config.cmake" "${PROJECT_BINARY_DIR}/limber-config-version.cmake"
  DESTINATION "${package_dir}" COMPONENT core)
