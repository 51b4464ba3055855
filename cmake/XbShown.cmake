# The sources that `xbench show` prints: they are embedded unchanged, under their paths. It aligns twins by their markers, so
# these are checked here. Configuring fails with the file's name if twins have different markers or another order of them, or
# if a topic is marked in one backend only. A source in another language is shown alone.
include(XbMarkers)
set(XB_SHOWN_BLOBS "")
set(shown "")

foreach(source IN LISTS XB_VARIANT_SOURCES XB_GUIDE_PAIRS)
  xb_check_markers(kernels/${source}.cu shaders/${source}.hlsl)
  foreach(code IN LISTS XB_LANGUAGES)
    xb_get_language(${code})
    if(EXISTS ${CMAKE_SOURCE_DIR}/${language_FOLDER}/${source}.${language_EXTENSION})
      list(APPEND shown ${language_FOLDER}/${source}.${language_EXTENSION})
    endif()
  endforeach()
endforeach()

# The host side: the backends' files with markers, in reading order.
foreach(code IN LISTS XB_LANGUAGES)
  xb_get_language(${code})
  set(backend ${language_BACKEND})
  set(files "")
  foreach(name memory kernel commands descriptors graph stream)
    list(APPEND files backend_${backend}/${name}.c)
  endforeach()
  file(GLOB all CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/backend_${backend}/*.c)
  list(APPEND files ${all})
  list(REMOVE_DUPLICATES files)
  set(topics_${backend} "")
  foreach(file IN LISTS files)
    if(file IN_LIST all)
      xb_read_markers(${file} markers)
      if(NOT "${markers}" STREQUAL "")
        list(APPEND topics_${backend} ${markers})
        list(APPEND shown ${file})
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES topics_${backend})
  list(SORT topics_${backend})
endforeach()
if(NOT topics_cuda STREQUAL topics_vulkan)
  message(FATAL_ERROR "backend_cuda/ marks [${topics_cuda}], backend_vulkan/ marks [${topics_vulkan}]: mark the same "
                      "topics in both")
endif()

# To show twins that have no row, as FOLDER/NAME, add their files to this list.
file(GLOB more CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${XB_BENCHMARK_FOLDER}/*/*.h
     ${XB_BENCHMARK_FOLDER}/*/*.cu ${CMAKE_SOURCE_DIR}/kernels/*.cuh
     ${CMAKE_SOURCE_DIR}/kernels/guide/*.cuh ${CMAKE_SOURCE_DIR}/bench/guide/guide_args.h
     ${CMAKE_SOURCE_DIR}/bench/guide/guide_layout.h)
list(APPEND shown core/include/xb/abi.h ${more})
foreach(benchmark IN LISTS XB_BENCHMARKS)
  list(APPEND shown bench/benchmarks/${benchmark}/${benchmark}.c)
endforeach()
list(REMOVE_DUPLICATES shown) # two languages may have one folder
foreach(path IN LISTS shown)
  list(APPEND XB_SHOWN_BLOBS ${path}=${CMAKE_SOURCE_DIR}/${path})
endforeach()

# xb_write_source_hashes(FILE): the table of bench/show/languages.h, of each kernel in each language. What of the compilers' macros
# is the same for all compilers of a language is known: bench/source/conditions.c reads conditions by it.
function(xb_write_source_hashes file)
  set(known_fatbin -D__CUDACC__ -D__cplusplus -UXB_GLSLC -U__HLSL_VERSION -U__SLANG__ -U__spirv__)
  set(known_cpu ${known_fatbin})
  set(known_spv -D__HLSL_VERSION -D__spirv__ -U__CUDACC__ -U__CUDA_ARCH__ -U__cplusplus)
  set(known_dxil -D__HLSL_VERSION -UXB_GLSLC -U__SLANG__ -U__spirv__ -U__CUDACC__ -U__CUDA_ARCH__ -U__cplusplus)
  set(text "")
  get_property(codes GLOBAL PROPERTY XB_SOURCE_LANGUAGES)
  foreach(code IN LISTS codes)
    get_property(where GLOBAL PROPERTY XB_SOURCE_${code})
    list(GET where 0 folder)
    list(GET where 1 extension)
    string(APPEND text "language ${code}\n")
    foreach(flag IN LISTS known_${code} ITEMS -Icore/include -Ikernels -Ishaders -Ibench -Ibench/guide)
      string(APPEND text "flag ${flag}\n")
    endforeach()
    foreach(benchmark IN LISTS XB_BENCHMARKS)
      string(APPEND text "flag -Ibench/benchmarks/${benchmark}\n")
    endforeach()
    foreach(path IN LISTS shown)
      if(path MATCHES "^(${folder}|bench/benchmarks)/.*[.]${extension}$")
        string(APPEND text "file ${path}\n")
      endif()
    endforeach()
  endforeach()
  set(list ${CMAKE_BINARY_DIR}/generated/source_hashes.txt)
  file(CONFIGURE OUTPUT ${list} CONTENT "@text@" @ONLY)
  if(CMAKE_CROSSCOMPILING)
    xb_device_code(${file})
    return()
  endif()
  set(bench ${CMAKE_SOURCE_DIR}/bench)
  add_executable(xb_source_hashes EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/cmake/embed/source_hashes.c
    ${bench}/source/fingerprint.c ${bench}/source/conditions.c ${bench}/source/declarations.c ${bench}/source/includes.c
    ${bench}/source/tokens.c ${bench}/base/arena.c ${bench}/base/safe_text.c ${bench}/base/whole_file.c ${bench}/base/word_list.c)
  target_include_directories(xb_source_hashes PRIVATE ${bench})
  target_link_libraries(xb_source_hashes PRIVATE xb xb_compile)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/*.cuh ${CMAKE_SOURCE_DIR}/shaders/*.h)
  list(TRANSFORM shown PREPEND ${CMAKE_SOURCE_DIR}/)
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E chdir ${CMAKE_SOURCE_DIR} $<TARGET_FILE:xb_source_hashes> ${list} ${file}
    DEPENDS xb_source_hashes ${list} ${shown} ${headers} COMMENT "Hashes of sources" VERBATIM)
endfunction()
