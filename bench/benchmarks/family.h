/* What the own files of a benchmark include. */
#ifndef XB_FAMILY_H
#define XB_FAMILY_H

#include "benchmarks/input.h"
#include "benchmarks/library.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameters of a case's variant, of the benchmark's own type. */
#define of(c) ((const parameters *)(c)->variant->parameters)

enum { WORD = 4 }; /* bytes of an element of both types */

#endif
