# SPDX-License-Identifier: MIT
# Finds or makes all dependencies; none of their sources are kept here.
# All are searched for before an error is reported, so that one message names all missing packages.

# For another system, for which the distribution has no packages, libraries are built from their sources.
set(LIMBER_SOURCES "" CACHE PATH "Folder with sources of libraries to build, which scripts/sources makes; else none")
if(LIMBER_SOURCES)
  include("${CMAKE_CURRENT_LIST_DIR}/from_sources.cmake")
  return()
endif()

# limber_need(package variable...): the package is missing if one of the variables that its search sets is false.
set(limber_missing)
macro(limber_need package)
  foreach(found ${ARGN})
    if(NOT ${found})
      list(APPEND limber_missing ${package})
      break()
    endif()
  endforeach()
endmacro()

# An imported target, so that the linker gets each library before those that it needs.
function(limber_imported name library include_dirs)
  if(library)
    add_library(${name} UNKNOWN IMPORTED)
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${library}")
  else()
    add_library(${name} INTERFACE IMPORTED)
  endif()
  target_include_directories(${name} INTERFACE ${include_dirs})
  target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

# limber_optional(NAME header library): if both are found, makes the target limber_NAME with the definition
# LIMBER_HAVE_NAME, by which code that can do without the library uses it.
function(limber_optional name header library)
  string(MAKE_C_IDENTIFIER ${name} upper)
  string(TOUPPER ${upper} upper)
  find_path(${upper}_INCLUDE_DIR ${header})
  find_library(${upper}_LIBRARY ${library})
  if(${upper}_INCLUDE_DIR AND ${upper}_LIBRARY)
    limber_imported(limber_${name} "${${upper}_LIBRARY}" "${${upper}_INCLUDE_DIR}")
    target_compile_definitions(limber_${name} INTERFACE LIMBER_HAVE_${upper})
  endif()
endfunction()

find_package(Eigen3 3.4 QUIET NO_MODULE)
limber_need(libeigen3-dev Eigen3_FOUND)

find_package(Threads REQUIRED)
find_package(Qhull QUIET)  # without it a program gets only limber::core, not limber::ik
if(LIMBER_BUILD_APP OR LIMBER_BUILD_TESTS)
  limber_need(libqhull-dev Qhull_FOUND)
endif()

if(LIMBER_BUILD_TESTS)
  find_package(GTest QUIET)
  limber_need(libgtest-dev GTest_FOUND)
  if(LIMBER_BUILD_BENCHMARKS)
    find_package(benchmark QUIET)
    limber_need(libbenchmark-dev benchmark_FOUND)
  endif()
endif()

if(LIMBER_BUILD_APP)
  find_package(nlohmann_json 3.10 QUIET)
  limber_need(nlohmann-json3-dev nlohmann_json_FOUND)
  find_package(CLI11 QUIET)
  limber_need(libcli11-dev CLI11_FOUND)
  find_package(glfw3 3.3 QUIET)
  limber_need(libglfw3-dev glfw3_FOUND)
  find_package(glm QUIET)
  limber_need(libglm-dev glm_FOUND)

  # Prefer the interpreter of the system, for which distributions have NumPy, to others on the path.
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Interpreter for which the Python package is built")
  endif()
  find_package(Python COMPONENTS Interpreter Development.Module QUIET)  # only for the Python package
  if(Python_FOUND)
    find_package(pybind11 2.10 CONFIG QUIET)
  endif()

  find_package(tinyxml2 QUIET)
  limber_need(libtinyxml2-dev tinyxml2_FOUND)
  find_package(assimp 5 QUIET)
  # Debian's assimp links zlib, but its package does not depend on it.
  find_package(ZLIB QUIET)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")  # elsewhere FBX, Collada and OBJ are not read without it
    limber_need(libassimp-dev assimp_FOUND)
    limber_need(zlib1g-dev ZLIB_FOUND)
  endif()

  find_path(STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb)
  find_library(STB_LIBRARY stb)
  limber_need(libstb-dev STB_INCLUDE_DIR)

  # Dear ImGui with its GLFW and OpenGL 3 backends inside the library, as Debian builds it. Its headers are in one
  # folder or in two.
  find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui)
  find_path(IMGUI_BACKENDS_INCLUDE_DIR imgui_impl_glfw.h PATH_SUFFIXES imgui/backends imgui)
  find_library(IMGUI_LIBRARY imgui)
  limber_need(libimgui-dev IMGUI_INCLUDE_DIR IMGUI_BACKENDS_INCLUDE_DIR IMGUI_LIBRARY)

  # The OpenGL loader is generated offline, with the same bytes every time.
  find_program(GLAD_EXECUTABLE glad)
  limber_need(python3-glad GLAD_EXECUTABLE)

  # The font of the panels.
  find_file(LIMBER_FONT NAMES Roboto-Regular.ttf DejaVuSans.ttf NO_CMAKE_FIND_ROOT_PATH PATHS
    /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF
    /usr/share/fonts/truetype/dejavu
    DOC "TrueType font of the panels")
  limber_need(fonts-roboto-unhinted LIMBER_FONT)

  # EGL draws without a display (limber render); that verb is missing on platforms without EGL.
  limber_optional(egl EGL/egl.h EGL)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    limber_need(libegl-dev EGL_INCLUDE_DIR EGL_LIBRARY)
  endif()

  # Open Sound Control, for avatars that other programs move.
  limber_optional(lo lo/lo.h lo)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    limber_need(liblo-dev LO_INCLUDE_DIR LO_LIBRARY)
  endif()

  # Codecs of compressed meshes and pictures in glTF; without them Limber leaves these out with a note.
  limber_optional(draco draco/mesh/mesh.h draco)
  limber_optional(meshoptimizer meshoptimizer.h meshoptimizer)
  limber_optional(webp webp/decode.h webp)
  limber_optional(avif avif/avif.h avif)
  # Files of YAML that xacro loads; without it such a robot is refused.
  limber_optional(yaml-cpp yaml-cpp/yaml.h yaml-cpp)
endif()

if(limber_missing)
  list(JOIN limber_missing " " packages)
  message(FATAL_ERROR "Limber needs packages that are not installed: ${packages}\n"
    "On Debian and Ubuntu this installs them:\n  sudo apt-get install ${packages}\n")
endif()

if(LIMBER_BUILD_APP)
  limber_imported(limber_stb "${STB_LIBRARY}" "${STB_INCLUDE_DIR}")  # Debian's has a library, others only headers
  limber_imported(limber_imgui "${IMGUI_LIBRARY}" "${IMGUI_INCLUDE_DIR};${IMGUI_BACKENDS_INCLUDE_DIR}"
    limber_stb glfw ${CMAKE_DL_LIBS})

  set(glad_dir "${CMAKE_CURRENT_BINARY_DIR}/glad")
  if(NOT EXISTS "${glad_dir}/src/gl.c")
    execute_process(
      COMMAND ${GLAD_EXECUTABLE} --reproducible --quiet --api gl:core=3.3 --extensions "" --out-path "${glad_dir}" c
      RESULT_VARIABLE glad_result)
    if(NOT glad_result EQUAL 0)
      message(FATAL_ERROR "${GLAD_EXECUTABLE} could not generate the OpenGL loader (exit ${glad_result})")
    endif()
  endif()
  add_library(limber_glad STATIC "${glad_dir}/src/gl.c")
  target_include_directories(limber_glad SYSTEM PUBLIC "${glad_dir}/include")
endif()
