# The build's check of modules: it accepts a valid module, and refuses others. Whether spirv-val is too old is a message of
# its own, and can be allowed. `old` acts like a spirv-val that is too old for every module.
set(old ${STEP}.old)
file(WRITE ${old} "#!/bin/sh\necho 'error: line 9: Invalid capability operand: 5568' >&2\nexit 1\n")
file(CHMOD ${old} PERMISSIONS OWNER_READ OWNER_EXECUTE)
file(WRITE ${STEP}.bad "no module")

# expect(MODULE ALLOW_NEWER VALIDATOR MESSAGE): an empty message means success.
function(expect module allow validator message)
  set(copy ${STEP}.copy)
  file(COPY_FILE ${module} ${copy})
  execute_process(COMMAND ${CMAKE_COMMAND} -DSPIRV_VAL=${validator} -DMODULE=${copy} -DALLOW_NEWER=${allow} -P ${CHECK}
                  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(NOT message STREQUAL "" AND (NOT failed OR NOT said MATCHES "${message}" OR EXISTS ${copy}))
    message(FATAL_ERROR "expected '${message}' and no module, got: ${said}")
  elseif(message STREQUAL "" AND failed)
    message(FATAL_ERROR "${module} was refused: ${said}")
  endif()
endfunction()

expect(${STEP} OFF ${SPIRV_VAL} "")
expect(${STEP} OFF ${old} "too old for this module.*XB_ALLOW_NEWER_SPIRV=ON")
expect(${STEP} ON ${old} "")
expect(${STEP}.bad ON ${SPIRV_VAL} "corrupt")
