# Fails unless MODULE, made from SOURCE, is right where groups exchange data: it has a Coherent decoration, and what follows
# its last device-wide atomic hands on to the group what that thread has seen.
execute_process(COMMAND ${SPIRV_DIS} ${MODULE} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)

function(refuse why)
  file(REMOVE ${MODULE})
  message(FATAL_ERROR "${SOURCE}: ${why}")
endfunction()

if(NOT text MATCHES "Decorate [^\n]* Coherent")
  refuse("DeviceMemoryBarrier or globallycoherent, and no buffer of the SPIR-V is Coherent. Is the word globallycoherent "
         "missing, or was it lost because another buffer of the same element type is used before?")
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
      refuse("the first of the group's operations after its last atomic is '${next}', which does not order buffers: use "
             "AllMemoryBarrierWithGroupSync")
    endif()
  endif()
endif()
