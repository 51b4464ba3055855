# Compiles HLSL to DXIL, the code of Direct3D 12, with DXC. Without DXC there is none.
xb_add_language(dxil BACKEND d3d12 NAME "HLSL for D3D12" FOLDER shaders EXTENSION hlsl)
if(NOT XB_dxc)
  message(STATUS "DXIL is left out: dxc was not found (script/fetch dxc)")
  return()
endif()

add_executable(xb_seal ${CMAKE_CURRENT_LIST_DIR}/dxil/seal.c ${CMAKE_CURRENT_LIST_DIR}/dxil/container.c)
target_link_libraries(xb_seal PRIVATE xb_compile m)

# xb_compile_for_d3d12(SOURCE OUTPUT ENTRY [NAME=VALUE...]): one container.
function(xb_compile_for_d3d12 source output entry)
  set(options -I${CMAKE_SOURCE_DIR}/core/include -I${CMAKE_SOURCE_DIR}/bench/guide)
  foreach(folder IN LISTS XB_ARGUMENT_FOLDERS)
    list(APPEND options -I${folder})
  endforeach()
  foreach(define IN LISTS ARGN)
    list(APPEND options -D${define})
  endforeach()
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
  file(GLOB headers ${CMAKE_SOURCE_DIR}/core/include/xb/abi.h ${CMAKE_SOURCE_DIR}/bench/benchmarks/*/*_args.h
       ${CMAKE_SOURCE_DIR}/bench/guide/guide_*.h)
  list(JOIN ARGN " " defined)
  xb_device_code(${output}
    COMMAND ${XB_dxc} ${XB_DXIL_FLAGS} -E ${entry} ${options} -Fo ${output} ${source}
    COMMAND ${XB_dxc} -P -T cs_6_0 ${options} -Fi ${output}.hlsl -Fo ${output}.hlsl ${source} 2> ${output}.log
    COMMAND ${XB_dxc} -dumpbin ${output} > ${output}.txt
    COMMAND xb_seal ${output} ${output}.hlsl ${output}.txt
    DEPENDS ${source} ${headers} xb_seal
    COMMENT "DXIL ${shown} ${defined}")
endfunction()

# One container for each element type and group size. Cooperative matrices are not in Direct3D 12; a source with a line `// dxil: none`
# asks for something else that it lacks, one with `// dxil: 256` does so in other groups.
function(xb_compile_dxil source file benchmark dtypes blocks blobs)
  set(made "")
  xb_needs_slangc(${file} matrices)
  file(STRINGS ${file} none REGEX "^// dxil: none")
  if(matrices OR none)
    set(dtypes "")
  endif()
  file(STRINGS ${file} only REGEX "^// dxil: [0-9]+")
  if(only)
    string(REGEX REPLACE "^// dxil: ([0-9]+).*" "\\1" blocks "${only}")
  endif()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/dxil/${benchmark})
  foreach(dtype IN LISTS dtypes)
    string(TOUPPER ${dtype} macro)
    foreach(block IN LISTS blocks)
      set(name ${source}.${dtype}.${block}.dxil)
      xb_compile_for_d3d12(${file} ${CMAKE_BINARY_DIR}/dxil/${name} ${benchmark} XB_${macro}=1 BLOCK=${block})
      list(APPEND made ${name}=${CMAKE_BINARY_DIR}/dxil/${name})
    endforeach()
  endforeach()
  set(${blobs} ${made} PARENT_SCOPE)
endfunction()
