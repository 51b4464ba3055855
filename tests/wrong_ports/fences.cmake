# The PTX of the corrected form has the fence, the PTX of the wrong form has none.
function(count_fences form)
  execute_process(COMMAND ${NVCC} -ptx -O3 -std=c++17 ${ARGN} -I${INCLUDE} ${SOURCE} -o ${OUTPUT}${form}.ptx
                  COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${OUTPUT}${form}.ptx lines REGEX "^[ \t]*(membar[.]gl|fence[.].*gpu)")
  list(LENGTH lines count)
  set(count${form} ${count} PARENT_SCOPE)
endfunction()
count_fences("")
count_fences(.wrong -DWRONG=1)
if(NOT count EQUAL 2 OR NOT count.wrong EQUAL 0)
  message(FATAL_ERROR "fences in the PTX: ${count} and, in the wrong form, ${count.wrong}; expected 2 and 0")
endif()
