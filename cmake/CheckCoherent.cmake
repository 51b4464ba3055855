# Fails unless MODULE has a Coherent decoration: SOURCE has something that needs it.
execute_process(COMMAND ${SPIRV_DIS} ${MODULE} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
if(NOT text MATCHES "Decorate [^\n]* Coherent")
  file(REMOVE ${MODULE})
  message(FATAL_ERROR "${SOURCE}: DeviceMemoryBarrier or globallycoherent, and no buffer of the SPIR-V is Coherent. Is the "
                      "word globallycoherent missing, or was it lost because another buffer of the same element type is "
                      "used before?")
endif()
