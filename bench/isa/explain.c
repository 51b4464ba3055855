/* Which differences of two codes can explain that one of them is slower. Pure rules over counts: a rule speaks only if
 * its two numbers differ as it says, and gives both. */
#include "isa/isa.h"

#include <math.h>
#include <string.h>

static double number_of(const json_t *row, const char *key)
{
  const json_t *value = json_object_get(row, key);
  return value ? (double)json_integer_value(value) : NAN;
}

void xb_isa_code_of(const json_t *row, xb_isa_code *code)
{
  const char *text = xb_isa_text(row, "text"), *begin, *end;
  *code = (xb_isa_code){.groups = number_of(row, "groups"),
                        .waves = number_of(row, "waves_per_simd"),
                        .registers = number_of(row, "registers"),
                        .shared_bytes = number_of(row, "shared_bytes"),
                        .local_bytes = number_of(row, "spill_bytes"),
                        .counted = *text};
  xb_isa_count(text, text + strlen(text), &code->all);
  if (xb_isa_largest_loop(text, &begin, &end))
    xb_isa_count(begin, end, &code->loop);
}

static double quotient(size_t a, size_t b)
{
  return b ? (double)a / (double)b : NAN;
}

/* When a rule applies. IF_ALIKE: both largest loops are unrolled alike; else counts of whole codes say little. IF_MANY:
 * and the difference is some part of the code. IF_FUSED: products and sums that the other code fuses are a part of it,
 * and there are more instructions for that. */
typedef enum when { ALWAYS, IF_FEWER_GROUPS, IF_ALIKE, IF_MANY, IF_FUSED, WHENS } when;
/* `least`: the quotient from which on a difference counts. */
typedef struct rule {
  const char *what;
  bool less_is_slower;
  double least;
  when when;
} rule;
static const rule rules[] = {
    {"groups a multiprocessor", true, 1, ALWAYS},
    {"waves a SIMD", true, 1, ALWAYS},
    {"registers a thread", false, 1, IF_FEWER_GROUPS},
    {"bytes of shared memory a group", false, 1, IF_FEWER_GROUPS},
    {"bytes of local memory a thread", false, 1, ALWAYS},
    {"instructions that access local memory", false, 1, ALWAYS},
    {"bytes a load", true, 1.2, ALWAYS},
    {"instructions of matrix units", true, 1.5, ALWAYS},
    {"share of fused multiply-adds in the float instructions", true, 1.2, IF_FUSED},
    {"share of dot products that also add", true, 1.2, ALWAYS},
    {"barriers", false, 1.2, IF_ALIKE},
    {"atomics", false, 1.2, IF_ALIKE},
    {"instructions between lanes", false, 1.2, IF_ALIKE},
    {"instructions that access shared memory", false, 1.2, IF_ALIKE},
    {"loads and stores", false, 1.2, IF_MANY},
    {"float instructions", false, 1.2, IF_MANY},
    {"branches", false, 1.5, IF_MANY},
    {"integer instructions and moves for each other instruction", false, 1.2, ALWAYS},
};
enum { GROUPS = 0, WAVES = 1, RULES = sizeof rules / sizeof *rules };

/* The number of each rule. That of integers is of the largest loop, if both have one, for each instruction that moves
 * or computes data: a loop that is unrolled more has more of both. */
static void measure(const xb_isa_code *c, bool loops, double values[RULES])
{
  const size_t *n = c->all.of, *in = loops ? c->loop.of : c->all.of;
  const double all[RULES] = {
      c->groups,
      c->waves,
      c->registers,
      c->shared_bytes,
      c->local_bytes,
      (double)n[XB_ISA_LOCAL],
      quotient(c->all.load_bytes, n[XB_ISA_LOADS]),
      (double)n[XB_ISA_MATRIX],
      quotient(c->all.fused, n[XB_ISA_FLOATS]),
      quotient(c->all.adds, c->all.dots),
      (double)n[XB_ISA_BARRIERS],
      (double)n[XB_ISA_ATOMICS],
      (double)n[XB_ISA_LANES],
      (double)n[XB_ISA_SHARED],
      (double)(n[XB_ISA_LOADS] + n[XB_ISA_STORES]),
      (double)n[XB_ISA_FLOATS],
      (double)n[XB_ISA_BRANCHES],
      quotient(in[XB_ISA_INTEGERS] + in[XB_ISA_MOVES], in[XB_ISA_LOADS] + in[XB_ISA_STORES] + in[XB_ISA_SHARED] +
                                                           in[XB_ISA_ATOMICS] + in[XB_ISA_FLOATS] + in[XB_ISA_MATRIX]),
  };
  memcpy(values, all, sizeof all);
}

static bool differ(double slow, double fast, bool less_is_slower, double least)
{
  const double more = less_is_slower ? fast : slow, less = less_is_slower ? slow : fast;
  return more > less && more >= least * less; /* false if one is unknown */
}

size_t xb_isa_explain(const xb_isa_code *slow, const xb_isa_code *fast, xb_isa_cause causes[XB_ISA_CAUSES])
{
  enum { UNROLLED = 2 };
  size_t count = 0;
  double x[RULES], y[RULES];
  const size_t a = slow->loop.all, b = fast->loop.all;
  measure(slow, a && b, x);
  measure(fast, a && b, y);
  const bool counted = slow->counted && fast->counted,
             alike = counted && !a == !b && a <= UNROLLED * b && b <= UNROLLED * a;
  const size_t part = 4 + slow->all.all / 64;
  const bool applies[WHENS] = {[ALWAYS] = true,
                               [IF_FEWER_GROUPS] =
                                   differ(x[GROUPS], y[GROUPS], true, 1) || differ(x[WAVES], y[WAVES], true, 1),
                               [IF_ALIKE] = alike,
                               [IF_MANY] = alike,
                               [IF_FUSED] = fast->all.fused > slow->all.fused + part &&
                                            slow->all.of[XB_ISA_FLOATS] > fast->all.of[XB_ISA_FLOATS]};
  for (size_t i = 0; i < RULES; i++)
    if (applies[rules[i].when] && (rules[i].when != IF_MANY || x[i] > y[i] + (double)part) &&
        differ(x[i], y[i], rules[i].less_is_slower, rules[i].least))
      causes[count++] = (xb_isa_cause){rules[i].what, x[i], y[i]};
  if (counted && a && b >= UNROLLED * a && slow->all.all < fast->all.all)
    causes[count++] = (xb_isa_cause){"instructions of the largest loop, which is unrolled less", (double)a, (double)b};
  return count;
}

/* ---- A comparison ----------------------------------------------------------------------------------------------- */

/* The row of this part and API; NULL: there is none. */
static const json_t *row_of(const json_t *rows, const char *part, const char *api)
{
  size_t i;
  const json_t *row;
  json_array_foreach((json_t *)(uintptr_t)rows, i,
                     row) if (!strcmp(xb_isa_text(row, "api"), api) &&
                              (!part || !strcmp(xb_isa_text(row, "part"), part))) return row;
  return NULL;
}

/* What is missing of one side's code; "": nothing. */
static const char *missing(const json_t *row)
{
  return !row                           ? "it was not compiled here"
         : *xb_isa_text(row, "error")   ? xb_isa_text(row, "error")
         : *xb_isa_text(row, "text")    ? ""
         : *xb_isa_text(row, "no_text") ? xb_isa_text(row, "no_text")
                                        : "the compiler gives none";
}

void xb_isa_print_causes(const json_t *slow_rows, const char *slow_api, const json_t *fast_rows, const char *fast_api)
{
  size_t i, seen = 0, unknown = 0;
  const json_t *row;
  json_array_foreach((json_t *)(uintptr_t)slow_rows, i, row)
  {
    const char *part = xb_isa_text(row, "part");
    const json_t *other = row_of(fast_rows, part, fast_api);
    xb_isa_cause causes[XB_ISA_CAUSES];
    xb_isa_code slow, fast;
    if (strcmp(xb_isa_text(row, "api"), slow_api) != 0)
      continue;
    for (int side = 0; side < 2; side++) {
      const char *why = missing(side ? other : row);
      if (*why)
        printf("  %s%sno code of %s: %s\n", part, *part ? ": " : "", side ? fast_api : slow_api, why);
      unknown += *why != 0;
    }
    if (!other)
      continue;
    xb_isa_code_of(row, &slow);
    xb_isa_code_of(other, &fast);
    const size_t count = xb_isa_explain(&slow, &fast, causes);
    for (size_t k = 0; k < count; k++)
      printf("  %s%s%s: %.3g, %s %.3g\n", part, *part ? ": " : "", causes[k].what, causes[k].slow, fast_api,
             causes[k].fast);
    seen += count;
  }
  if (!row_of(slow_rows, NULL, slow_api))
    printf("  no code of %s: it was not compiled here\n", slow_api);
  else if (!seen)
    printf("  no visible difference explains it%s\n", unknown ? " in what is known" : "");
}
