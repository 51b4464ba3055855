# CUDA sources that nvcc compiles although the program's kernels are compiled by NVRTC: warnings are errors, and the code is not used.
# So a build without nvcc's code still refuses a source that nvcc would refuse, and those that did not change need not be compiled again.
set(XB_CHECK_CUDA "" CACHE STRING "Sources that nvcc compiles in a build whose kernels NVRTC compiles: all, or a commit: those that \
changed since it")
if(XB_HAVE_NVCC OR NOT XB_NVCC OR NOT XB_CHECK_CUDA)
  return()
endif()

# xb_changed_since(COMMIT OUT): the files that differ from it, also those not committed; all if git does not know it.
function(xb_changed_since commit out)
  set(${out} all PARENT_SCOPE)
  execute_process(COMMAND git diff --name-only ${commit} -- WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE changed
                  RESULT_VARIABLE failed ERROR_QUIET)
  execute_process(COMMAND git ls-files --others --exclude-standard WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE new
                  RESULT_VARIABLE failed_too ERROR_QUIET)
  if(NOT failed AND NOT failed_too)
    string(REPLACE "\n" ";" changed "${changed}${new}")
    set(${out} "${changed}" PARENT_SCOPE)
  endif()
endfunction()

# xb_includes_any(FILE CHANGED OUT): is FILE, or a header that it includes, itself or through others, one of CHANGED?
function(xb_includes_any file changed out)
  set(${out} FALSE PARENT_SCOPE)
  set(seen "")
  set(open ${file})
  while(open)
    list(POP_FRONT open path)
    list(APPEND seen ${path})
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${path})
    if(name IN_LIST changed)
      set(${out} TRUE PARENT_SCOPE)
      return()
    endif()
    file(STRINGS ${path} lines REGEX "^ *# *include *\"")
    cmake_path(GET path PARENT_PATH own)
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" header "${line}")
      foreach(folder ${own} ${CMAKE_SOURCE_DIR}/core/include ${CMAKE_SOURCE_DIR}/kernels ${CMAKE_SOURCE_DIR}/bench
                     ${CMAKE_SOURCE_DIR}/bench/guide ${CMAKE_SOURCE_DIR}/tests/shaders ${XB_ARGUMENT_FOLDERS})
        cmake_path(SET found NORMALIZE ${folder}/${header})
        if(EXISTS ${found} AND NOT found IN_LIST seen)
          list(APPEND open ${found})
        endif()
      endforeach()
    endforeach()
  endwhile()
endfunction()

# xb_check_cuda(SOURCE OUTPUT FLAG...)
function(xb_check_cuda source output)
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  xb_nvcc_flags_of(flags ${source})
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
  xb_depfile_target(${output} target)
  xb_compile_command(OUTPUT ${output}
    COMMAND ${XB_NVCC} ${flags} -I${CMAKE_SOURCE_DIR}/core/include ${ARGN} -MD -MF ${output}.d -MT ${target} ${source} -o ${output}
    DEPENDS ${source}
    DEPFILE ${output}.d
    COMMENT "CUDA ${shown}")
  set_property(GLOBAL APPEND PROPERTY XB_CHECKED_CUDA ${output})
endfunction()

# Call once, after all tables of benchmarks were read: their kernels' entries are written by then.
function(xb_check_cuda_sources)
  set(changed all)
  if(NOT XB_CHECK_CUDA STREQUAL "all")
    xb_changed_since(${XB_CHECK_CUDA} changed)
  endif()
  if("cmake/XbKernels.cmake" IN_LIST changed OR "cmake/XbCheckCuda.cmake" IN_LIST changed) # its flags
    set(changed all)
  endif()
  list(TRANSFORM XB_ARGUMENT_FOLDERS PREPEND -I OUTPUT_VARIABLE arguments)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/*/*.cu ${CMAKE_SOURCE_DIR}/bench/benchmarks/*/*.cu
       ${CMAKE_SOURCE_DIR}/tests/kernels/*.cu ${CMAKE_SOURCE_DIR}/tests/signatures/*.cu ${CMAKE_SOURCE_DIR}/tests/lost/*.cu
       ${CMAKE_SOURCE_DIR}/tests/wrong_ports/*.cu)
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${source})
    cmake_path(GET name PARENT_PATH folder)
    cmake_path(GET folder FILENAME family)
    if(NOT changed STREQUAL "all" AND NOT "bench/benchmarks/${family}/variants.def" IN_LIST changed)
      xb_includes_any(${source} "${changed}" touched)
      if(NOT touched)
        continue()
      endif()
    endif()
    set(output ${CMAKE_BINARY_DIR}/checked/${name})
    if(folder MATCHES "^kernels/")
      xb_check_cuda(${source} ${output}.fatbin -fatbin ${arguments} -I${CMAKE_SOURCE_DIR}/kernels
                    -I${CMAKE_SOURCE_DIR}/bench/guide -I${CMAKE_BINARY_DIR}/${folder})
    elseif(folder MATCHES "^bench/")
      xb_check_cuda(${source} ${output}.o -c -Xcompiler -fPIC -I${CMAKE_SOURCE_DIR}/bench)
    else()
      xb_check_cuda(${source} ${output}.fatbin -fatbin -I${CMAKE_SOURCE_DIR}/tests/shaders)
      if(family STREQUAL "wrong_ports")
        xb_check_cuda(${source} ${output}.wrong.fatbin -fatbin -DWRONG=1)
      endif()
    endif()
  endforeach()
  get_property(outputs GLOBAL PROPERTY XB_CHECKED_CUDA)
  list(LENGTH outputs count)
  message(STATUS "nvcc compiles ${count} CUDA sources to check them")
  add_custom_target(xb_check_cuda ALL DEPENDS ${outputs})
endfunction()
