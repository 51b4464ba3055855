# Fails, and deletes MODULE, if SPIRV_VAL refuses it, or if it declares a builtin twice, which only newer validators refuse. If ALLOW_NEWER is set, a module is accepted that has words which
# spirv-val does not know: they may be newer than it.
if(NOT ENVIRONMENT)
  set(ENVIRONMENT vulkan1.1)
endif()
execute_process(COMMAND ${SPIRV_VAL} --target-env ${ENVIRONMENT} ${MODULE} ERROR_VARIABLE said RESULT_VARIABLE failed)
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

# OpDecorate ID BuiltIn NUMBER, as the file has it: 47000400, the id, 0b000000, the number.
file(READ ${MODULE} code HEX)
string(REGEX MATCHALL "47000400........0b000000........" builtins "${code}")
list(TRANSFORM builtins REPLACE "^47000400........0b000000" "")
set(once "${builtins}")
list(REMOVE_DUPLICATES once)
if(NOT "${once}" STREQUAL "${builtins}")
  file(REMOVE ${MODULE})
  message(FATAL_ERROR "${MODULE}: declares a builtin twice, and Vulkan allows one declaration: glslang does so if two functions call "
                      "WaveGetLaneCount or WaveGetLaneIndex. Call them in the entry point only, and pass the values on")
endif()
