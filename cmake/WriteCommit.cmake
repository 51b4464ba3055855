# Writes HEADER: the commit of SOURCE and a flag for uncommitted changes. Without a git tree it is that of the archive, or empty. The file is
# only written if it changes, to avoid needless compilation.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
set(modified XB_UNKNOWN)
if(failed) # an archive has the commit in a file
  file(STRINGS ${SOURCE}/cmake/commit.txt commit REGEX "^[0-9a-f]+$")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
  set(modified 0)
  if(NOT changes STREQUAL "")
    set(modified 1)
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define XB_COMMIT \"${commit}\" /* empty: unknown */\n#define XB_MODIFIED ${modified}\n")
