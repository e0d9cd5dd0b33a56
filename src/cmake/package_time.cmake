# SPDX-License-Identifier: MIT
# Read by CPack when it starts: the packages bear the time of their changelog, unless SOURCE_DATE_EPOCH says another one,
# so that the same build always gives the same bytes.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../packaging/changelog" signature REGEX "^ -- " LIMIT_COUNT 1)
  string(REGEX REPLACE "^.*>  " "" date "${signature}")
  execute_process(COMMAND date --utc "--date=${date}" +%s OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} ${seconds})
endif()
