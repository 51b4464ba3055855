/* Compiled code from a file. */
#ifndef CODE_H
#define CODE_H

#include <stddef.h>

/* Returns the contents of FOLDER/NAME; NULL if it cannot be read. The caller frees it. */
void *read_code(const char *folder, const char *name, size_t *bytes);

#endif
