/* Types of it are in words/host_code.h. */
#pragma once
#include "cuda_runtime.h"
#define CUDA_VERSION CUDART_VERSION
