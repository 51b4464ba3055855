// Asynchronous copy 1, where a group copies more at a time.

// [tile] of 32 KiB: a multiprocessor holds fewer groups
#define ASYNCCOPY_TILE 32768
#include "1_words.cu"
