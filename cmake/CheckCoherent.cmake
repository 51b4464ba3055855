# Fails unless MODULE has a Coherent decoration: SOURCE says globallycoherent.
execute_process(COMMAND ${SPIRV_DIS} ${MODULE} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
if(NOT text MATCHES "Decorate [^\n]* Coherent")
  file(REMOVE ${MODULE})
  message(FATAL_ERROR "${SOURCE}: globallycoherent was lost on the way to SPIR-V; is another buffer of the same element "
                      "type used before it?")
endif()
