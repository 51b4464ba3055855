# Checks the markers that divide sources into parts for `xbench show`. Paths are relative to the root.

# xb_read_markers(FILE FOUND): the markers of a file, in order: "// [load] ...", and "/* [dispatch] ..." at a line's start.
function(xb_read_markers file found)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  file(READ ${CMAKE_SOURCE_DIR}/${file} text)
  string(REGEX MATCHALL "\n( *//|/\\*) \\[[a-z][a-z0-9 ]*\\]" markers "\n${text}")
  list(TRANSFORM markers REPLACE "^[^[]*\\[(.*)\\]$" "\\1")
  set(${found} "${markers}" PARENT_SCOPE)
endfunction()

# Fails with the file's name unless twins have the same markers in the same order.
function(xb_check_markers kernel shader)
  xb_read_markers(${kernel} in_kernel)
  xb_read_markers(${shader} in_shader)
  if("${in_kernel}" STREQUAL "")
    message(FATAL_ERROR "${kernel} has no marker: mark its parts, as in `// [load] ...`, and also those of ${shader}")
  endif()
  if(NOT "${in_kernel}" STREQUAL "${in_shader}")
    message(FATAL_ERROR "${shader} has the markers [${in_shader}], its twin ${kernel} has [${in_kernel}]: twins need "
                        "the same markers in the same order")
  endif()
endfunction()
