#include "guide/guide.h"

#include <math.h>
#include <string.h>

enum { N = 512 };

static bool run_entry(xb_guide *g, const char *entry, const uint32_t *in, uint32_t *out)
{
  memset(out, 0, N * sizeof *out);
  const xb_guide_job job = {.entry = entry,
                            .in = in,
                            .in_bytes = 3 * N * sizeof *in,
                            .out = out,
                            .out_bytes = N * sizeof *out,
                            .args = {.n = N}};
  return xb_guide_run(g, &job);
}

static uint32_t matches(const uint32_t *a, const uint32_t *b)
{
  uint32_t same = 0;
  for (uint32_t i = 0; i < N; i++)
    same += a[i] == b[i];
  return same;
}

/* CUDA must fuse. HLSL may round once or twice; other results are wrong. */
static void hold(xb_guide *g, const char *in_cuda, const char *in_hlsl, const uint32_t *out, const uint32_t *fused,
                 const uint32_t *apart)
{
  uint32_t neither = 0;
  for (uint32_t i = 0; i < N; i++)
    neither += out[i] != fused[i] && out[i] != apart[i];
  if (g->info->emulates)
    xb_guide_seen(g, "%s: %u of %u as if fused; the host's compiler decides, not nvcc", in_cuda, matches(out, fused),
                  (unsigned)N);
  else if (g->cuda)
    xb_guide_assert(g, matches(out, fused) == N, "%s: %u of %u", in_cuda, matches(out, fused), (unsigned)N);
  else
    xb_guide_assert(g, !neither, "%s is rounded once or twice: %u of %u as if fused, %u as if separate", in_hlsl,
                    matches(out, fused), (unsigned)N, matches(out, apart));
}

void xb_guide_case_contraction(xb_guide *g)
{
  uint32_t in[3 * N], out[N], fused[N], apart[N];
  for (uint32_t i = 0; i < N; i++) {
    const float a = xb_guide_random_float(2 * i, 1, 2), b = xb_guide_random_float(2 * i + 1, 1, 2);
    const float product = a * b, c = -product; /* apart: 0; fused: the rounding error of the product */
    const float sum = product + c;
    in[3 * i] = xb_guide_bits(a);
    in[3 * i + 1] = xb_guide_bits(b);
    in[3 * i + 2] = xb_guide_bits(c);
    fused[i] = xb_guide_bits(fmaf(a, b, c));
    apart[i] = xb_guide_bits(sum);
  }
  if (!run_entry(g, "apart", in, out))
    return;
  xb_guide_same(g, "kept apart (HLSL: precise; CUDA: __fmul_rn, __fadd_rn)", out, apart, N);
  if (!run_entry(g, "plain", in, out))
    return;
  hold(g, "a * b + c is fused by nvcc", "a * b + c", out, fused, apart);
  xb_guide_keep(g, "a * b + c", out, N);
  if (run_entry(g, g->cuda ? "fused" : "mad_", in, out))
    hold(g, "__fmaf_rn is fused", "mad(a, b, c)", out, fused, apart);
}
