# Installs four components: library (to run programs), development, program and documentation. No installed file contains the
# prefix, so the whole tree may be moved.
include(CMakePackageConfigHelpers)

# ---- The library ------------------------------------------------------------------------------------------------------

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/xbench)
install(TARGETS xbench_shared xbench_static EXPORT xbench
  LIBRARY COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY core/include/xb TYPE INCLUDE COMPONENT development)
# What kernels in CUDA C++ are compiled with for the processor (docs/library.md).
if("cpu" IN_LIST XB_BACKENDS)
  install(DIRECTORY backend_cpu/cuda/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xb/cpu COMPONENT development)
  install(FILES backend_cpu/runtime/xb_cpu.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xb/cpu COMPONENT development)
endif()
install(EXPORT xbench NAMESPACE xbench:: FILE xbench-targets.cmake DESTINATION ${package} COMPONENT development)

configure_package_config_file(cmake/xbench-config.cmake.in ${CMAKE_BINARY_DIR}/generated/xbench-config.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/xbench-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/xbench-config.cmake ${CMAKE_BINARY_DIR}/generated/xbench-config-version.cmake
  DESTINATION ${package} COMPONENT development)

# Relative to the .pc file, unless the folders are configured outside the prefix.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE up)
cmake_path(APPEND XB_PC_PREFIX "\${pcfiledir}" ${up})
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE XB_PC_INCLUDEDIR)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE XB_PC_LIBDIR)
get_target_property(libraries xbench_static INTERFACE_LINK_LIBRARIES)
list(TRANSFORM libraries PREPEND -l)
list(JOIN libraries " " XB_PC_PRIVATE)
configure_file(cmake/xbench.pc.in ${CMAKE_BINARY_DIR}/generated/xbench.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/xbench.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# ---- The program ------------------------------------------------------------------------------------------------------

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR} OUTPUT_VARIABLE libraries)
set_target_properties(xbench PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}/xbench")
install(TARGETS xbench RUNTIME COMPONENT program)
if(TARGET xb_peers)
  install(PROGRAMS ${XB_PEERS} DESTINATION ${CMAKE_INSTALL_LIBDIR}/xbench COMPONENT program)
endif()
if(TARGET xb_mpi)
  install(TARGETS xb_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/xbench COMPONENT program)
endif()
install(FILES bench/man/xbench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES bench/completion/xbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME xbench
  COMPONENT program)
install(FILES bench/completion/_xbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES bench/completion/xbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT program)

# ---- The documentation ------------------------------------------------------------------------------------------------

install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE SECURITY.md TYPE DOC COMPONENT documentation)
install(DIRECTORY docs TYPE DOC COMPONENT documentation)
install(DIRECTORY examples TYPE DOC COMPONENT documentation FILES_MATCHING # without build results
  PATTERN build EXCLUDE
  PATTERN *.[ch] PATTERN *.cpp PATTERN *.cu PATTERN *.hlsl PATTERN CMakeLists.txt PATTERN Makefile)
install(FILES docs/results.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/xbench COMPONENT documentation)
