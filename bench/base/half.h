/* Float16: 5 bits of exponent with a bias of 15, 10 of fraction. */
#ifndef XB_HALF_H
#define XB_HALF_H

#include <stdint.h>

/* The number of the lowest 16 bits. */
double xb_half_value(uint32_t bits);
/* Rounds to the nearest, ties to even. */
uint32_t xb_half_bits(double value);

#endif
