#include "judge/linear.h"

#include <math.h>
#include <stdio.h>

const unsigned xb_linear_repeats[XB_LINEAR_POINTS] = {1, 2, 4, 8};

double xb_share_larger(const double *a, const double *b, size_t count)
{
  size_t larger = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++)
      larger += a[i] > b[k];
  return (double)larger / ((double)count * (double)count);
}

bool xb_linear(const double ns[XB_LINEAR_POINTS], double longer, xb_linear_limits limits, double *slope_ns, char *why,
               size_t why_bytes)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < XB_LINEAR_POINTS; i++) {
    const double r = xb_linear_repeats[i];
    x += r / XB_LINEAR_POINTS;
    y += ns[i] / XB_LINEAR_POINTS;
    xx += r * r / XB_LINEAR_POINTS;
    xy += r * ns[i] / XB_LINEAR_POINTS;
  }
  *slope_ns = (xy - x * y) / (xx - x * x);
  const double rise = *slope_ns * (xb_linear_repeats[XB_LINEAR_POINTS - 1] - xb_linear_repeats[0]);
  double off = 0;
  for (int i = 0; i < XB_LINEAR_POINTS; i++)
    off = fmax(off, fabs(ns[i] - (y + *slope_ns * (xb_linear_repeats[i] - x))));
  if (rise >= limits.rise * ns[0] && off <= limits.off * rise && longer >= limits.longer)
    return true;
  snprintf(
      why, why_bytes,
      "1, 2, 4 and 8 repetitions inside the kernel take %.4g, %.4g, %.4g and %.4g us, which is not a linear rise: the "
      "work is not repeated, or is too short to measure (use a larger --size)",
      ns[0] / 1e3, ns[1] / 1e3, ns[2] / 1e3, ns[3] / 1e3);
  return false;
}
