# Copies the files named in LIST, a name a line, from the build folder FROM to TO, once FROM has made them.
file(STRINGS ${LIST} names)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FROM} --target ${names} OUTPUT_VARIABLE said ERROR_VARIABLE said
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${FROM} does not have all kernels and shaders of this build. Is it configured like it?\n${said}")
endif()
foreach(name IN LISTS names)
  cmake_path(GET name PARENT_PATH folder)
  file(MAKE_DIRECTORY ${TO}/${folder})
  file(COPY_FILE ${FROM}/${name} ${TO}/${name} ONLY_IF_DIFFERENT)
endforeach()
