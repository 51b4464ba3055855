#include "result/peaks.h"

#include <string.h>

const xb_peak xb_peaks[] = {
    {"memory, read and written", "copy", 2, NULL, NULL},
    {"host to device, pinned", "copy", 3, NULL, NULL},
    {"device to host, pinned", "copy", 4, NULL, NULL},
    {"shared memory, throughput", "banks", 1, "stride 1", NULL},
    {"shared memory, latency", "latency", 2, "stride 128", NULL},
    {"device memory, latency", "latency", 1, "stride 128", NULL},
    {"dependent dispatch", "launch", 1, NULL, NULL},
    {"submit to complete", "launch", 3, NULL, NULL},
    {"float32 multiply-adds", "instructions", 64, "waves 0", NULL},
    {"float32 multiply-add, latency", "instructions", 23, "waves 1", "ns a step"},
    {"float64 multiply-adds", "instructions", 73, "waves 0", NULL},
    {"float16 multiply-adds, in pairs", "instructions", 83, "waves 0", NULL},
    {"int32 multiply-adds", "instructions", 2, "waves 0", NULL},
    {"int8 dot products (dp4a)", "instructions", 91, "waves 0", NULL},
    {"float32 reciprocal square roots", "instructions", 29, "waves 0", NULL},
    {"float16 tensor cores", "tensor", 4, NULL, NULL},
    {NULL, NULL, 0, NULL, NULL},
};

bool xb_is_peak(const xb_peak *peak, const xb_result *r)
{
  char at[XB_AT_TEXT];
  return r->outcome != XB_CELL_PENDING && r->yardstick != 1 && r->variant_number == peak->variant &&
         !strcmp(r->benchmark, peak->benchmark) && (!peak->at || !strcmp(xb_result_at(r, at), peak->at));
}
