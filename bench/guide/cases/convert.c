#include "guide/guide.h"

#include <string.h>

static const struct {
  uint32_t bits, expected;
  const char *what; /* why it is out of range; NULL: in range */
} TABLE[] = {
    {0x00000000, 0, NULL},
    {0x3f7fffff, 0, NULL},
    {0x3fc00000, 1, NULL},
    {0x4b7fffff, 16777215, NULL},
    {0x4effffff, 2147483520, NULL},
    {0x4f000000, 2147483648u, NULL},
    {0x4f7fffff, 4294967040u, NULL},
    {0xbf000000, 0, NULL}, /* -0.5 is truncated to 0 */
    {0x80000000, 0, NULL},
    {0x4f800000, 0xffffffff, "2^32"},
    {0x7149f2ca, 0xffffffff, "1e30"},
    {0x7f800000, 0xffffffff, "inf"},
    {0xbf800000, 0, "-1"},
    {0xcf000000, 0, "-2^31"},
    {0xff800000, 0, "-inf"},
    {0x7fc00000, 0, "NaN"},
    {0xffc00000, 0, "-NaN"},
};
enum { N = sizeof TABLE / sizeof *TABLE };

static void hold_raw(xb_guide *g, const uint32_t *out, const uint32_t *expected)
{
  bool in_range = true;
  for (uint32_t i = 0; i < N; i++) {
    if (!TABLE[i].what)
      in_range &= out[i] == expected[i];
    else if (!g->cuda)
      xb_guide_seen(g, "(uint) of %s, undefined in SPIR-V: 0x%08x%s", TABLE[i].what, out[i],
                    out[i] == expected[i] ? "" : ", not saturated");
  }
  xb_guide_assert(g, in_range, "the cast of values in range rounds towards 0");
  if (g->cuda)
    xb_guide_assert(g, !memcmp(out, expected, N * sizeof *out), "the cast of the rest saturates, and NaN becomes 0");
}

void xb_guide_case_convert(xb_guide *g)
{
  uint32_t in[N], out[N], expected[N];
  for (uint32_t i = 0; i < N; i++) {
    in[i] = TABLE[i].bits;
    expected[i] = TABLE[i].expected;
  }
  xb_guide_job job = {.entry = "portable", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  memset(out, 0xee, sizeof out);
  if (!xb_guide_expect(g, &job, "saturated by hand", expected))
    return;
  job.entry = "raw";
  memset(out, 0xee, sizeof out);
  if (!xb_guide_run(g, &job))
    return;
  hold_raw(g, out, expected);
  xb_guide_keep(g, "the cast alone", out, N);
}
