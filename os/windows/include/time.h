#pragma once

#define _POSIX_THREAD_SAFE_FUNCTIONS 200112L /* localtime_r() */
#include_next <time.h>

#define CLOCK_MONOTONIC_RAW CLOCK_MONOTONIC /* both are QueryPerformanceCounter */
