# SPDX-License-Identifier: MIT
# PREFIX/bin/limber beside PREFIX/share/limber, where findResource looks; the prefix can be moved afterwards.
# limber::core with the headers of its four rooms and a package that find_package(limber) finds.
include(CMakePackageConfigHelpers)

if(TARGET limber)
  install(TARGETS limber DESTINATION bin COMPONENT application)
  install(DIRECTORY "${LIMBER_SHARE}/" DESTINATION share/limber COMPONENT application)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/limber")
install(TARGETS limber_core EXPORT limber ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT core)
foreach(room kinematics goals objective solvers)
  install(DIRECTORY "src/${room}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/limber" COMPONENT core
    FILES_MATCHING PATTERN "*.h")
endforeach()
install(EXPORT limber NAMESPACE limber:: FILE limber-targets.cmake DESTINATION "${package_dir}" COMPONENT core)
configure_package_config_file(src/cmake/limber-config.cmake.in limber-config.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(limber-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/limber-config.cmake" "${PROJECT_BINARY_DIR}/limber-config-version.cmake"
  DESTINATION "${package_dir}" COMPONENT core)
