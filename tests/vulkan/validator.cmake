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

# Several by one start of a compiler, which writes down that it started and refuses b.hlsl: then each by itself.
set(folder ${STEP}.several)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${folder}/several "#!/bin/sh
echo start >>starts
for source do
  [ \$source != \"$(cat refused)\" ] || { echo \"\$source: not today\" >&2; exit 1; }
  cp ${STEP} \${source%.hlsl}.spv
  echo \"\${source%.hlsl}.spv: \$source /in/\$source /in/both.h\" >\${source%.hlsl}.spv.d
done
")
file(CHMOD ${folder}/several PERMISSIONS OWNER_READ OWNER_EXECUTE OWNER_WRITE)
function(expect_several refused starts listed)
  file(WRITE ${folder}/refused "${refused}")
  file(REMOVE ${folder}/starts ${folder}/a.spv ${folder}/b.spv ${folder}/a.spv.d ${folder}/b.spv.d)
  execute_process(COMMAND sh ${MAKE} "modules=a.spv b.spv" spirv_val=${SPIRV_VAL} environment=vulkan1.1 target=x/a.spv depfile=all.d ${ARGN} -- ./several
                  WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  file(STRINGS ${folder}/starts lines)
  list(LENGTH lines count)
  set(all "")
  if(NOT failed)
    file(READ ${folder}/all.d all)
  endif()
  if(NOT count EQUAL starts OR NOT all STREQUAL listed OR (failed AND NOT said MATCHES "^b.hlsl: not today"))
    message(FATAL_ERROR "refused '${refused}': ${count} starts, '${all}', ${said}")
  endif()
  file(SIZE ${folder}/a.spv copied)
  if(NOT copied EQUAL bytes)
    message(FATAL_ERROR "a.spv is not the module")
  endif()
endfunction()
file(SIZE ${STEP} bytes)
expect_several("" 1 "x/a.spv: /in/a.hlsl /in/both.h /in/b.hlsl /in/both.h\n")
expect_several(b.hlsl 3 "")
expect_several(b.hlsl 3 "x/a.spv: /in/a.hlsl /in/both.h\n" "left_out=glslc 9")
file(READ ${folder}/b.spv said)
if(NOT said STREQUAL "left out: glslc 9 refuses it: b.hlsl: not today")
  message(FATAL_ERROR "b.spv: ${said}")
endif()
expect_left_out("" cp ${STEP} ${STEP}.left_out)
file(SIZE ${STEP}.left_out copied)
if(NOT copied EQUAL bytes)
  message(FATAL_ERROR "a valid module was not kept: ${copied} of ${bytes} bytes")
endif()
