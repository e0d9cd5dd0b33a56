# SPDX-License-Identifier: MIT
# Clang 14, or the installed clang++, checks the syntax of all sources of the library, joined into few for each room.
# Called with SOURCE, WORK, STDLIB (libstdc++ or libc++), INCLUDES (folders, separated by |) and ROOMS (likewise).
cmake_minimum_required(VERSION 3.22)

find_program(CLANG NAMES clang++-14 clang++)
if(NOT CLANG)
  message(STATUS "SKIPPED: clang++ is not installed")
  return()
endif()
string(REPLACE "|" ";" INCLUDES "${INCLUDES}")
string(REPLACE "|" ";" ROOMS "${ROOMS}")
list(TRANSFORM INCLUDES PREPEND "-I")
set(command "${CLANG}" -std=c++20 -stdlib=${STDLIB} -fsyntax-only -w ${INCLUDES} -DEIGEN_MAX_ALIGN_BYTES=16
  -include "${SOURCE}/src/cmake/range_algorithms.hpp" -DLIMBER_BUILD_SHARE="" -DLIMBER_SHARE_FROM_BIN=""
  -DLIMBER_INSTALLED_SHARE="")

include("${SOURCE}/src/cmake/unity.cmake")

# compile(NAME SOURCES source... OPTIONS option...): checks the sources, joined into as few as the names of their helpers
# allow.
function(compile name)
  cmake_parse_arguments(PARSE_ARGV 1 unit "" "" "SOURCES;OPTIONS")
  limber_units(joined 10000 ${unit_SOURCES})
  math(EXPR last "${joined_count} - 1")
  foreach(i RANGE ${last})
    list(TRANSFORM joined_${i} REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN joined_${i} "" text)
    file(WRITE "${WORK}/${name}_${i}.cpp" "${text}")
    execute_process(COMMAND ${command} ${unit_OPTIONS} "${WORK}/${name}_${i}.cpp" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(SEND_ERROR "${CLANG} -stdlib=${STDLIB} does not compile ${name}")
    endif()
  endforeach()
endfunction()

file(WRITE "${WORK}/any.cpp" "#include <version>\n")
execute_process(COMMAND ${command} "${WORK}/any.cpp" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
  message(STATUS "SKIPPED: ${STDLIB} is not installed")
  return()
endif()

set(avx2_sources)
foreach(room ${ROOMS})
  file(GLOB_RECURSE sources "${SOURCE}/src/limber/${room}/*.cpp")
  set(avx2 ${sources})
  list(FILTER avx2 INCLUDE REGEX "_avx2\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_avx2\\.cpp$")
  compile(${room} SOURCES ${sources})
  list(APPEND avx2_sources ${avx2})
endforeach()
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  compile(avx2 SOURCES ${avx2_sources} OPTIONS -mavx2 -DLIMBER_AVX2)
endif()
