# libxbench, shared and static, for other programs: core, the backends and their registry. Both export only the symbols of
# core/xbench.map. Our own program and tests link the static `xb` instead (XbBackends.cmake).

# The number of the ABI. Increase it if programs have to be compiled again after a change of the public headers.
set(XB_ABI 8)

# The libraries that the backends need besides the C library, as names for -l. For users of the static library.
function(xb_list_system_libraries out)
  set(names "")
  foreach(backend IN LISTS XB_BACKENDS)
    get_target_property(libraries xb_backend_${backend} LINK_LIBRARIES)
    foreach(library IN LISTS libraries)
      if(IS_ABSOLUTE "${library}")
        cmake_path(GET library STEM name)
        string(REGEX REPLACE "^lib" "" name ${name})
        list(APPEND names ${name})
      elseif(library STREQUAL Threads::Threads)
        list(APPEND names pthread)
      elseif(NOT TARGET ${library})
        list(APPEND names ${library})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${out} ${names} PARENT_SCOPE)
endfunction()

function(xb_add_shared_library map)
  add_library(xbench_shared SHARED $<TARGET_OBJECTS:xb_registry> $<TARGET_OBJECTS:xb_core_objects>)
  target_link_libraries(xbench_shared PRIVATE xb_compile)
  foreach(backend IN LISTS XB_BACKENDS)
    target_link_libraries(xbench_shared PRIVATE xb_backend_${backend})
  endforeach()
  target_link_options(xbench_shared PRIVATE -Wl,--version-script=${map})
  if(NOT XB_SANITIZE) # the program has the sanitizer's functions
    target_link_options(xbench_shared PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(xbench_shared PROPERTIES OUTPUT_NAME xbench EXPORT_NAME xbench
    VERSION ${PROJECT_VERSION} SOVERSION ${XB_ABI} LINKER_LANGUAGE CXX LINK_DEPENDS ${map})
endfunction()

# One object in which only the public functions are global. So a program may have its own vk_device_open, for example.
function(xb_add_static_library map)
  set(targets xb_registry xb_core_objects xb_os)
  foreach(backend IN LISTS XB_BACKENDS)
    list(APPEND targets xb_backend_${backend})
  endforeach()
  set(objects "")
  foreach(target IN LISTS targets)
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
  endforeach()

  file(READ ${map} text)
  string(REGEX MATCHALL "xb_[a-z0-9_]+" public "${text}")
  list(JOIN public "\n" public)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/public_symbols CONTENT "@public@\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${map})
  set(object ${CMAKE_BINARY_DIR}/generated/xbench.o)
  # Without groups: another library's copy of a symbol that becomes local here must not be dropped for ours. LLVM's linker, which CMake
  # takes with clang, cannot do that.
  find_program(XB_GNU_LD ld.bfd)
  set(link ${CMAKE_LINKER})
  if(XB_GNU_LD)
    set(link ${XB_GNU_LD} --force-group-allocation)
  endif()
  add_custom_command(OUTPUT ${object}
    COMMAND ${link} -r -o ${object} ${objects}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${CMAKE_BINARY_DIR}/generated/public_symbols ${object}
    DEPENDS ${objects} ${CMAKE_BINARY_DIR}/generated/public_symbols
    COMMENT "Linking the object of libxbench.a"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(xbench_static STATIC ${object})
  add_dependencies(xbench_static ${targets}) # Make needs this; for Ninja the objects are enough
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  xb_list_system_libraries(libraries)
  set_target_properties(xbench_static PROPERTIES OUTPUT_NAME xbench EXPORT_NAME static LINKER_LANGUAGE C
    INTERFACE_LINK_LIBRARIES "${libraries}")
endfunction()

function(xb_add_library)
  set(map ${CMAKE_SOURCE_DIR}/core/xbench.map)
  add_library(xb_registry OBJECT ${CMAKE_BINARY_DIR}/generated/backends.c)
  target_include_directories(xb_registry PRIVATE ${CMAKE_SOURCE_DIR}/core/include)
  target_link_libraries(xb_registry PRIVATE xb_compile)
  xb_add_shared_library(${map})
  xb_add_static_library(${map})
endfunction()
