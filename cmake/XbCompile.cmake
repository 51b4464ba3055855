# How every C file of the project is compiled: one interface target that all others link.
add_library(xb_compile INTERFACE)
target_compile_options(xb_compile INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wstrict-prototypes;-Wvla>
  $<$<AND:$<BOOL:${XB_WERROR}>,$<COMPILE_LANGUAGE:C>>:-Werror>)
target_compile_definitions(xb_compile INTERFACE _XOPEN_SOURCE=700)
if(XB_SANITIZE)
  target_compile_options(xb_compile INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-fsanitize=${XB_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
  target_link_options(xb_compile INTERFACE -fsanitize=${XB_SANITIZE})
endif()
# The fuzzer sees which ways through the host code an input takes; its own main comes with the programs of tests/fuzz.
if(XB_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "XB_FUZZ needs clang: cmake --preset fuzz")
  endif()
  target_compile_options(xb_compile INTERFACE $<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link>)
endif()
