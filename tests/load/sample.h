/* A small document as text, for tests to change. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stddef.h>

extern const char SAMPLE[];

/* Returns SAMPLE with the first `find` replaced; fails if there is none. The caller frees it. */
char *sample_with(const char *find, const char *replacement);

#endif
