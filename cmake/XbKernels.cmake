# Compiles CUDA C++ to fat binaries, if XB_HAVE_NVCC. Else the program compiles its kernels by NVRTC when a run needs them
# (bench/compile/first_run.c).
set(XB_NVCC_CODE_FLAGS -O3 -std=c++17 -lineinfo)
xb_add_language(fatbin BACKEND cuda NAME CUDA FOLDER kernels EXTENSION cu SIDE 0)
set(XB_CUDA_KERNELS "" CACHE STRING "Kernels are compiled by nvcc, when the program is built, or by nvrtc, at first run; empty: \
by nvcc if it is found")
set_property(CACHE XB_CUDA_KERNELS PROPERTY STRINGS "" nvcc nvrtc)

# xb_write_entries(FOLDER DTYPES BLOCKS): writes FOLDER/entries.h, the table of entry points for kernels/entry.cuh.
function(xb_write_entries folder dtypes blocks)
  set(table "")
  foreach(dtype IN LISTS dtypes)
    foreach(block IN LISTS blocks)
      string(APPEND table " \\\n  X(${dtype}, ${block}, __VA_ARGS__)")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/entries.h CONTENT "#define XB_ENTRY_TABLE(X, ...)@table@\n" @ONLY)
endfunction()

if(NOT XB_CUDA_KERNELS MATCHES "^(nvcc|nvrtc|)$")
  message(FATAL_ERROR "XB_CUDA_KERNELS is ${XB_CUDA_KERNELS}: nvcc or nvrtc")
endif()
find_program(XB_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
mark_as_advanced(XB_NVCC)
set(XB_HAVE_NVCC FALSE) # the program's kernels are compiled by it
if(XB_NVCC AND NOT XB_CUDA_KERNELS STREQUAL "nvrtc")
  set(XB_HAVE_NVCC TRUE)
elseif(XB_CUDA_KERNELS STREQUAL "nvcc")
  message(FATAL_ERROR "XB_CUDA_KERNELS is nvcc: install the CUDA toolkit, 12.0 or newer, and configure again")
else()
  message(STATUS "CUDA kernels are compiled at first run, by NVRTC")
endif()
if(NOT XB_NVCC)
  return()
endif()

execute_process(COMMAND ${XB_NVCC} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "release ([0-9.]+), V([0-9.]+)")
  message(FATAL_ERROR "${XB_NVCC} --version does not print its version")
endif()
set(XB_NVCC_VERSION ${CMAKE_MATCH_2})

# xb_native_architectures(OUT KNOWN ELSE): those of this machine's GPUs; ELSE if nvcc does not know one. Without a GPU the first of
# ELSE: no kernel runs here, and one architecture shows that all compile.
function(xb_native_architectures out known else)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE here ERROR_QUIET
                  RESULT_VARIABLE failed)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" here "${here}")
  list(TRANSFORM here REPLACE "\\." "")
  list(REMOVE_DUPLICATES here)
  list(SORT here COMPARE NATURAL)
  set(unknown ${here})
  list(REMOVE_ITEM unknown ${known})
  if(failed OR NOT here)
    list(GET else 0 here)
  elseif(unknown)
    set(here ${else})
  endif()
  message(STATUS "Kernels are compiled for the compute capabilities ${here}")
  set(${out} ${here} PARENT_SCOPE)
endfunction()

execute_process(COMMAND ${XB_NVCC} --list-gpu-arch OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9]+[a-z]?" known "${known}")
set(wanted 75 80 86 89 90 100 120)
foreach(architecture IN LISTS wanted)
  if(NOT architecture IN_LIST known)
    list(REMOVE_ITEM wanted ${architecture})
  endif()
endforeach()
set(XB_CUDA_ARCHITECTURES "${wanted}" CACHE STRING
    "Compute capabilities to compile machine code for, or native: those of this machine's GPUs; the last one also as PTX")
if(XB_CUDA_ARCHITECTURES STREQUAL "native")
  xb_native_architectures(XB_CUDA_ARCHITECTURES "${known}" "${wanted}")
endif()

set(XB_NVCC_FLAGS ${XB_NVCC_CODE_FLAGS})
foreach(architecture IN LISTS XB_CUDA_ARCHITECTURES)
  if(NOT architecture IN_LIST known)
    message(FATAL_ERROR "XB_CUDA_ARCHITECTURES has ${architecture}, this nvcc supports: ${known}")
  endif()
  list(APPEND XB_NVCC_FLAGS -gencode arch=compute_${architecture},code=sm_${architecture})
endforeach()
list(GET XB_CUDA_ARCHITECTURES -1 newest)
list(APPEND XB_NVCC_FLAGS -gencode arch=compute_${newest},code=compute_${newest})
set(XB_NVCC_OTHER_FLAGS "")
if(XB_NVCC_VERSION VERSION_GREATER_EQUAL 13) # a tenth of the size; some drivers for older toolkits cannot decompress it
  list(APPEND XB_NVCC_OTHER_FLAGS -compress-mode=size)
endif()
if(XB_WERROR)
  list(APPEND XB_NVCC_OTHER_FLAGS -Werror all-warnings)
endif()
list(APPEND XB_NVCC_FLAGS ${XB_NVCC_OTHER_FLAGS})

# xb_nvcc_flags_of(OUT SOURCE): a line `// nvcc: FLAGS` in the source has flags of its own. A line `// machine: sm_90a` names the one
# architecture whose instructions it has.
function(xb_nvcc_flags_of out source)
  file(STRINGS ${source} own REGEX "^// nvcc: ")
  string(REGEX REPLACE "^// nvcc: " "" own "${own}")
  separate_arguments(own)
  file(STRINGS ${source} machine REGEX "^// machine: sm_")
  if(machine)
    string(REGEX REPLACE "^// machine: sm_" "" machine "${machine}")
    set(${out} ${XB_NVCC_CODE_FLAGS} -gencode arch=compute_${machine},code=sm_${machine} ${XB_NVCC_OTHER_FLAGS} ${own} PARENT_SCOPE)
  else()
    set(${out} ${XB_NVCC_FLAGS} ${own} PARENT_SCOPE)
  endif()
endfunction()

if(NOT XB_HAVE_NVCC)
  return()
endif()

# xb_compile_cuda(SOURCE OUTPUT [INCLUDE_FOLDER...]): one fat binary with all entry points of the source.
function(xb_compile_cuda source output)
  set(includes "")
  foreach(folder ${CMAKE_SOURCE_DIR}/core/include ${XB_ARGUMENT_FOLDERS} ${CMAKE_SOURCE_DIR}/kernels ${ARGN})
    list(APPEND includes -I${folder})
  endforeach()
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
  xb_nvcc_flags_of(flags ${source})
  xb_depfile_target(${output} target)
  xb_device_code(${output}
    COMMAND ${XB_NVCC} -fatbin ${flags} ${includes} -MD -MF ${output}.d -MT ${target} ${source} -o ${output}
    DEPENDS ${source}
    DEPFILE ${output}.d
    COMMENT "CUDA ${shown}")
endfunction()

# One fat binary with an entry point for each element type and group size.
function(xb_compile_fatbin source file benchmark dtypes blocks blobs)
  set(folder ${CMAKE_BINARY_DIR}/kernels/${benchmark})
  xb_write_entries(${folder} "${dtypes}" "${blocks}")
  xb_compile_cuda(${file} ${CMAKE_BINARY_DIR}/kernels/${source}.fatbin ${folder})
  set(${blobs} ${source}.fatbin=${CMAKE_BINARY_DIR}/kernels/${source}.fatbin PARENT_SCOPE)
endfunction()
