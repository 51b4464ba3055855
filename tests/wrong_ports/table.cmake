# The page must have the table that the program prints.
execute_process(COMMAND ${PROGRAM} list OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
file(READ ${PAGE} page)
string(FIND "${page}" "${table}" at)
if(NOT table MATCHES "1_no_barrier" OR at EQUAL -1)
  message(FATAL_ERROR "${PAGE} lacks the table that `wrong_ports list` prints, to the letter:\n${table}")
endif()
