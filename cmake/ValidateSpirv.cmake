# Fails, and deletes MODULE, if SPIRV_VAL refuses it. If ALLOW_NEWER is set, a module is accepted that has words which
# spirv-val does not know: they may be newer than it.
execute_process(COMMAND ${SPIRV_VAL} --target-env vulkan1.1 ${MODULE} ERROR_VARIABLE said RESULT_VARIABLE failed)
set(unknown FALSE)
if(said MATCHES "Invalid (opcode: |extended instruction |[a-zA-Z0-9 ]+ operand: )")
  set(unknown TRUE)
endif()
if(failed AND unknown AND ALLOW_NEWER)
  message(STATUS "${MODULE} is not validated: spirv-val is too old: ${said}")
elseif(failed)
  file(REMOVE ${MODULE})
  if(unknown)
    execute_process(COMMAND ${SPIRV_VAL} --version OUTPUT_VARIABLE version)
    string(REGEX MATCH "SPIRV-Tools [^ \n]+" version "${version}")
    string(APPEND said "This spirv-val (${version}) is too old for this module: install a newer one (spirv-tools), or "
                       "configure with -DXB_ALLOW_NEWER_SPIRV=ON to skip the validation of such modules")
  endif()
  message(FATAL_ERROR "${MODULE}: ${said}")
endif()
