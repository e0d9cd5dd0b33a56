# SPDX-License-Identifier: MIT
# The targets of dependencies.cmake for another system: libraries from sources of Debian in LIMBER_SOURCES, which
# scripts/sources collects there. Assimp, liblo, EGL and the codecs of compressed glTF are left out.

find_package(Threads REQUIRED)
set(Qhull_FOUND ON)
find_file(LIMBER_FONT NAMES Roboto-Regular.ttf NO_CMAKE_FIND_ROOT_PATH
  PATHS /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF DOC "TrueType font of the panels")
if(NOT LIMBER_FONT OR NOT EXISTS "${LIMBER_SOURCES}/include/Eigen/Core")
  message(FATAL_ERROR "Limber needs fonts-roboto-unhinted, and sources in ${LIMBER_SOURCES}: run scripts/sources")
endif()

foreach(target Eigen3::Eigen nlohmann_json::nlohmann_json CLI11::CLI11 glm::glm)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE "${LIMBER_SOURCES}/include")
endforeach()

# limber_from_source(NAME ALIAS alias INCLUDES folder... SOURCES file...): a library without warnings.
function(limber_from_source name)
  cmake_parse_arguments(PARSE_ARGV 1 one "" "ALIAS" "INCLUDES;SOURCES")
  add_library(${name} STATIC ${one_SOURCES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_include_directories(${name} SYSTEM PUBLIC ${one_INCLUDES})
  target_compile_options(${name} PRIVATE -w $<$<CONFIG:Release>:-O2>)
  if(one_ALIAS)
    add_library(${one_ALIAS} ALIAS ${name})
  endif()
endfunction()

file(GLOB qhull_files "${LIMBER_SOURCES}/qhull/src/libqhull_r/*.c")
limber_from_source(limber_qhull ALIAS Qhull::qhull_r INCLUDES "${LIMBER_SOURCES}/qhull/src" SOURCES ${qhull_files})
limber_from_source(limber_tinyxml2 ALIAS tinyxml2::tinyxml2 INCLUDES "${LIMBER_SOURCES}/tinyxml2"
  SOURCES "${LIMBER_SOURCES}/tinyxml2/tinyxml2.cpp")

file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/stb.c" CONTENT
"#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image.h>
#include <stb_image_write.h>
")
limber_from_source(limber_stb INCLUDES "${LIMBER_SOURCES}/include/stb" SOURCES "${PROJECT_BINARY_DIR}/stb.c")

if(EMSCRIPTEN)  # src/web/glfw.js is GLFW, and Emscripten has OpenGL ES
  add_library(glfw INTERFACE)
  target_include_directories(glfw SYSTEM BEFORE INTERFACE "${LIMBER_SOURCES}/glfw3/include")
  add_library(limber_glad INTERFACE)
  set(imgui_links glfw)
else()
  foreach(option GLFW_BUILD_DOCS GLFW_BUILD_TESTS GLFW_BUILD_EXAMPLES GLFW_INSTALL)
    set(${option} OFF CACHE BOOL "" FORCE)
  endforeach()
  add_subdirectory("${LIMBER_SOURCES}/glfw3" "${PROJECT_BINARY_DIR}/glfw3" EXCLUDE_FROM_ALL)
  set_target_properties(glfw PROPERTIES UNITY_BUILD OFF)
  find_program(GLAD_EXECUTABLE glad NO_CMAKE_FIND_ROOT_PATH)
  set(glad_dir "${PROJECT_BINARY_DIR}/glad")
  if(NOT EXISTS "${glad_dir}/src/gl.c")
    execute_process(COMMAND ${GLAD_EXECUTABLE} --reproducible --quiet --api gl:core=3.3 --extensions ""
      --out-path "${glad_dir}" c COMMAND_ERROR_IS_FATAL ANY)
  endif()
  limber_from_source(limber_glad INCLUDES "${glad_dir}/include" SOURCES "${glad_dir}/src/gl.c")
  set(imgui_links glfw opengl32 gdi32 imm32)
endif()

set(imgui "${LIMBER_SOURCES}/imgui")
limber_from_source(limber_imgui INCLUDES "${imgui}" "${imgui}/backends" "${imgui}/misc/cpp" SOURCES
  "${imgui}/imgui.cpp" "${imgui}/imgui_draw.cpp" "${imgui}/imgui_tables.cpp" "${imgui}/imgui_widgets.cpp"
  "${imgui}/imgui_demo.cpp" "${imgui}/backends/imgui_impl_glfw.cpp" "${imgui}/backends/imgui_impl_opengl3.cpp")
target_link_libraries(limber_imgui PUBLIC ${imgui_links} limber_stb)
target_compile_definitions(limber_imgui PUBLIC $<$<BOOL:${EMSCRIPTEN}>:IMGUI_IMPL_OPENGL_ES3>)
