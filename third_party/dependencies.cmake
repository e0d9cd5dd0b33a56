# SPDX-License-Identifier: MIT
# Finds or makes every dependency. No source of others is kept here.

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)

if(LIMBER_BUILD_APP)
  set(OpenGL_GL_PREFERENCE GLVND)
  find_package(nlohmann_json 3.10 REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(glfw3 3.3 REQUIRED)
  find_package(glm REQUIRED)
  find_package(OpenGL REQUIRED COMPONENTS OpenGL OPTIONAL_COMPONENTS EGL)

  # Dear ImGui: header and library as Debian installs them, backends inside.
  find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui REQUIRED)
  find_library(IMGUI_LIBRARY imgui REQUIRED)
  find_path(STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb REQUIRED)
  find_library(STB_LIBRARY stb REQUIRED)
  add_library(limber_stb INTERFACE)
  target_include_directories(limber_stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})
  target_link_libraries(limber_stb INTERFACE ${STB_LIBRARY})
  add_library(limber_imgui INTERFACE)
  target_include_directories(limber_imgui SYSTEM INTERFACE ${IMGUI_INCLUDE_DIR})
  target_link_libraries(limber_imgui INTERFACE ${IMGUI_LIBRARY} limber_stb glfw)

  # glad: generated from the installed specification, offline, the same bytes every time.
  find_program(GLAD_EXECUTABLE glad REQUIRED)
  set(GLAD_DIR "${CMAKE_BINARY_DIR}/glad")
  if(NOT EXISTS "${GLAD_DIR}/src/gl.c")
    execute_process(
      COMMAND ${GLAD_EXECUTABLE} --reproducible --quiet --api gl:core=3.3 --extensions "" --out-path "${GLAD_DIR}" c
      RESULT_VARIABLE glad_result)
    if(NOT glad_result EQUAL 0)
      message(FATAL_ERROR "glad could not generate the OpenGL loader (exit ${glad_result})")
    endif()
  endif()
  add_library(limber_glad STATIC "${GLAD_DIR}/src/gl.c")
  target_include_directories(limber_glad SYSTEM PUBLIC "${GLAD_DIR}/include")
endif()

if(LIMBER_BUILD_TESTS)
  find_package(GTest REQUIRED)
  if(LIMBER_BUILD_BENCHMARKS)
    find_package(benchmark REQUIRED)
  endif()
endif()
