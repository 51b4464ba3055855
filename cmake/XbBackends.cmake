# Backends: a folder backend_NAME with a CMakeLists.txt that makes the target xb_backend_NAME, whose table is
# `const xb_backend xb_backend_NAME`. The registry is generated, so core never names a backend.
set(XB_BACKENDS "" CACHE INTERNAL "")

function(xb_add_backend name)
  add_subdirectory(backend_${name})
  set(XB_BACKENDS ${XB_BACKENDS} ${name} CACHE INTERNAL "")
endfunction()

# The library `xb`: core, the backends that were added, and the registry that joins them.
function(xb_write_backend_registry)
  set(externs "")
  set(entries "")
  foreach(name IN LISTS XB_BACKENDS)
    string(APPEND externs "extern const xb_backend xb_backend_${name};\n")
    string(APPEND entries "&xb_backend_${name}, ")
  endforeach()
  set(file ${CMAKE_BINARY_DIR}/generated/backends.c)
  file(CONFIGURE OUTPUT ${file} CONTENT
"#include \"xb/backend.h\"\n\n@externs@\nconst xb_backend *const xb_builtin_backends[] = {@entries@NULL};\n" @ONLY)
  add_library(xb STATIC ${file} $<TARGET_OBJECTS:xb_core_objects>)
  target_include_directories(xb PUBLIC ${CMAKE_SOURCE_DIR}/core/include)
  target_link_libraries(xb PRIVATE xb_compile)
  foreach(name IN LISTS XB_BACKENDS)
    target_link_libraries(xb PRIVATE xb_backend_${name})
  endforeach()
endfunction()
