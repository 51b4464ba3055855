#pragma once

#include_next <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
int setenv(const char *name, const char *value, int replace);
char *realpath(const char *path, char *out); /* with slashes; "C:/..." */
#define mkstemp xb_mkstemp
int xb_mkstemp(char *path);
int mkstemps(char *path, int suffix_bytes);
char *mkdtemp(char *path);
#ifdef __cplusplus
}
#endif
