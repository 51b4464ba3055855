#include "guide/guide.h"

enum { N = 300, START = 1000 };

void xb_guide_case_dot4(xb_guide *g)
{
  uint32_t in[2 * N], out[2 * N] = {0}, expected[2 * N];
  for (uint32_t i = 0; i < 2 * N; i++)
    in[i] = i < 2 ? 0x80ff7f80 : xb_guide_random(i);
  for (uint32_t i = 0; i < N; i++) {
    uint32_t sum = START;
    int32_t signed_sum = START;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      const uint32_t a = in[2 * i] >> shift & 0xff, b = in[2 * i + 1] >> shift & 0xff;
      sum += a * b;
      signed_sum += ((int32_t)a - (a & 0x80 ? 256 : 0)) * ((int32_t)b - (b & 0x80 ? 256 : 0));
    }
    expected[2 * i] = sum;
    expected[2 * i + 1] = (uint32_t)signed_sum;
  }
  const xb_guide_job job = {.entry = "dots", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N, .a = START}};
  if (xb_guide_expect(g, &job, "four products of bytes, unsigned and signed", expected))
    xb_guide_cost(g, "four products of bytes", &job);
}
