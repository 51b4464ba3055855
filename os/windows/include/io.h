/* Without the name `tell`, which the program has functions of its own for. */
#pragma once

#define tell xb_unused_tell
#include_next <io.h>
#undef tell
