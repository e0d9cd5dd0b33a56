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

# package(NAME FILES path... DEPENDS package...): there is one package of that name, with these files; all of its files
# are below /usr/PATHS, and its control file names these packages.
function(check_package name)
  cmake_parse_arguments(PARSE_ARGV 1 package "" "" "FILES;BELOW;DEPENDS")
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
  list(LENGTH paths count)
  message(STATUS "${name}: ${count} files")
endfunction()

set(hicolor usr/share/icons/hicolor)
check_package(limber
  FILES usr/bin/limber usr/share/man/man1/limber.1.gz usr/share/applications/limber.desktop
    usr/share/metainfo/limber.metainfo.xml usr/share/mime/packages/limber.xml
    usr/share/bash-completion/completions/limber usr/share/zsh/vendor-completions/_limber ${hicolor}/scalable/apps/limber.svg
    ${hicolor}/48x48/apps/limber.png ${hicolor}/256x256/apps/limber.png
    usr/share/limber/shaders/capsule.vert usr/share/limber/fonts/interface.ttf usr/share/limber/figures/humanoid.json
    usr/share/limber/scenes/carry_a_cup.limber
    usr/share/doc/limber/copyright usr/share/doc/limber/changelog.gz usr/share/doc/limber/README.md
    usr/share/doc/limber/docs/guide.md usr/share/doc/limber/docs/solvers/newton.md
    usr/share/doc/limber/docs/goals/position.md usr/share/doc/limber/docs/pictures/window.png
  BELOW bin/limber$ share/man/man1/limber share/applications/limber share/metainfo/limber share/mime/packages/limber
    share/bash-completion/completions/limber share/zsh/vendor-completions/_limber share/fish/vendor_completions.d/limber
    share/icons/hicolor/ share/limber/ share/doc/limber/
  DEPENDS libc6 libstdc\\+\\+6 libglfw3 libegl1 libgl1)
file(GLOB python "${WORK}/python3-limber_*.deb")
if(python)
  check_package(python3-limber
    FILES usr/lib/python3/dist-packages/limber/__init__.py usr/lib/python3/dist-packages/limber/_limber.pyi
      usr/lib/python3/dist-packages/limber/view.html usr/share/doc/python3-limber/copyright
    BELOW lib/python3/dist-packages/limber/ share/doc/python3-limber/
    DEPENDS python3 python3-numpy limber libegl1)
endif()
check_package(liblimber-dev
  FILES usr/include/limber/ik.h usr/include/limber/io.h usr/include/limber/solvers/registry.h usr/include/limber/kinematics/figure.h
    usr/include/limber/version.h
    usr/share/doc/liblimber-dev/copyright usr/share/doc/liblimber-dev/changelog.gz
  BELOW include/limber/ "lib/([^/]+/)?liblimber_(core|ik|scene|io)\\.a$" "lib/([^/]+/)?cmake/limber/"
    "lib/([^/]+/)?pkgconfig/limber-(core|ik|io)\\.pc$" share/doc/liblimber-dev/
  DEPENDS libeigen3-dev libqhull-dev libtinyxml2-dev libstb-dev)
