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
