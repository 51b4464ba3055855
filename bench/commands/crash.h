/* What is said when the program crashes, which most often a driver does. */
#ifndef XB_CRASH_H
#define XB_CRASH_H

#include "formats/output.h"

/* From now on a crash says in one line where the finished results of these files are; then it ends the program as
 * without this. It leaves signals alone that somebody else handles, such as a sanitizer. */
void xb_say_upon_crash(const xb_output *json, const xb_output *csv);

#endif
