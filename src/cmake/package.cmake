# SPDX-License-Identifier: MIT
# Debian packages by `cpack -G DEB`: limber (the application), limber-data (the files that it and python3-limber read, and
# the documents), liblimber-dev (the libraries, to link) and python3-limber. The same build gives the same bytes.
# scripts/package builds them from a release build, and tests them on a clean Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME limber)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each component has its own as the first line of its description
set(CPACK_PACKAGE_VENDOR "The Limber authors")
set(CPACK_PACKAGE_CONTACT "The Limber authors <maintainers@users.noreply.limber.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL application data core)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/src/cmake/package_time.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/src/cmake/debian_files.cmake")

# dpkg-shlibdeps finds the linked libraries. GLFW opens OpenGL at run time, which needs a driver.
set(CPACK_DEBIAN_APPLICATION_PACKAGE_NAME limber)
set(CPACK_DEBIAN_APPLICATION_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_APPLICATION_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_APPLICATION_PACKAGE_DEPENDS "limber-data (= ${PROJECT_VERSION}), \
libgl1, libgl1-mesa-dri | libgl1-mesa-glx | nvidia-driver-libs")
set(CPACK_DEBIAN_APPLICATION_PACKAGE_RECOMMENDS "xclip | wl-clipboard")
set(CPACK_DEBIAN_APPLICATION_PACKAGE_SUGGESTS "fonts-noto-cjk")
set(CPACK_COMPONENT_APPLICATION_DESCRIPTION "\
${PROJECT_DESCRIPTION}
Drag any point of a chain, a human, a robot or a motion-captured skeleton, and
the rest of the body follows within its joint limits. Goals, pins, obstacles
and balance are met, or their remaining errors are reported; all solvers can be
compared on the same drag; a timeline bakes motions.

Opens and writes BVH, glTF and VRM animations; opens ASF, URDF, SDF, MJCF,
OpenSim, USD, VRM, FBX and Collada. Works without a window, too: solve, race, convert, render.")

set(CPACK_DEBIAN_DATA_PACKAGE_NAME limber-data)
set(CPACK_DEBIAN_DATA_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DATA_DESCRIPTION "\
${PROJECT_DESCRIPTION} (data)
These are the figures, poses, scenes, shaders and JSON Schemas that the program
and the Python package read, and the documents.")

set(CPACK_DEBIAN_CORE_PACKAGE_NAME liblimber-dev)
set(CPACK_DEBIAN_CORE_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_CORE_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), libqhull-dev, libtinyxml2-dev, libstb-dev")
get_target_property(io_codecs limber_io LIMBER_CODECS)
foreach(codec ${io_codecs})
  string(APPEND CPACK_DEBIAN_CORE_PACKAGE_DEPENDS ", lib${codec}-dev")
endforeach()
set(CPACK_COMPONENT_CORE_DESCRIPTION "\
Inverse kinematics of articulated figures (C++ development files)
Headers, static libraries, a CMake package and
pkg-config files of three C++20 libraries. limber::ik poses a figure by goals
and pins for links that are named, within joint limits, out of obstacles and in
balance. limber::io reads figures (URDF, SDF, MJCF, BVH, glTF, VRM), problems
and scenes. limber::core has the figures, goals and solvers below, on Eigen
alone.")

if(TARGET limber_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-limber)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), \
python3-numpy, limber-data (= ${PROJECT_VERSION})")
  # The program reads FBX, Collada, OBJ and STL for it, in a child process. It is not recommended, because it would bring
  # the window and OpenGL drivers to servers.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "limber (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "\
Inverse kinematics of articulated figures (Python)
This is its package for Python: import limber reads figures, poses them by
goals and pins, solves thousands of targets at once, fits observed points,
draws pictures and shows figures in notebooks.")
endif()

include(CPack)
