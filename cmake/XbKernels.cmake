# Compiles CUDA C++ to fat binaries. If nvcc is missing or XB_CUDA is OFF, the build has no CUDA: XB_HAVE_CUDA is then false
# and XB_CUDA_LEFT_OUT has the reason, in one line.
xb_add_language(fatbin BACKEND cuda NAME CUDA FOLDER kernels EXTENSION cu SIDE 0)
set(XB_CUDA AUTO CACHE STRING "CUDA backend and kernels: AUTO (if nvcc is found), ON (nvcc is required) or OFF")
set_property(CACHE XB_CUDA PROPERTY STRINGS AUTO ON OFF)

set(XB_HAVE_CUDA FALSE)
set(XB_CUDA_LEFT_OUT "")
if(XB_CUDA STREQUAL "OFF")
  set(XB_CUDA_LEFT_OUT "this build was configured with -DXB_CUDA=OFF")
else()
  find_program(XB_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
  mark_as_advanced(XB_NVCC)
  if(XB_NVCC)
    get_filename_component(nvcc ${XB_NVCC} REALPATH)
    get_filename_component(toolkit ${nvcc}/../.. ABSOLUTE)
    find_path(XB_CUDA_INCLUDE cudaTypedefs.h HINTS ${toolkit}/include ${toolkit}/targets/x86_64-linux/include)
    mark_as_advanced(XB_CUDA_INCLUDE)
  endif()
  if(XB_NVCC AND XB_CUDA_INCLUDE)
    set(XB_HAVE_CUDA TRUE)
  elseif(XB_NVCC)
    set(XB_CUDA_LEFT_OUT "this build found nvcc but not cudaTypedefs.h: install the complete CUDA toolkit, 12.0 or newer")
  else()
    set(XB_CUDA_LEFT_OUT "this build found no nvcc: install the CUDA toolkit, 12.0 or newer, and configure again")
  endif()
endif()
if(NOT XB_HAVE_CUDA)
  if(XB_CUDA STREQUAL "ON")
    message(FATAL_ERROR "XB_CUDA is ON: ${XB_CUDA_LEFT_OUT}")
  endif()
  message(STATUS "CUDA is left out: ${XB_CUDA_LEFT_OUT}")
  return()
endif()

execute_process(COMMAND ${XB_NVCC} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "release ([0-9.]+), V([0-9.]+)")
  message(FATAL_ERROR "${XB_NVCC} --version does not print its version")
endif()
set(XB_NVCC_VERSION ${CMAKE_MATCH_2})

execute_process(COMMAND ${XB_NVCC} --list-gpu-arch OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9]+[a-z]?" known "${known}")
set(wanted 75 80 86 89 90 100 120)
foreach(architecture IN LISTS wanted)
  if(NOT architecture IN_LIST known)
    list(REMOVE_ITEM wanted ${architecture})
  endif()
endforeach()
set(XB_CUDA_ARCHITECTURES "${wanted}" CACHE STRING
    "Compute capabilities to compile machine code for; the last one also as PTX")

set(XB_NVCC_FLAGS -O3 -std=c++17 -lineinfo)
foreach(architecture IN LISTS XB_CUDA_ARCHITECTURES)
  if(NOT architecture IN_LIST known)
    message(FATAL_ERROR "XB_CUDA_ARCHITECTURES has ${architecture}, this nvcc supports: ${known}")
  endif()
  list(APPEND XB_NVCC_FLAGS -gencode arch=compute_${architecture},code=sm_${architecture})
endforeach()
list(GET XB_CUDA_ARCHITECTURES -1 newest)
list(APPEND XB_NVCC_FLAGS -gencode arch=compute_${newest},code=compute_${newest})
if(XB_NVCC_VERSION VERSION_GREATER_EQUAL 13) # a tenth of the size; some drivers for older toolkits cannot decompress it
  list(APPEND XB_NVCC_FLAGS -compress-mode=size)
endif()
if(XB_WERROR)
  list(APPEND XB_NVCC_FLAGS -Werror all-warnings)
endif()

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

add_executable(xb_seal ${CMAKE_SOURCE_DIR}/backend_cuda/seal.c)
target_link_libraries(xb_seal PRIVATE xb_compile)
set_target_properties(xb_seal PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools)

# xb_compile_cuda(SOURCE OUTPUT [INCLUDE_FOLDER...]): one fat binary with all entry points of the source, and a checksum at
# its end.
function(xb_compile_cuda source output)
  set(includes "")
  foreach(folder ${CMAKE_SOURCE_DIR}/core/include ${XB_ARGUMENT_FOLDERS} ${CMAKE_SOURCE_DIR}/kernels ${ARGN})
    list(APPEND includes -I${folder})
  endforeach()
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
  xb_device_code(${output}
    COMMAND ${XB_NVCC} -fatbin ${XB_NVCC_FLAGS} ${includes} -MD -MF ${output}.d -MT ${output} ${source} -o ${output}
    COMMAND xb_seal ${output}
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
