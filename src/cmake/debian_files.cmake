# SPDX-License-Identifier: MIT
# Run by CPack between installing and packing (CPACK_PRE_BUILD_SCRIPTS): applies rules of Debian's policy that other
# installations do not have. Changelog and manual page are compressed; the copyright file contains the licence.
set(packaging "${CMAKE_CURRENT_LIST_DIR}/../packaging")
find_program(GZIP gzip REQUIRED)

function(compress file)
  execute_process(COMMAND "${GZIP}" --no-name --best --force "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER "${component}" upper)
  set(usr "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr")
  file(GLOB site_packages "${usr}/lib*/python3*/site-packages" "${usr}/lib/*/python3*/site-packages")
  if(site_packages)
    file(MAKE_DIRECTORY "${usr}/lib/python3")
    file(RENAME "${site_packages}" "${usr}/lib/python3/dist-packages")
    cmake_path(GET site_packages PARENT_PATH emptied)
    file(REMOVE_RECURSE "${emptied}")
  endif()
  set(documents "${usr}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  file(COPY "${packaging}/copyright" "${packaging}/changelog" DESTINATION "${documents}"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
    DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  compress("${documents}/changelog")
  file(REMOVE "${usr}/share/doc/limber/LICENSE")
  if(EXISTS "${usr}/share/man/man1/limber.1")
    compress("${usr}/share/man/man1/limber.1")
    file(RENAME "${usr}/share/zsh/site-functions" "${usr}/share/zsh/vendor-completions")
  endif()
  # pkg-config finds these files, but not those in /usr/lib/pkgconfig, when it compiles for another architecture.
  file(GLOB pkgconfig "${usr}/lib/pkgconfig/*.pc")
  if(pkgconfig)
    execute_process(COMMAND dpkg-architecture -qDEB_HOST_MULTIARCH OUTPUT_VARIABLE triplet
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    foreach(file ${pkgconfig})
      file(READ "${file}" text)
      string(REPLACE "prefix=\${pcfiledir}/../" "prefix=\${pcfiledir}/../../" text "${text}")
      file(WRITE "${file}" "${text}")
    endforeach()
    file(MAKE_DIRECTORY "${usr}/lib/${triplet}")
    file(RENAME "${usr}/lib/pkgconfig" "${usr}/lib/${triplet}/pkgconfig")
  endif()
endforeach()

execute_process(COMMAND find "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" -exec touch --no-dereference
  "--date=@$ENV{SOURCE_DATE_EPOCH}" {} + COMMAND_ERROR_IS_FATAL ANY)
