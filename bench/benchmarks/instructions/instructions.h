/* What the files of this benchmark share: the operands of a thread, and what an instruction makes of them. */
#ifndef XB_INSTRUCTIONS_H
#define XB_INSTRUCTIONS_H

#include "benchmarks/benchmark.h"

/* Which numbers x, a and b are (operands.c). */
typedef enum xb_domain {
  WORDS,            /* all bits are random */
  SHIFTS,           /* a: 1 to 7 */
  DIVISORS,         /* a: 2 to 15 */
  POWERS,           /* a: a power of 2, from 2 to 128 */
  WHOLES,           /* x and b have 24 bits, which float32 holds exactly */
  SUMS,             /* a near 1, b near 0: a chain of x * a + b neither ends at a number nor overflows */
  TURNS,            /* b near -1: a chain of x * b + b turns around -1/2 */
  FACTORS,          /* b near 1 */
  POSITIVE,         /* this and those below: a from 1/64 to 1/32, b from 1 to 2 */
  ANGLES,           /* x: -pi to pi */
  LARGE,            /* x and b: 1e5 to 1e6 */
  EXPONENTS,        /* x: -8 to 4, b: 0 to 1; a is smaller */
  BASES,            /* x: 1/2 to 4 */
  NEAR_ONE,         /* x: 1/2 to 2 */
  HALF_TURNS,       /* x: -1 to 1, b: 0 to 0.9 */
  DOUBLES,          /* as SUMS */
  DOUBLE_FACTORS,   /* as FACTORS */
  DOUBLE_POSITIVE,  /* as POSITIVE */
  DOUBLE_EXPONENTS, /* as EXPONENTS */
  HALVES,           /* a: -0.9 to -0.8 */
  HALF_FACTORS,     /* b: -1, since others lead to zero or beyond the largest number */
  XB_DOMAINS
} xb_domain;

typedef enum xb_operand { XB_OPERAND_WORD, XB_OPERAND_FLOAT, XB_OPERAND_DOUBLE, XB_OPERAND_HALVES } xb_operand;

typedef struct xb_instruction {
  uint32_t number; /* in instructions_args.h */
  xb_domain domain;
  double power;          /* the function is x to this power; 0: it is another one */
  double ulps, absolute; /* the error that is allowed to a function: the larger of the two */
} xb_instruction;

/* The operands of threads repeat with a period: of instructions whose chain is followed step by step, and of functions,
 * whose errors need more operands. Primes, so that no group begins as another. */
enum { XB_EXACT_PERIOD = 127, XB_FUNCTION_PERIOD = 16381 };

xb_operand xb_operand_of(xb_domain domain);
xb_generator xb_operand_generator(xb_domain domain);
uint64_t xb_operands_period(xb_domain domain);
/* The bits of x, a and b. */
void xb_operands(xb_domain domain, uint64_t seed, uint64_t thread, uint64_t bits[3]);

/* How many steps are unrolled; true in `*function` if the steps are f * a + b. */
uint32_t xb_instruction_times(uint32_t number, bool *function);
/* Checks what threads wrote: the result of one instruction at even elements, of `steps` steps at odd ones. */
bool xb_instruction_check(const xb_instruction *of, uint64_t seed, uint64_t steps, const xb_chunk *chunk,
                          char why[XB_WHY_BYTES]);
/* Adds the errors of the results at even elements of the first period, in units of the last place: their maximum, sum
 * and count. */
void xb_instruction_errors(const xb_instruction *of, uint64_t seed, const xb_chunk *chunk, double errors[3]);

#endif
