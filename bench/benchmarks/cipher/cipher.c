/* The shift cipher: each letter is replaced, in place, by the one `shift` places on in the alphabet, by the source's
 * formula: (m - 'a' + shift) % 26 + 'a', with C's remainder. For other bytes than a to z it gives what C gives. The
 * buffer has its contents before each run that is checked, so the check expects one run; timed runs shift on. */
#include "benchmarks/cipher/cipher_args.h"
#include "benchmarks/family.h"

typedef struct parameters {
  bool serial;      /* one thread runs a whole window, and windows run one after the other */
  uint32_t letters; /* of a thread; of one iteration, if it is serial */
} parameters;

enum {
  WINDOW_STEP = 1024,      /* bytes: a multiple of every device's binding alignment */
  SERIAL_LETTERS = 1 << 15 /* of a window: below XB_MOST_ITERATIONS */
};

/* The source's message, then letters, of which one of eight may be any byte. */
static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  enum { AT_ONCE = 1024 };
  static const char message[] = "helloworld";
  uint32_t bits[AT_ONCE];
  unsigned char *letters = out;
  (void)dtype;
  for (uint64_t i = 0; i < count; i++) {
    if (i % AT_ONCE == 0)
      xb_bits(XB_INT32, seed, first + i, count - i < AT_ONCE ? count - i : AT_ONCE, bits);
    const uint32_t b = bits[i % AT_ONCE];
    letters[i] = (unsigned char)(b % 8 ? 'a' + (b >> 8) % 26 : b >> 24);
    if (first + i < strlen(message))
      letters[i] = (unsigned char)message[first + i];
  }
}

static uint64_t whole_words(uint64_t letters)
{
  return xb_ceil_div(letters, 4) * 4;
}

/* [plan] A window has as many letters as other benchmarks' windows have elements: a quarter of what fits. */
static xb_code cipher_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = of(c);
  uint64_t length = xb_window_length(c, c->n, 4, WINDOW_STEP);
  (void)err;
  if (p->serial && length > SERIAL_LETTERS)
    length = SERIAL_LETTERS;
  const uint32_t text = xb_plan_slot_with(plan, .name = "text", .role = XB_ROLE_INOUT, .bytes = whole_words(c->n),
                                          .element_bytes = 1, .generate = generate);
  plan->bytes = 2 * c->n;
  plan->iterations = p->serial ? length : 0;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, length);) {
    if (w.first && p->serial)
      xb_plan_step(plan, XB_STEP_BARRIER);
    const uint64_t threads = p->serial ? 1 : xb_ceil_div(w.count, p->letters);
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(threads, c->block));
    xb_step_bind(step, text, w.first, whole_words(w.count), XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_cipher_args, .n = (uint32_t)w.count, .shift = c->at[0]);
  }
  return XB_OK;
}

static unsigned char shifted(unsigned char letter, uint32_t shift)
{
  return (unsigned char)(((signed char)letter - 'a' + (int)shift) % 26 + 'a');
}

/* Also the bytes that fill the last word: they do not change. */
static bool cipher_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  enum { AT_ONCE = 4096, SHIFT = 3 };
  static const char ciphertext[] = "khoorzruog"; /* the source's, of helloworld and 3 */
  const unsigned char *got = chunk->data;
  unsigned char letters[AT_ONCE];
  for (uint64_t i = 0; i < chunk->count; i++) {
    const uint64_t at = chunk->first + i, left = chunk->count - i;
    if (i % AT_ONCE == 0)
      generate(c->dtype, c->seed, at, left < AT_ONCE ? left : AT_ONCE, letters);
    unsigned char expected = letters[i % AT_ONCE];
    if (at < c->n)
      expected =
          at < strlen(ciphertext) && c->at[0] == SHIFT ? (unsigned char)ciphertext[at] : shifted(expected, c->at[0]);
    if (got[i] == expected)
      continue;
    return xb_wrong(why, "letter %" PRIu64 " is 0x%02x, expected 0x%02x", at, got[i], expected);
  }
  return true;
}

XB_METHODS(.plan = cipher_plan, .check = cipher_check, .rates = {{"letters", "G/s", xb_elements_of_run}})

#include "benchmarks/rows.h"
