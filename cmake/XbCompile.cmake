# Compiler options of all C files: an interface target that all other targets link.
add_library(xb_compile INTERFACE)
target_include_directories(xb_compile INTERFACE ${PROJECT_SOURCE_DIR}) # core/*.h
target_compile_options(xb_compile INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wstrict-prototypes;-Wvla>
  $<$<AND:$<BOOL:${XB_WERROR}>,$<COMPILE_LANGUAGE:C>>:-Werror>)
target_compile_definitions(xb_compile INTERFACE _XOPEN_SOURCE=700)
# A release does not depend on the folder that it is built in; other builds keep paths for debuggers.
set(xb_release $<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:C>>)
target_compile_options(xb_compile INTERFACE
  $<${xb_release}:-ffile-prefix-map=${CMAKE_BINARY_DIR}=build> $<${xb_release}:-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.>)
# Windows: the headers and functions of POSIX that MinGW lacks are in os/windows. Strict C11 would hide those that it has.
if(WIN32)
  set(CMAKE_C_EXTENSIONS ON)
  set(CMAKE_DL_LIBS xb_os)
  target_include_directories(xb_compile SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/os/windows/include)
  target_compile_options(xb_compile INTERFACE -Wno-format -Wno-format-extra-args) # it knows Microsoft's formats only
  target_compile_definitions(xb_compile INTERFACE _WIN32_WINNT=0x0A00 _FILE_OFFSET_BITS=64 __USE_MINGW_ANSI_STDIO=1)
endif()
if(XB_SANITIZE)
  target_compile_options(xb_compile INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-fsanitize=${XB_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
  target_link_options(xb_compile INTERFACE -fsanitize=${XB_SANITIZE})
  if(CMAKE_C_COMPILER_ID MATCHES Clang) # so that a leak of a library in C++ is reported with that library's name: tests/lsan.supp
    target_link_options(xb_compile INTERFACE -fsanitize-link-c++-runtime)
    target_link_libraries(xb_compile INTERFACE stdc++)
    # Functions of drivers, found by name, have the types of other headers.
    target_compile_options(xb_compile INTERFACE $<$<COMPILE_LANGUAGE:C>:-fno-sanitize=function>)
  endif()
  if(XB_SANITIZE MATCHES address)
    set(xb_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
    target_sources(xb_compile INTERFACE $<${xb_program}:${CMAKE_CURRENT_LIST_DIR}/sanitize/keep_loaded.c>)
    target_link_options(xb_compile INTERFACE $<${xb_program}:-Wl,--export-dynamic-symbol=dlclose>)
  endif()
endif()
# Coverage for the fuzzer. The programs in tests/fuzz link the fuzzer's main.
if(XB_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "XB_FUZZ needs clang: cmake --preset asan")
  endif()
  target_compile_options(xb_compile INTERFACE $<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link>)
endif()
