#pragma once

#include_next <errno.h>

#ifndef EDQUOT
#define EDQUOT 1133 /* never seen */
#endif
