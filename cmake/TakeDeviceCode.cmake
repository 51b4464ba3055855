# Builds the files named in LIST (one name per line) in the build folder FROM, and copies them to TO.
file(STRINGS ${LIST} names)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FROM} --target ${names} OUTPUT_VARIABLE said ERROR_VARIABLE said
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${FROM} cannot build all kernels and shaders of this build: configure both alike\n${said}")
endif()
foreach(name IN LISTS names)
  cmake_path(GET name PARENT_PATH folder)
  file(MAKE_DIRECTORY ${TO}/${folder})
  file(COPY_FILE ${FROM}/${name} ${TO}/${name} ONLY_IF_DIFFERENT)
endforeach()
