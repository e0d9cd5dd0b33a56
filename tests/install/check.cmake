# SPDX-License-Identifier: MIT
# Installs everything, moves the prefix, starts the application there, and builds and runs a program that finds
# limber::core there; then configures the same program on Limber's sources. Called with SOURCE, BUILD, WORK, CONFIG,
# the compiler in COMPILER, and whether there is an application in APP.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(common -G Ninja -S "${CMAKE_CURRENT_LIST_DIR}/consumer"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}")
file(REMOVE_RECURSE "${WORK}")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/staged")
file(RENAME "${WORK}/staged" "${WORK}/moved")

if(APP)
  run("${WORK}/moved/bin/limber" --help)
  foreach(folder fonts shaders)
    if(NOT EXISTS "${WORK}/moved/share/limber/${folder}")
      message(FATAL_ERROR "share/limber/${folder} was not installed")
    endif()
  endforeach()
endif()

run(${CMAKE_COMMAND} ${common} -B "${WORK}/installed" "-DCMAKE_PREFIX_PATH=${WORK}/moved")
run(${CMAKE_COMMAND} --build "${WORK}/installed")
run("${WORK}/installed/consumer")

file(GLOB rooms RELATIVE "${WORK}/moved/include/limber" "${WORK}/moved/include/limber/*")
list(REMOVE_ITEM rooms kinematics goals objective solvers)
if(rooms)
  message(FATAL_ERROR "installed headers are of other rooms than the core's: ${rooms}")
endif()

# From the sources a consumer gets the core alone: no application, no tests, no package but Eigen.
run(${CMAKE_COMMAND} ${common} -B "${WORK}/sources" "-DLIMBER_SOURCE=${SOURCE}")
execute_process(COMMAND ${CMAKE_COMMAND} --build "${WORK}/sources" --target help OUTPUT_VARIABLE targets)
if(targets MATCHES "limber_(io|render|app|scene)|gtest")
  message(FATAL_ERROR "as a subproject Limber builds more than its core:\n${targets}")
endif()
