#pragma once

#include_next <limits.h>

#undef PATH_MAX
#define PATH_MAX 4096 /* paths may be longer than 260 characters (xbench.manifest) */
