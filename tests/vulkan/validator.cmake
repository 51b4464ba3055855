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

# A builtin that two functions read: two declarations in what glslc makes, unless it refuses them by itself.
file(WRITE ${STEP}.twice.hlsl "
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> b;
uint twice(uint x) { return x * WaveGetLaneCount(); }
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { b[id.x] = twice(id.x) + WaveGetLaneCount(); }
")
if(GLSLC)
  execute_process(COMMAND ${GLSLC} -x hlsl -fshader-stage=compute --target-env=vulkan1.1 ${STEP}.twice.hlsl -o ${STEP}.twice
                  ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(NOT failed)
    expect(${STEP}.twice ON ${old} "declares a builtin twice")
  elseif(NOT said MATCHES "duplicate input variables")
    message(FATAL_ERROR "${said}")
  endif()
endif()

file(WRITE ${STEP}.empty.hlsl "[numthreads(64, 1, 1)] void main() {}")
if(GLSLC)
  execute_process(COMMAND ${GLSLC} -x hlsl -fshader-stage=compute --target-env=vulkan1.1 ${STEP}.empty.hlsl -o ${STEP}.empty
                  COMMAND_ERROR_IS_FATAL ANY)
  expect(${STEP}.empty OFF ${SPIRV_VAL} "")
endif()

# A shader that the compiler refuses, in a build that leaves such shaders out: a text instead of the module.
function(expect_left_out text)
  execute_process(COMMAND ${CMAKE_COMMAND} -DMODULE=${STEP}.left_out "-DCOMPILER=glslc 9" -P ${LEAVE_OUT} -- ${ARGN}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${STEP}.left_out said)
  if(NOT said STREQUAL text)
    message(FATAL_ERROR "expected '${text}', got '${said}'")
  endif()
endfunction()
file(WRITE ${STEP}.refuses "#!/bin/sh\necho \"\$1: not today\" >&2\necho more >&2\nexit 1\n")
file(CHMOD ${STEP}.refuses PERMISSIONS OWNER_READ OWNER_EXECUTE)
file(WRITE ${STEP}.left_out "a module")
expect_left_out("a module" run true run true)
expect_left_out("left out: glslc 9 refuses it: a.hlsl: not today" run true run ${STEP}.refuses a.hlsl run true)
expect_left_out("left out: glslc 9 refuses it: b.hlsl: not today" run ${STEP}.refuses b.hlsl)
