# A backend is a folder backend_NAME. Its CMakeLists.txt adds the target xb_backend_NAME, which defines the table
# `const xb_backend xb_backend_NAME`. The registry is generated, so core never names a backend.
set(XB_BACKENDS "" CACHE INTERNAL "")

function(xb_add_backend name)
  add_subdirectory(backend_${name})
  set(XB_BACKENDS ${XB_BACKENDS} ${name} CACHE INTERNAL "")
  set_property(GLOBAL APPEND_STRING PROPERTY XB_DECLARATIONS "extern const xb_backend xb_backend_${name};\n")
  set_property(GLOBAL APPEND_STRING PROPERTY XB_ENTRIES "&xb_backend_${name}, ")
endfunction()

# A backend that this build lacks. It is listed, and its functions return an error with the reason.
function(xb_leave_out_backend name title reason)
  set_property(GLOBAL APPEND_STRING PROPERTY XB_DECLARATIONS
"static xb_code ${name}_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  (void)infos, (void)capacity, (void)count;
  return xb_fail(err, XB_UNAVAILABLE, \"${name}\", \"%s\", \"${reason}\");
}

static xb_code ${name}_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  (void)desc, (void)device, (void)info;
  return xb_fail(err, XB_UNAVAILABLE, \"${name}\", \"%s\", \"${reason}\");
}

static const xb_backend ${name}_left_out = {
    .version = XB_BACKEND_VERSION, .name = \"${name}\", .about = {.title = \"${title}\"}, .enumerate = ${name}_enumerate, .device_open = ${name}_open};
")
  set_property(GLOBAL APPEND_STRING PROPERTY XB_ENTRIES "&${name}_left_out, ")
endfunction()

# The library `xb`: core, the added backends and their registry.
function(xb_write_backend_registry)
  get_property(declarations GLOBAL PROPERTY XB_DECLARATIONS)
  get_property(entries GLOBAL PROPERTY XB_ENTRIES)
  set(file ${CMAKE_BINARY_DIR}/generated/backends.c)
  file(CONFIGURE OUTPUT ${file} CONTENT
"#include \"xb/backend.h\"\n\n@declarations@
const xb_backend *const xb_builtin_backends[] = {@entries@NULL};
_Static_assert(sizeof xb_builtin_backends / sizeof *xb_builtin_backends - 1 <= XB_MAX_BACKENDS, \"too many backends\");\n" @ONLY)
  add_library(xb STATIC ${file} $<TARGET_OBJECTS:xb_core_objects>)
  target_include_directories(xb PUBLIC ${CMAKE_SOURCE_DIR}/core/include)
  target_link_libraries(xb PUBLIC xb_os PRIVATE xb_compile)
  foreach(name IN LISTS XB_BACKENDS)
    target_link_libraries(xb PRIVATE xb_backend_${name})
  endforeach()
endfunction()
