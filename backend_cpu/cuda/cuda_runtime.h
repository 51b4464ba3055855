/* The words of CUDA C++, for kernels that the host's compiler compiles. Included before the kernel's file.
 * What is here is written from CUDA's documentation; no file of a CUDA toolkit is needed. */
#pragma once
#ifdef XB_CPU_HOST_HEADERS /* headers of the host that use names which are words of CUDA */
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#endif
#include "words/place.h"
#include "words/vectors.h"
#include "words/sync.h"
#include "words/warp.h"
#include "words/atomics.h"
#include "words/integers.h"
#include "words/floats.h"
#include "words/lanes.h"
#include "words/rounding.h"
#include "words/memory.h"
#include "words/textures.h"
#include "words/host.h"
#include "words/module.h"
#ifdef XB_CPU_HOST_CODE
#include "words/host_code.h"
#endif
#include "words/keywords.h"
