# SPDX-License-Identifier: MIT
# Run by CPack between installing and packing (CPACK_PRE_BUILD_SCRIPTS): what Debian's policy asks of every package, and
# of no other installation. Change log and manual page are compressed, the licence stands in the copyright file.
set(packaging "${CMAKE_CURRENT_LIST_DIR}/../packaging")
find_program(GZIP gzip REQUIRED)

function(compress file)
  execute_process(COMMAND "${GZIP}" --no-name --best --force "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component application core)
  string(TOUPPER "${component}" upper)
  set(usr "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr")
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
