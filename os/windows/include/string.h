#pragma once

#include_next <string.h>

const char *strsignal(int number);
