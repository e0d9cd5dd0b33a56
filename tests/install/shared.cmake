# SPDX-License-Identifier: MIT
# Installs a build with BUILD_SHARED_LIBS, checks the SONAME of each library, and builds and runs a program that links
# them. Called with BUILD, WORK, CONFIG, COMPILER (the compiler) and FLAGS (its options).

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
run(${CMAKE_COMMAND} --install "${BUILD}" --component core --prefix "${WORK}/prefix")
find_program(READELF readelf REQUIRED)
foreach(name core ik scene io)
  file(GLOB_RECURSE library "${WORK}/prefix/*/liblimber_${name}.so")
  execute_process(COMMAND "${READELF}" -d "${library}" OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "SONAME[^\n]*liblimber_${name}\\.so\\.[0-9]+\\.[0-9]+\\]")
    message(FATAL_ERROR "liblimber_${name}.so has no SONAME with its version:\n${dynamic}")
  endif()
endforeach()
run(${CMAKE_COMMAND} -G Ninja -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK}/consumer" "-DCMAKE_BUILD_TYPE=${CONFIG}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
run(${CMAKE_COMMAND} --build "${WORK}/consumer" --target consumer)
run("${WORK}/consumer/consumer")
