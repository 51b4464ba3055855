# The markers that lay the sources out for `xbench show`, held against each other. Paths are from the root.

# xb_read_markers(FILE FOUND): those of a file, in order: "// [load] ...", and "/* [dispatch] ..." at the start of a line.
function(xb_read_markers file found)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  file(READ ${CMAKE_SOURCE_DIR}/${file} text)
  string(REGEX MATCHALL "\n( *//|/\\*) \\[[a-z][a-z0-9 ]*\\]" markers "\n${text}")
  list(TRANSFORM markers REPLACE "^[^[]*\\[(.*)\\]$" "\\1")
  set(${found} "${markers}" PARENT_SCOPE)
endfunction()

# Fails, naming the file, where twins do not carry the same ones in the same order.
function(xb_check_markers kernel shader)
  xb_read_markers(${kernel} in_kernel)
  xb_read_markers(${shader} in_shader)
  if("${in_kernel}" STREQUAL "")
    message(FATAL_ERROR "${kernel} has no marker: mark its parts, as in `// [load] ...`, and those of ${shader} alike")
  endif()
  if(NOT "${in_kernel}" STREQUAL "${in_shader}")
    message(FATAL_ERROR "${shader} has the markers [${in_shader}], its twin ${kernel} has [${in_kernel}]: twins carry the "
                        "same ones in the same order")
  endif()
endfunction()
