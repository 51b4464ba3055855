cmake_policy(VERSION 3.25)
# The build's check of modules: it accepts a valid module, and refuses others. Whether spirv-val is too old is a message of
# its own, and can be allowed. `old` acts like a spirv-val that is too old for every module.
set(old ${STEP}.old)
file(WRITE ${old} "#!/bin/sh\necho 'error: line 9: Invalid capability operand: 5568' >&2\nexit 1\n")
file(CHMOD ${old} PERMISSIONS OWNER_READ OWNER_EXECUTE)
file(WRITE ${STEP}.bad "no module")

# expect(MODULE ALLOW_NEWER VALIDATOR MESSAGE): an empty message means success.
function(expect module allow validator message)
  set(copy ${STEP}.copy)
  execute_process(COMMAND sh ${MAKE} module=${copy} spirv_val=${validator} environment=vulkan1.1 allow_newer=${allow} -- cp ${module} ${copy}
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

# A shader that the compiler refuses, or a module that spirv-val refuses, in a build that leaves such shaders out: a text instead of the module.
function(expect_left_out text)
  execute_process(COMMAND sh ${MAKE} module=${STEP}.left_out spirv_val=${SPIRV_VAL} environment=vulkan1.1 "left_out=glslc 9" -- ${ARGN}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${STEP}.left_out said LIMIT 300)
  string(FIND "${said}" "${text}" at)
  if(NOT at EQUAL 0)
    message(FATAL_ERROR "expected '${text}', got '${said}'")
  endif()
endfunction()
file(WRITE ${STEP}.refuses "#!/bin/sh\necho \"\$1: not today\" >&2\necho more >&2\nexit 1\n")
file(CHMOD ${STEP}.refuses PERMISSIONS OWNER_READ OWNER_EXECUTE)
expect_left_out("left out: glslc 9 refuses it: a.hlsl: not today" ${STEP}.refuses a.hlsl)
expect_left_out("left out: glslc 9 refuses it: ${STEP}.left_out" cp ${STEP}.bad ${STEP}.left_out)
file(SIZE ${STEP} bytes)
expect_left_out("" cp ${STEP} ${STEP}.left_out)
file(SIZE ${STEP}.left_out copied)
if(NOT copied EQUAL bytes)
  message(FATAL_ERROR "a valid module was not kept: ${copied} of ${bytes} bytes")
endif()
