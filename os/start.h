/* The first call of main(). */
#ifndef XB_START_H
#define XB_START_H

#include <stdbool.h>

/* Makes the standard streams and the handling of signals what the program expects, whatever its parent left. On Windows
 * the words get slashes instead of backslashes. False: a standard stream is closed and cannot be replaced. */
bool xb_start(int argc, char **argv);

#endif
