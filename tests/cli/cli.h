/* What the two parts of the program cli share. */
#ifndef CLI_H
#define CLI_H

#include "process.h"
#include "test.h"

extern const char *xbench, *no_loader; /* the program; a folder with an empty libvulkan.so.1 */
extern char folder[];                  /* a temporary one */
extern process_result result;          /* of the last process */

/* The fewest samples, for cases that are not about sampling. */
#define SHORT "--min-time 0.002 --max-time 0.01 "

/* Fails unless the text matches; no pattern: unless it is empty. */
void assert_pattern(const char *what, const char *text, const char *pattern);

/* For TEST_SOURCE. */
int cli_begin(void);
int cli_end(void);

#endif
