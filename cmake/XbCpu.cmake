# Compiles CUDA C++ with the host's compiler to modules of backend_cpu. XB_HAVE_CPU is false where its fibers do not run.
set(XB_HAVE_CPU FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(XB_HAVE_CPU TRUE)
endif()
if(NOT XB_HAVE_CPU)
  set(XB_CPU_LEFT_OUT "this build is for ${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}: the emulation of CUDA runs on Linux on x86-64 only")
  return()
endif()
xb_add_language(cpu BACKEND cpu NAME "CUDA on the CPU" FOLDER kernels EXTENSION cu)
option(XB_CPU_FIRST_RUN "Kernels for the CPU are compiled when a run needs them, instead of now" OFF)
option(XB_OWN_MODULES "Compile CUDA C++ for the CPU with this build's compiler, also with XB_DEVICE_CODE" OFF)

# Those that change the code. -w: the same code is compiled by nvcc, with warnings.
set(XB_CPU_FLAGS -std=c++17 -O2 -g1 -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-exceptions -fno-rtti -fwrapv -fno-finite-loops
                 -fstack-clash-protection -pthread -w
                 -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)

# Half of the time goes into the headers, so they are compiled once. ccache does that better.
set(XB_CPU_FIRST "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND (NOT XB_DEVICE_CODE OR XB_OWN_MODULES))
  set(XB_CPU_FIRST ${CMAKE_BINARY_DIR}/cpu/first)
  file(MAKE_DIRECTORY ${XB_CPU_FIRST})
  set(first ${XB_CPU_FIRST}/cuda_runtime.h.gch)
  xb_compile_command(OUTPUT ${first}
    COMMAND ${CMAKE_CXX_COMPILER} ${XB_CPU_FLAGS} -I${CMAKE_SOURCE_DIR}/backend_cpu/cuda -I${CMAKE_SOURCE_DIR}/backend_cpu/runtime
            -MD -MF ${first}.d -MT cpu/first/cuda_runtime.h.gch -x c++-header ${CMAKE_SOURCE_DIR}/backend_cpu/cuda/cuda_runtime.h -o ${first}
    DEPENDS ${CMAKE_SOURCE_DIR}/backend_cpu/cuda/cuda_runtime.h
    DEPFILE ${first}.d
    COMMENT "CUDA for the CPU cuda_runtime.h")
  add_custom_target(xb_cpu_first DEPENDS ${first})
endif()

# Modules that are watched: a compiler's instrumentation, with functions of our own behind it (backend_cpu/cuda/watch.cpp). As
# add_watch_options() of bench/compile/cplusplus.c, which says why.
set(XB_CPU_WATCH -O1 -fno-wrapv -U_FORTIFY_SOURCE -fno-builtin-memset -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memcmp
                 -DXB_CPU_WATCHES=3 -fsanitize=thread -fsanitize=shift,signed-integer-overflow,float-cast-overflow,alignment)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND XB_CPU_WATCH -fsanitize=bounds -fno-reorder-blocks --param=tsan-distinguish-volatile=1)
else()
  list(APPEND XB_CPU_WATCH -fsanitize=array-bounds -mllvm -tsan-distinguish-volatile=1)
endif()

# Half a second, so it is compiled once; without that instrumentation.
set(XB_CPU_WATCH_OBJECT ${CMAKE_BINARY_DIR}/cpu/watch.o)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/cpu)
xb_compile_command(OUTPUT ${XB_CPU_WATCH_OBJECT}
  COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} -O2 -fPIC -fvisibility=hidden -fno-exceptions -fno-builtin -w
          -I${CMAKE_SOURCE_DIR}/backend_cpu/runtime -MD -MF ${XB_CPU_WATCH_OBJECT}.d -MT cpu/watch.o
          -c ${CMAKE_SOURCE_DIR}/backend_cpu/cuda/watch.cpp -o ${XB_CPU_WATCH_OBJECT}
  DEPENDS ${CMAKE_SOURCE_DIR}/backend_cpu/cuda/watch.cpp
  DEPFILE ${XB_CPU_WATCH_OBJECT}.d
  COMMENT "CUDA for the CPU watch.cpp")
add_custom_target(xb_cpu_watch DEPENDS ${XB_CPU_WATCH_OBJECT})

# xb_compile_module(SOURCE OUTPUT [WATCH] [ENTRIES NAME...] [INCLUDES FOLDER...]): one module with all entry points of the source. ENTRIES:
# those that the source does not list itself, as kernels/entry.cuh does.
function(xb_compile_module source output)
  cmake_parse_arguments(PARSE_ARGV 2 given "WATCH" "" "ENTRIES;INCLUDES")
  set(includes "")
  set(first "")
  if(XB_CPU_FIRST AND NOT given_WATCH)
    set(first xb_cpu_first ${XB_CPU_FIRST}/cuda_runtime.h.gch)
  endif()
  foreach(folder ${XB_CPU_FIRST} ${CMAKE_SOURCE_DIR}/backend_cpu/cuda ${CMAKE_SOURCE_DIR}/backend_cpu/runtime ${CMAKE_SOURCE_DIR}/core/include
                 ${XB_ARGUMENT_FOLDERS} ${CMAKE_SOURCE_DIR}/kernels ${given_INCLUDES})
    list(APPEND includes -I${folder})
  endforeach()
  set(entries "")
  foreach(name IN LISTS given_ENTRIES)
    string(APPEND entries "XB_CPU_ENTRY(${name}) ")
  endforeach()
  if(entries)
    set(entries "-DXB_CPU_ENTRIES=${entries}")
  endif()
  set(flags ${XB_CPU_FLAGS})
  set(watch "")
  if(given_WATCH)
    list(APPEND flags ${XB_CPU_WATCH})
    set(watch ${XB_CPU_WATCH_OBJECT})
    list(APPEND first xb_cpu_watch ${XB_CPU_WATCH_OBJECT})
  endif()
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
  xb_depfile_target(${output} target)
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  set(arguments
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} ${flags} ${includes} -include cuda_runtime.h
            "-DXB_CPU_SOURCE=\"${source}\"" ${entries} -MD -MF ${output}.d -MT ${target}
            -c ${CMAKE_SOURCE_DIR}/backend_cpu/module.cpp -o ${output}.o
    COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/link_module.sh ${CMAKE_CXX_COMPILER} ${output}.o ${output}
            ${CMAKE_SOURCE_DIR}/backend_cpu/cuda/extern_shared.cpp ${watch}
    DEPENDS ${source} ${first} ${CMAKE_SOURCE_DIR}/backend_cpu/module.cpp ${CMAKE_SOURCE_DIR}/cmake/link_module.sh
    DEPFILE ${output}.d
    COMMENT "CUDA for the CPU ${shown}")
  if(XB_OWN_MODULES)
    xb_compile_command(OUTPUT ${output} ${arguments})
  else()
    xb_device_code(${output} ${arguments})
  endif()
endfunction()

function(xb_compile_cpu source file benchmark dtypes blocks blobs)
  if(XB_CPU_FIRST_RUN)
    set(${blobs} "" PARENT_SCOPE)
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/kernels/${benchmark})
  xb_write_entries(${folder} "${dtypes}" "${blocks}")
  xb_compile_module(${file} ${CMAKE_BINARY_DIR}/cpu/${source}.so INCLUDES ${folder})
  set(${blobs} ${source}.cpu=${CMAKE_BINARY_DIR}/cpu/${source}.so PARENT_SCOPE)
endfunction()
