# SPDX-License-Identifier: MIT
# Installs everything, moves the prefix, starts the application there from another folder and through a link, and builds
# and runs programs that find the library there: the README's, one built only for this processor, a module, one by
# pkg-config, and docs/example. Then configures the first of them with Limber's sources. Called with SOURCE, BUILD,
# WORK, CONFIG, COMPILER (the compiler), and APP (whether there is an application).

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(common -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}")
set(consumer "${CMAKE_CURRENT_LIST_DIR}/consumer")
file(REMOVE_RECURSE "${WORK}")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/staged")
file(RENAME "${WORK}/staged" "${WORK}/moved")

if(APP)
  set(share "${WORK}/moved/share")
  set(expected limber/fonts/interface.ttf limber/shaders limber/scenes doc/limber/README.md doc/limber/docs/guide.md)
  if(UNIX)
    list(APPEND expected applications/limber.desktop metainfo/limber.metainfo.xml mime/packages/limber.xml
      icons/hicolor/scalable/apps/limber.svg icons/hicolor/48x48/apps/limber.png man/man1/limber.1
      bash-completion/completions/limber zsh/site-functions/_limber fish/vendor_completions.d/limber.fish)
  endif()
  foreach(file ${expected})
    if(NOT EXISTS "${share}/${file}")
      message(SEND_ERROR "share/${file} was not installed")
    endif()
  endforeach()

  # The installed files are read, not those of the build tree: the humanoid gets another name here.
  file(READ "${share}/limber/figures/humanoid.json" humanoid)
  string(REPLACE "\"Humanoid\"" "\"Moved humanoid\"" humanoid "${humanoid}")
  file(WRITE "${share}/limber/figures/humanoid.json" "${humanoid}")
  file(MAKE_DIRECTORY "${WORK}/elsewhere")
  file(CREATE_LINK "${WORK}/moved/bin/limber" "${WORK}/elsewhere/limber" SYMBOLIC)
  execute_process(COMMAND "${WORK}/elsewhere/limber" info humanoid WORKING_DIRECTORY "${WORK}/elsewhere"
    OUTPUT_VARIABLE info COMMAND_ERROR_IS_FATAL ANY)
  if(NOT info MATCHES "Moved humanoid")
    message(FATAL_ERROR "the installed program does not read the installed share/limber:\n${info}")
  endif()
endif()

run(${CMAKE_COMMAND} ${common} -S "${consumer}" -B "${WORK}/installed" "-DCMAKE_PREFIX_PATH=${WORK}/moved")
run(${CMAKE_COMMAND} --build "${WORK}/installed")
run("${WORK}/installed/consumer")
run("${WORK}/installed/native")

# find_package reports components that the package does not have.
file(WRITE "${WORK}/nonsense/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)\nproject(nonsense LANGUAGES CXX)\n"
  "find_package(limber REQUIRED COMPONENTS nonsense)\n")
execute_process(COMMAND ${CMAKE_COMMAND} ${common} -S "${WORK}/nonsense" -B "${WORK}/nonsense/build"
  "-DCMAKE_PREFIX_PATH=${WORK}/moved" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(result EQUAL 0)
  message(FATAL_ERROR "find_package(limber COMPONENTS nonsense) succeeds")
endif()

find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(GLOB_RECURSE pc "${WORK}/moved/*/limber-ik.pc")
  cmake_path(GET pc PARENT_PATH pc_folder)
  set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
  execute_process(COMMAND "${PKG_CONFIG}" --cflags --libs limber-ik OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run("${COMPILER}" -std=c++20 -O1 "${consumer}/ball_arm.cpp" "${consumer}/ball_arm_main.cpp" -o "${WORK}/by_pkg_config"
    ${flags})
  run("${WORK}/by_pkg_config")
  # Headers refuse sources whose Eigen aligns otherwise than the library's, and say what to define.
  foreach(definition EIGEN_MAX_ALIGN_BYTES=32 EIGEN_MALLOC_ALREADY_ALIGNED=0)
    string(REGEX REPLACE "=.*" "" macro "${definition}")
    execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${flags} "-U${macro}" "-D${definition}"
      "${consumer}/ball_arm.cpp" RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "define it for every source")
      message(FATAL_ERROR "the headers accept ${definition}:\n${said}")
    endif()
  endforeach()
else()
  message(STATUS "pkg-config is not installed: its files are not tried")
endif()
run(${CMAKE_COMMAND} ${common} -S "${SOURCE}/docs/example" -B "${WORK}/example" "-DCMAKE_PREFIX_PATH=${WORK}/moved")
run(${CMAKE_COMMAND} --build "${WORK}/example")
foreach(example follow_circle out_of_reach reach_thousand pose_human)
  if(APP OR NOT example STREQUAL "pose_human")  # without an application there is no limber::io
    run("${WORK}/example/${example}")
  endif()
endforeach()
if(APP)
  foreach(example what_blocks velocity_loop)
    run("${WORK}/example/${example}" "${SOURCE}/docs/example/robot.urdf")
  endforeach()
endif()

file(GLOB rooms RELATIVE "${WORK}/moved/include/limber" "${WORK}/moved/include/limber/*")
list(REMOVE_ITEM rooms vector kinematics goals objective solvers problem body posing proof vision io ik.h io.h version.h)
if(rooms)
  message(FATAL_ERROR "installed headers belong to rooms outside the library: ${rooms}")
endif()

# From the sources a consumer gets only the library: no application, no tests, no packages but Eigen and Qhull. It can
# export targets that link the library.
run(${CMAKE_COMMAND} ${common} -S "${consumer}" -B "${WORK}/sources" "-DLIMBER_SOURCE=${SOURCE}")
execute_process(COMMAND ${CMAKE_COMMAND} --build "${WORK}/sources" --target help OUTPUT_VARIABLE targets)
if(targets MATCHES "limber_(io|render|app|scene)|gtest")
  message(FATAL_ERROR "as a subproject Limber builds more than its library:\n${targets}")
endif()
