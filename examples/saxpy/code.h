/* Compiled code from a file. */
#ifndef CODE_H
#define CODE_H

#include <stddef.h>

/* NULL where FOLDER/NAME cannot be read; freed by the caller. */
void *read_code(const char *folder, const char *name, size_t *bytes);

#endif
