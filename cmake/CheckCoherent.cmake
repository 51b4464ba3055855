# Fails unless MODULE has a Coherent decoration, because SOURCE needs it.
execute_process(COMMAND ${SPIRV_DIS} ${MODULE} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
if(NOT text MATCHES "Decorate [^\n]* Coherent")
  file(REMOVE ${MODULE})
  message(FATAL_ERROR "${SOURCE}: DeviceMemoryBarrier or globallycoherent needs a Coherent buffer, but the SPIR-V has none: "
                      "add globallycoherent, or use this buffer before others of the same element type")
endif()
