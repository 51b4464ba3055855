# The languages of kernels, one for each format of code (xb_device_info.code).
#
# xb_add_language(CODE BACKEND backend NAME name FOLDER folder EXTENSION extension [SIDE side]): the kernels are the files
# FOLDER/BENCHMARK/NUMBER_NAME.EXTENSION, FOLDER is relative to the root. The languages with SIDE 0 and 1 are twins:
# `xbench show` prints them side by side, and every row has both. In a language without SIDE, sources are optional.
#
# A function compiles them; it is only defined if there is a compiler:
#   xb_compile_CODE(SOURCE FILE BENCHMARK DTYPES BLOCKS BLOBS)
# For example, SOURCE is reduce/3_sequential. The function sets the variable BLOBS to the code, as NAME=PATH for xb_embed.
# bench/benchmarks/code.c looks for these names.
set_property(GLOBAL PROPERTY XB_LANGUAGES "")

function(xb_add_language code)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "BACKEND;NAME;FOLDER;EXTENSION;SIDE" "")
  set_property(GLOBAL APPEND PROPERTY XB_LANGUAGES ${code})
  foreach(field BACKEND NAME FOLDER EXTENSION SIDE)
    set_property(GLOBAL PROPERTY XB_LANGUAGE_${code}_${field} "${given_${field}}")
  endforeach()
endfunction()

# Of the code in this program. FLAGS: those that change the code; the hash of a source includes them.
function(xb_set_compiler code compiler flags)
  set_property(GLOBAL PROPERTY XB_LANGUAGE_${code}_COMPILER "${compiler}")
  set_property(GLOBAL PROPERTY XB_LANGUAGE_${code}_FLAGS "${flags}")
endfunction()

# Hashes of sources have these flags in every build, also in one without that compiler.
set(XB_DXIL_FLAGS -T cs_6_0 -O3 -WX -Wno-ignored-attributes -select-validator internal)

# xb_add_source_language(CODE BACKEND FOLDER EXTENSION FLAGS): `xbench list sources` names its sources' hashes in every build, whatever
# the build compiles and with what. Results that were measured with FLAGS have the same hashes.
set_property(GLOBAL PROPERTY XB_SOURCE_LANGUAGES "")
set_property(GLOBAL PROPERTY XB_SOURCE_ROWS "")
function(xb_add_source_language code backend folder extension flags)
  set_property(GLOBAL APPEND PROPERTY XB_SOURCE_LANGUAGES ${code})
  set_property(GLOBAL PROPERTY XB_SOURCE_${code} ${folder} ${extension})
  set_property(GLOBAL APPEND_STRING PROPERTY XB_SOURCE_ROWS
               "    {\"${backend}\", \"\", \"${code}\", \"${folder}\", \"${extension}\", \"\", \"${flags}\"},\n")
endfunction()

# Sets language_BACKEND, language_NAME ... in the caller's scope.
macro(xb_get_language code)
  foreach(field BACKEND NAME FOLDER EXTENSION SIDE COMPILER FLAGS)
    get_property(language_${field} GLOBAL PROPERTY XB_LANGUAGE_${code}_${field})
  endforeach()
endmacro()

# Writes FILE: the table that bench/show/languages.h declares, with the twins first.
function(xb_write_languages file)
  get_property(codes GLOBAL PROPERTY XB_LANGUAGES)
  set(places "")
  foreach(code IN LISTS codes)
    xb_get_language(${code})
    list(APPEND places "${language_SIDE}=${code}")
  endforeach()
  list(SORT places) # '=' sorts after the digits
  set(backends "")
  set(rows "")
  foreach(place IN LISTS places)
    string(REGEX REPLACE "^.*=" "" code ${place})
    xb_get_language(${code})
    list(APPEND backends ${language_BACKEND})
    string(APPEND rows "    {\"${language_BACKEND}\", \"${language_NAME}\", \"${code}\", \"${language_FOLDER}\", "
                       "\"${language_EXTENSION}\", \"${language_COMPILER}\", \"${language_FLAGS}\"},\n")
  endforeach()
  list(JOIN backends "|" backends)
  get_property(sources GLOBAL PROPERTY XB_SOURCE_ROWS)
  file(CONFIGURE OUTPUT ${file} CONTENT
"#include \"show/languages.h\"\n\n#include <stddef.h>\n
const xb_language xb_languages[] = {\n@rows@    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},\n};
const xb_language xb_source_languages[] = {\n@sources@    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},\n};
const char xb_language_backends[] = \"@backends@\";\nconst char xb_each_backend[] = \"@backends@|all\";\n" @ONLY)
endfunction()
