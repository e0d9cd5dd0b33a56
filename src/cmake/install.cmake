# SPDX-License-Identifier: MIT
# Two components. "application": the program, what it reads at run time (beside it, where findResource looks: the prefix
# can be moved afterwards), what a desktop wants to know of it, and the documents. "core": limber::core with the headers
# of its four rooms and a package that find_package(limber) finds.
include(CMakePackageConfigHelpers)

if(TARGET limber)
  install(TARGETS limber RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT application)
  install(DIRECTORY "${LIMBER_SHARE}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/limber" COMPONENT application)
  install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT application)
  install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT application)  # README's links hold
endif()

# Menus, icons, the file type, software centres: the free desktops alone ask for them.
if(TARGET limber AND UNIX AND NOT APPLE)
  set(desktop src/packaging)
  install(FILES ${desktop}/limber.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT application)
  install(FILES ${desktop}/limber.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT application)
  install(FILES ${desktop}/limber-mime.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME limber.xml
    COMPONENT application)
  install(DIRECTORY ${desktop}/hicolor DESTINATION "${CMAKE_INSTALL_DATADIR}/icons" COMPONENT application)
  install(FILES ${desktop}/limber.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps"
    COMPONENT application)
  install(FILES ${desktop}/limber.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT application)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/limber")
install(TARGETS limber_core EXPORT limber ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT core)
foreach(room kinematics goals objective solvers)
  install(DIRECTORY "src/limber/${room}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/limber" COMPONENT core
    FILES_MATCHING PATTERN "*.h")
endforeach()
install(EXPORT limber NAMESPACE limber:: FILE limber-targets.cmake DESTINATION "${package_dir}" COMPONENT core)
configure_package_config_file(src/cmake/limber-config.cmake.in limber-config.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(limber-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/limber-config.cmake" "${PROJECT_BINARY_DIR}/limber-config-version.cmake"
  DESTINATION "${package_dir}" COMPONENT core)
