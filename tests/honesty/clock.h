#ifndef HONESTY_CLOCK_H
#define HONESTY_CLOCK_H

#include "cells.h"

/* Compares each variant's device time with the slope of the host's clock between lists of N and of 2 N runs. */
void honesty_clock(const honesty_device *d, const honesty_set *set, uint64_t n);

#endif
