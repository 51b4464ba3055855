# Fails unless MODULE, made from SOURCE, exchanges data between groups correctly: a buffer is Coherent, and a barrier that
# orders buffers follows the last atomic.
execute_process(COMMAND ${SPIRV_DIS} ${MODULE} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)

function(refuse why)
  file(REMOVE ${MODULE})
  message(FATAL_ERROR "${SOURCE}: ${why}")
endfunction()

if(NOT text MATCHES "Decorate [^\n]* Coherent")
  refuse("DeviceMemoryBarrier or globallycoherent needs a Coherent buffer, but the SPIR-V has none: add globallycoherent, "
         "or use this buffer before others of the same element type")
endif()

# The other threads' reads come after the last atomic on a buffer only by a barrier that orders buffers (semantics:
# UniformMemory, 0x40); a wave intrinsic orders no memory.
set(atomic -1)
string(REGEX MATCHALL "%[a-z0-9_]+ = OpAccessChain %_ptr_(Uniform|StorageBuffer)_" words "${text}")
foreach(word ${words})
  string(REGEX REPLACE " .*" "" word ${word})
  string(FIND "${text}" "OpAtomicIAdd %uint ${word} " at REVERSE)
  if(at GREATER atomic)
    set(atomic ${at})
  endif()
endforeach()
if(atomic GREATER -1)
  string(SUBSTRING "${text}" ${atomic} -1 text)
  if(text MATCHES "Op(ControlBarrier|GroupNonUniform)[^\n]*")
    set(next ${CMAKE_MATCH_0})
    set(semantics 0)
    if(next MATCHES "OpControlBarrier %[a-z]+_[0-9]+ %[a-z]+_[0-9]+ %[a-z]+_([0-9]+)")
      math(EXPR semantics "${CMAKE_MATCH_1} & 0x40")
    endif()
    if(NOT semantics)
      refuse("after the last atomic on a buffer comes '${next}', which does not order buffers: use "
             "AllMemoryBarrierWithGroupSync")
    endif()
  endif()
endif()
