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
  file(REMOVE "${documents}/LICENSE")
  if(EXISTS "${usr}/share/man/man1/limber.1")
    compress("${usr}/share/man/man1/limber.1")
    file(RENAME "${usr}/share/zsh/site-functions" "${usr}/share/zsh/vendor-completions")
  endif()
endforeach()
