# Kernels and shaders, as files that programs embed. They are compiled, or copied from another build folder if
# XB_DEVICE_CODE names one: they do not depend on the host compiler.
set(XB_DEVICE_CODE "" CACHE PATH "A build folder from which compiled kernels and shaders are copied instead of compiling them \
again. Its configuration may differ in the host compiler and its flags only. Each build of this folder updates it.")
if(XB_DEVICE_CODE AND NOT EXISTS ${XB_DEVICE_CODE}/CMakeCache.txt)
  message(FATAL_ERROR "XB_DEVICE_CODE is ${XB_DEVICE_CODE}, which is not a build folder: configure it first, or omit "
                      "the option")
endif()
if(XB_DEVICE_CODE AND NOT CMAKE_GENERATOR MATCHES "Ninja")
  message(FATAL_ERROR "XB_DEVICE_CODE needs Ninja, not ${CMAKE_GENERATOR}: add -G Ninja, or omit the option")
endif()
if(CMAKE_CROSSCOMPILING AND NOT XB_DEVICE_CODE)
  message(FATAL_ERROR "a build for another system takes its kernels and shaders from one for this machine: add "
                      "-DXB_DEVICE_CODE=FOLDER, with the folder of such a build")
endif()
set_property(GLOBAL PROPERTY XB_TAKEN "")

# xb_compile_command(...): add_custom_command(...) with a DEPFILE that Ninja reads as it is: it names the output as xb_depfile_target says.
# With the newer policy, CMake starts itself after each command to rewrite that file, for as long as a small shader takes to compile.
function(xb_compile_command)
  set(CMAKE_WARN_DEPRECATED OFF) # of policies
  cmake_policy(SET CMP0116 OLD)
  add_custom_command(${ARGV} VERBATIM)
endfunction()

function(xb_depfile_target output out)
  file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${output})
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# xb_device_code(OUTPUTS ...): add_custom_command(OUTPUT OUTPUTS ...), or copies of these files from the other build folder.
function(xb_device_code outputs)
  if(NOT XB_DEVICE_CODE)
    xb_compile_command(OUTPUT ${outputs} ${ARGN})
    return()
  endif()
  foreach(output IN LISTS outputs)
    file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${output})
    set_property(GLOBAL APPEND PROPERTY XB_TAKEN ${name})
  endforeach()
endfunction()

# Call once, after the last xb_device_code. One command copies all files, so that each build runs the other folder's build
# once. Unchanged files are not copied.
function(xb_take_device_code)
  if(NOT XB_DEVICE_CODE)
    return()
  endif()
  get_property(names GLOBAL PROPERTY XB_TAKEN)
  set(list ${CMAKE_BINARY_DIR}/generated/device_code)
  list(JOIN names "\n" text)
  file(CONFIGURE OUTPUT ${list} CONTENT "@text@\n" @ONLY)
  list(TRANSFORM names PREPEND ${CMAKE_BINARY_DIR}/ OUTPUT_VARIABLE outputs)
  add_custom_target(xb_device_code ALL
    COMMAND ${CMAKE_COMMAND} -DFROM=${XB_DEVICE_CODE} -DTO=${CMAKE_BINARY_DIR} -DLIST=${list}
            -P ${CMAKE_SOURCE_DIR}/cmake/TakeDeviceCode.cmake
    BYPRODUCTS ${outputs}
    COMMENT "Kernels and shaders from ${XB_DEVICE_CODE}"
    VERBATIM)
endfunction()
