# SPDX-License-Identifier: MIT
# A compiler reads precompiled headers only under the options with which it wrote them. Targets with equal options
# therefore form a set, which has one file of them.
option(LIMBER_PRECOMPILE "Precompile the headers that most sources include; for GCC only" OFF)

# limber_header_set(NAME PIC option...): a set of targets that are compiled with these options, besides those of all.
# PIC is ON if their code is position-independent.
function(limber_header_set name pic)
  if(NOT LIMBER_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(stub "${PROJECT_BINARY_DIR}/headers_${name}.cpp")
  file(GENERATE OUTPUT "${stub}" CONTENT "")
  add_library(limber_headers_${name} OBJECT "${stub}")
  set_target_properties(limber_headers_${name} PROPERTIES POSITION_INDEPENDENT_CODE ${pic})
  target_compile_features(limber_headers_${name} PRIVATE cxx_std_20)
  target_compile_definitions(limber_headers_${name} PRIVATE
    $<TARGET_PROPERTY:limber_core,INTERFACE_COMPILE_DEFINITIONS>)
  target_link_libraries(limber_headers_${name} PRIVATE Eigen3::Eigen Threads::Threads limber_build_options)
  target_compile_options(limber_headers_${name} PRIVATE ${ARGN})
  target_precompile_headers(limber_headers_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src/cmake/common_headers.hpp")
endfunction()

# limber_precompile(SET target...): the targets read the headers of the set.
function(limber_precompile set)
  foreach(target ${ARGN})
    if(TARGET limber_headers_${set} AND TARGET ${target})
      target_precompile_headers(${target} REUSE_FROM limber_headers_${set})
    endif()
  endforeach()
endfunction()
