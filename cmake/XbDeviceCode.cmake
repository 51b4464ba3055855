# How kernels and shaders become files that programs embed: by compilers or, where XB_DEVICE_CODE names another build
# folder, from there. What nvcc and the HLSL compiler write does not depend on the compiler of the host's code.
set(XB_DEVICE_CODE "" CACHE PATH "A build folder, configured alike but for the host's compiler and its flags, whose compiled \
kernels and shaders are taken instead of compiling them again; it is brought up to date by each build of this one")
if(XB_DEVICE_CODE AND NOT EXISTS ${XB_DEVICE_CODE}/CMakeCache.txt)
  message(FATAL_ERROR "XB_DEVICE_CODE is ${XB_DEVICE_CODE}, which is no build folder: configure it first, or leave the "
                      "option out")
endif()
if(XB_DEVICE_CODE AND NOT CMAKE_GENERATOR MATCHES "Ninja")
  message(FATAL_ERROR "XB_DEVICE_CODE is for Ninja, not for ${CMAKE_GENERATOR}: add -G Ninja, or leave the option out")
endif()
set_property(GLOBAL PROPERTY XB_TAKEN "")

# xb_device_code(OUTPUT ...): add_custom_command(OUTPUT OUTPUT ...), or the same file of the other build folder.
function(xb_device_code output)
  if(NOT XB_DEVICE_CODE)
    add_custom_command(OUTPUT ${output} ${ARGN} VERBATIM)
    return()
  endif()
  file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${output})
  set_property(GLOBAL APPEND PROPERTY XB_TAKEN ${name})
endfunction()

# Once, after the last xb_device_code: one command for all files, so that the other folder is asked once a build. Files that
# are the same are left alone.
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
    COMMENT "Kernels and shaders of ${XB_DEVICE_CODE}"
    VERBATIM)
endfunction()
