/* A small document as text, to be changed. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stddef.h>

extern const char SAMPLE[];

/* SAMPLE with the first `find` replaced, which has to be there. The caller's, to free. */
char *sample_with(const char *find, const char *replacement);

#endif
