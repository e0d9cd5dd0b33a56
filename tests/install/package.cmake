# SPDX-License-Identifier: MIT
# Packs the build as Debian packages and checks them: required files are present, none is in a wrong folder, and the
# control file names the dependencies. Skipped if dpkg-deb is missing. Called with BUILD, WORK, CONFIG and CPACK.
cmake_minimum_required(VERSION 3.22)

find_program(DPKG_DEB dpkg-deb)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(NOT DPKG_DEB OR NOT DPKG_SHLIBDEPS)
  message(STATUS "SKIPPED: dpkg-deb and dpkg-shlibdeps are not installed")
  return()
endif()

file(REMOVE_RECURSE "${WORK}")
# Without compression, which would take longer than everything else.
execute_process(COMMAND "${CPACK}" -G DEB -C "${CONFIG}" --config "${BUILD}/CPackConfig.cmake" -B "${WORK}"
  -D CPACK_DEBIAN_COMPRESSION_TYPE=none
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# The same build gives the same bytes.
execute_process(COMMAND "${CPACK}" -G DEB -C "${CONFIG}" --config "${BUILD}/CPackConfig.cmake" -B "${WORK}/again"
  -D CPACK_DEBIAN_COMPRESSION_TYPE=none
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB packages RELATIVE "${WORK}" "${WORK}/*.deb")
foreach(package ${packages})
  file(SHA256 "${WORK}/${package}" first)
  file(SHA256 "${WORK}/again/${package}" second)
  if(NOT first STREQUAL second)
    message(SEND_ERROR "${package}: two runs of cpack give different bytes")
  endif()
endforeach()
file(REMOVE_RECURSE "${WORK}/again")

# check_package(NAME FILES path... BELOW path... DEPENDS package... WITHOUT package...): there is one package of that name,
# with these files; all of its files are below /usr/PATHS, and it depends on, or recommends, these packages and not those.
function(check_package name)
  cmake_parse_arguments(PARSE_ARGV 1 package "" "" "FILES;BELOW;DEPENDS;WITHOUT")
  file(GLOB found "${WORK}/${name}_*.deb")
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "there should be one package ${name}, there are ${count}: ${found}")
  endif()
  execute_process(COMMAND "${DPKG_DEB}" --contents "${found}" OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${contents}")
  set(paths)
  foreach(line ${lines})
    if(NOT line MATCHES "^([-dl]r.xr.xr.x|-r.-r--r--) root/root .* (\\./.*)$")
      message(FATAL_ERROR "${name}: wrong owner or permissions: ${line}")
    endif()
    if(NOT line MATCHES "^d")
      string(REGEX REPLACE ".* \\./(usr/.*)$" "\\1" path "${line}")
      list(APPEND paths "${path}")
    endif()
  endforeach()
  foreach(file ${package_FILES})
    if(NOT file IN_LIST paths)
      message(SEND_ERROR "${name}: ${file} is missing")
    endif()
  endforeach()
  list(JOIN package_BELOW "|" below)
  foreach(path ${paths})
    if(NOT path MATCHES "^usr/(${below})")
      message(SEND_ERROR "${name}: ${path} is in a wrong folder")
    endif()
  endforeach()
  execute_process(COMMAND "${DPKG_DEB}" --field "${found}" Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
  foreach(other ${package_DEPENDS})
    if(NOT ", ${depends}" MATCHES ", ${other}[ ,\n]")
      message(SEND_ERROR "${name}: does not depend on ${other}, but on ${depends}")
    endif()
  endforeach()
  execute_process(COMMAND "${DPKG_DEB}" --field "${found}" Recommends OUTPUT_VARIABLE recommends)
  foreach(other ${package_WITHOUT})
    if(", ${depends}, ${recommends}" MATCHES ", ${other}[ ,\n]")
      message(SEND_ERROR "${name}: brings ${other} with it: ${depends} ${recommends}")
    endif()
  endforeach()
  list(LENGTH paths count)
  message(STATUS "${name}: ${count} files")
endfunction()

set(hicolor usr/share/icons/hicolor)
check_package(limber
  FILES usr/bin/limber usr/share/man/man1/limber.1.gz usr/share/applications/limber.desktop
    usr/share/metainfo/limber.metainfo.xml usr/share/mime/packages/limber.xml
    usr/share/bash-completion/completions/limber usr/share/zsh/vendor-completions/_limber ${hicolor}/scalable/apps/limber.svg
    ${hicolor}/48x48/apps/limber.png ${hicolor}/256x256/apps/limber.png
    usr/share/doc/limber/copyright usr/share/doc/limber/changelog.gz
  BELOW bin/limber$ share/man/man1/limber share/applications/limber share/metainfo/limber share/mime/packages/limber
    share/bash-completion/completions/limber share/zsh/vendor-completions/_limber share/fish/vendor_completions.d/limber
    share/icons/hicolor/ share/doc/limber/
  DEPENDS libc6 libstdc\\+\\+6 libglfw3 libegl1 libgl1 limber-data)
check_package(limber-data
  FILES usr/share/limber/shaders/capsule.vert usr/share/limber/fonts/interface.ttf
    usr/share/limber/figures/humanoid.json usr/share/limber/scenes/carry_a_cup.limber
    usr/share/limber/schemas/problem.schema.json usr/share/doc/limber-data/copyright
    usr/share/doc/limber/README.md usr/share/doc/limber/docs/guide.md usr/share/doc/limber/docs/solvers/newton.md
    usr/share/doc/limber/docs/goals/position.md usr/share/doc/limber/docs/pictures/window.png
  BELOW share/limber/ share/doc/limber/README.md share/doc/limber/docs/ share/doc/limber-data/
  WITHOUT libc6 limber)
file(GLOB python "${WORK}/python3-limber_*.deb")
if(python)
  check_package(python3-limber
    FILES usr/lib/python3/dist-packages/limber/__init__.py usr/lib/python3/dist-packages/limber/_limber.pyi
      usr/lib/python3/dist-packages/limber/view.html usr/share/doc/python3-limber/copyright
    BELOW lib/python3/dist-packages/limber/ share/doc/python3-limber/
    DEPENDS python3 python3-numpy limber-data libegl1
    WITHOUT limber libglfw3 libgl1 libgl1-mesa-dri)
endif()
check_package(liblimber-dev
  FILES usr/include/limber/ik.h usr/include/limber/io.h usr/include/limber/solvers/registry.h usr/include/limber/kinematics/figure.h
    usr/include/limber/version.h
    usr/share/doc/liblimber-dev/copyright usr/share/doc/liblimber-dev/changelog.gz
  BELOW include/limber/ "lib/([^/]+/)?liblimber_(core|ik|scene|io)\\.a$" "lib/([^/]+/)?cmake/limber/"
    "lib/[^/]+/pkgconfig/limber-(core|ik|io)\\.pc$" share/doc/liblimber-dev/
  DEPENDS libeigen3-dev libqhull-dev libtinyxml2-dev libstb-dev)

# pkg-config reads the files where the package puts them.
find_program(PKG_CONFIG pkg-config)
file(GLOB package "${WORK}/liblimber-dev_*.deb")
if(PKG_CONFIG)
  execute_process(COMMAND "${DPKG_DEB}" --extract "${package}" "${WORK}/root" COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB folder "${WORK}/root/usr/lib/*/pkgconfig")
  file(GLOB_RECURSE library "${WORK}/root/usr/lib/liblimber_core.a")
  cmake_path(GET library PARENT_PATH expected)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=${folder}" "${PKG_CONFIG}" --variable=libdir limber-core
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(REAL_PATH "${found}" found)
  if(NOT found STREQUAL expected)
    message(SEND_ERROR "limber-core.pc names the folder ${found}, and the library is in ${expected}")
  endif()
endif()

# Each package has a description of its own.
file(GLOB packages "${WORK}/*.deb")
set(synopses)
foreach(package ${packages})
  execute_process(COMMAND "${DPKG_DEB}" --field "${package}" Description OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n.*" "" synopsis "${text}")
  if(synopsis IN_LIST synopses OR synopsis STREQUAL "")
    message(SEND_ERROR "${package}: its synopsis \"${synopsis}\" is that of another package")
  endif()
  list(APPEND synopses "${synopsis}")
endforeach()
