# Compiles HLSL to SPIR-V, with glslc (the default, a Debian package) or DXC. Neither has words for cooperative matrices, and
# glslc none for halves and products of bytes: shaders that have them are compiled by slangc, and left out without it.
xb_add_language(spv BACKEND vulkan NAME HLSL FOLDER shaders EXTENSION hlsl SIDE 1)
set(XB_HLSL_COMPILER glslc CACHE STRING "Compiler of the HLSL shaders: glslc or dxc")
set_property(CACHE XB_HLSL_COMPILER PROPERTY STRINGS glslc dxc)
if(NOT XB_HLSL_COMPILER MATCHES "^(glslc|dxc)$")
  message(FATAL_ERROR "XB_HLSL_COMPILER is '${XB_HLSL_COMPILER}', expected glslc or dxc")
endif()

if(XB_DEVICE_CODE) # results name the compiler
  load_cache(${XB_DEVICE_CODE} READ_WITH_PREFIX taken_ XB_HLSL_COMPILER)
  if(NOT taken_XB_HLSL_COMPILER STREQUAL XB_HLSL_COMPILER)
    message(FATAL_ERROR "XB_DEVICE_CODE is ${XB_DEVICE_CODE}, whose shaders ${taken_XB_HLSL_COMPILER} compiles, but "
                        "XB_HLSL_COMPILER is ${XB_HLSL_COMPILER}: configure both alike")
  endif()
endif()

find_program(XB_glslc glslc)
find_program(XB_dxc dxc HINTS ${CMAKE_SOURCE_DIR}/build/tools/dxc DOC "Also checks shaders for Direct3D 12")
find_program(XB_slangc slangc HINTS ${CMAKE_SOURCE_DIR}/build/tools/slang DOC "Compiles shaders with cooperative matrices")
find_program(XB_SPIRV_VAL spirv-val)
find_program(XB_SPIRV_DIS spirv-dis)
find_program(XB_SPIRV_AS spirv-as DOC "Used by a test")
if(NOT XB_${XB_HLSL_COMPILER})
  message(FATAL_ERROR "${XB_HLSL_COMPILER} was not found: install it (glslc: apt-get install glslc; dxc: "
                      "script/fetch dxc, or the DirectX Shader Compiler's releases)")
endif()
if(NOT XB_SPIRV_VAL OR NOT XB_SPIRV_DIS)
  message(FATAL_ERROR "spirv-val and spirv-dis were not found: install them (Debian: apt-get install spirv-tools)")
endif()

option(XB_ALLOW_NEWER_SPIRV "Accept modules that spirv-val is too old for, without validation" OFF)
option(XB_SKIP_FAILED_SHADERS "Skip a shader that its compiler rejects, instead of failing" OFF)
if(DEFINED XB_LEAVE_OUT_REFUSED) # the former name
  set(XB_SKIP_FAILED_SHADERS ${XB_LEAVE_OUT_REFUSED})
endif()

# The compiler and its version, as results name it.
execute_process(COMMAND ${XB_${XB_HLSL_COMPILER}} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "[\n].*" "" version "${version}")
set(XB_SHADER_COMPILER "${XB_HLSL_COMPILER} ${version}")

set(XB_glslc_FLAGS -x hlsl -fshader-stage=compute --target-env=vulkan1.1 -O -DXB_GLSLC=1)
# Without -fspv-extension, sums over a wave use an extension of NVIDIA.
set(XB_dxc_FLAGS -spirv -fspv-target-env=vulkan1.1 -fspv-extension=KHR -T cs_6_0 -O3)
# Cooperative matrices need buffers in the storage class of SPIR-V 1.4 and later.
set(XB_slangc_FLAGS -lang hlsl -target spirv -profile spirv_1_5 -stage compute -O0 -fvk-use-entrypoint-name
                    -warnings-disable 41012 -D__HLSL_VERSION=2021 -D__spirv__=1)
set(XB_SHADER_FLAGS ${XB_${XB_HLSL_COMPILER}_FLAGS})

# Folders of the argument structs that kernels and shaders share with their benchmarks.
file(GLOB XB_ARGUMENT_FOLDERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/benchmarks/*/*_args.h)
list(TRANSFORM XB_ARGUMENT_FOLDERS REPLACE "/[^/]*$" "")
list(REMOVE_DUPLICATES XB_ARGUMENT_FOLDERS)

# xb_needs_slangc(SOURCE OUT): true if the shader has words that glslc lacks: cooperative matrices, halves, products of bytes.
function(xb_needs_slangc source out)
  file(STRINGS ${source} matrices REGEX "coopMatMulAdd|TENSOR_BFLOAT16|<half, 2>|DOT_OPERATIONS")
  set(${out} FALSE PARENT_SCOPE)
  if(matrices)
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# xb_spirv_rules(SOURCE SLANGC OUT): what cmake/make_spirv.sh checks of a module of that source. If the source has globallycoherent or
# DeviceMemoryBarrier, the SPIR-V must have Coherent memory; without it, the fence has no effect outside the group. (glslang 12 loses
# globallycoherent if buffers share an element type.) XB_UNCHECKED_COHERENCE is for tests of this check.
function(xb_spirv_rules source slangc out)
  set(rules spirv_val=${XB_SPIRV_VAL} environment=vulkan1.1 allow_newer=${XB_ALLOW_NEWER_SPIRV})
  if(slangc) # newer than the spirv-val of Debian 12
    set(rules spirv_val=${XB_SPIRV_VAL} environment=vulkan1.2 allow_newer=ON)
  endif()
  file(STRINGS ${source} coherent REGEX "^[^/]*(globallycoherent|DeviceMemoryBarrier *\\()")
  if(coherent AND NOT XB_UNCHECKED_COHERENCE)
    list(APPEND rules "coherent='${CMAKE_COMMAND}' '-DSPIRV_DIS=${XB_SPIRV_DIS}' \"-DMODULE=$module\" '-DSOURCE=${source}' \
-P '${CMAKE_SOURCE_DIR}/cmake/CheckCoherent.cmake'")
  endif()
  if(XB_SKIP_FAILED_SHADERS)
    string(REPLACE "shaderc " "" compiler "${XB_SHADER_COMPILER}")
    if(slangc)
      set(compiler slangc)
    endif()
    list(APPEND rules "left_out=${compiler}")
  endif()
  set(${out} ${rules} PARENT_SCOPE)
endfunction()

# What each module depends on. The compilers' own lists have more.
file(GLOB XB_SHADER_HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/include/xb/abi.h ${CMAKE_SOURCE_DIR}/bench/benchmarks/*/*_args.h
     ${CMAKE_SOURCE_DIR}/bench/guide/guide_*.h)
list(APPEND XB_SHADER_HEADERS ${CMAKE_SOURCE_DIR}/cmake/make_spirv.sh)
set(XB_SHADER_INCLUDES ${XB_ARGUMENT_FOLDERS})
list(TRANSFORM XB_SHADER_INCLUDES PREPEND -I)
list(PREPEND XB_SHADER_INCLUDES -I${CMAKE_SOURCE_DIR}/core/include -I${CMAKE_SOURCE_DIR}/bench/guide)

# xb_compile_hlsl(SOURCE OUTPUT ENTRY [NAME=VALUE...]): one module, by XB_HLSL_COMPILER, validated by spirv-val.
function(xb_compile_hlsl source output entry)
  xb_needs_slangc(${source} slangc)
  xb_spirv_rules(${source} ${slangc} rules)
  set(options ${ARGN})
  list(TRANSFORM options PREPEND -D)
  list(APPEND options ${XB_SHADER_INCLUDES})
  xb_depfile_target(${output} target)
  set(depfile DEPFILE ${output}.d)
  if(slangc)
    set(compile ${XB_slangc} ${XB_slangc_FLAGS} -entry ${entry} ${options} -depfile ${output}.d ${source} -o ${output})
  elseif(XB_HLSL_COMPILER STREQUAL glslc)
    set(compile ${XB_glslc} ${XB_glslc_FLAGS} -fentry-point=${entry} ${options} -MD -MF ${output}.d -MT ${target} ${source} -o ${output})
  else()
    set(compile ${XB_dxc} ${XB_dxc_FLAGS} -E ${entry} ${options} -Fo ${output} ${source})
    set(depfile "")
  endif()
  if(depfile)
    list(APPEND rules target=${target})
  endif()
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
  list(JOIN ARGN " " defined)
  xb_device_code(${output}
    COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/make_spirv.sh module=${output} ${rules} -- ${compile}
    DEPENDS ${source} ${XB_SHADER_HEADERS}
    ${depfile}
    COMMENT "HLSL ${shown} ${defined}")
endfunction()

# xb_compile_hlsl_modules(SOURCE ENTRY FOLDER NAME...): FOLDER/NAME.spv ... by one start of glslc. FOLDER/NAME.hlsl has the module's macros,
# and includes the source.
function(xb_compile_hlsl_modules source entry folder)
  xb_spirv_rules(${source} FALSE rules)
  list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE files)
  list(TRANSFORM files APPEND .spv OUTPUT_VARIABLE outputs)
  list(TRANSFORM files APPEND .hlsl)
  list(TRANSFORM ARGN APPEND .spv)
  list(JOIN ARGN " " modules)
  list(GET outputs 0 first)
  xb_depfile_target(${first} target)
  file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
  xb_device_code("${outputs}"
    COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/make_spirv.sh "modules=${modules}" ${rules} target=${target} depfile=${first}s.d
            -- ${XB_glslc} ${XB_glslc_FLAGS} -fentry-point=${entry} ${XB_SHADER_INCLUDES} -I${CMAKE_SOURCE_DIR} -MD -c
    WORKING_DIRECTORY ${folder}
    DEPENDS ${source} ${files} ${XB_SHADER_HEADERS}
    DEPFILE ${first}s.d
    COMMENT "HLSL ${shown}")
endfunction()

# One module for each element type and group size.
function(xb_compile_spv source file benchmark dtypes blocks blobs)
  set(made "")
  xb_needs_slangc(${file} matrices)
  if(matrices AND NOT XB_slangc)
    message(STATUS "shaders/${source}.hlsl is left out: slangc was not found (script/fetch slang)")
    set(left_out ${CMAKE_BINARY_DIR}/shaders/no_slangc.txt)
    file(CONFIGURE OUTPUT ${left_out} CONTENT "left out: this build found no slangc, which compiles this shader: script/fetch slang")
  else()
    set(left_out "")
  endif()
  cmake_path(GET source FILENAME name)
  set(folder ${CMAKE_BINARY_DIR}/shaders/${benchmark})
  file(MAKE_DIRECTORY ${folder})
  set(modules "")
  foreach(dtype IN LISTS dtypes)
    string(TOUPPER ${dtype} macro)
    foreach(block IN LISTS blocks)
      set(module ${folder}/${name}.${dtype}.${block}.spv)
      if(left_out)
        set(module ${left_out})
      elseif(NOT matrices AND XB_HLSL_COMPILER STREQUAL glslc)
        file(CONFIGURE OUTPUT ${folder}/${name}.${dtype}.${block}.hlsl CONTENT "#define XB_${macro} 1\n#define BLOCK ${block}\n#include \"shaders/${source}.hlsl\"\n" @ONLY)
        list(APPEND modules ${name}.${dtype}.${block})
      else()
        xb_compile_hlsl(${file} ${module} ${benchmark} XB_${macro}=1 BLOCK=${block})
      endif()
      list(APPEND made ${source}.${dtype}.${block}.spv=${module})
    endforeach()
  endforeach()
  if(modules)
    xb_compile_hlsl_modules(${file} ${benchmark} ${folder} ${modules})
  endif()
  set(${blobs} ${made} PARENT_SCOPE)
endfunction()
