/* The porting guide's own pairs: a case is a small shader, its twin in CUDA (guide.def), and a function here that runs
 * one of them on a device and says what it saw. Three kinds of lines come of it: what was seen, and may be otherwise
 * elsewhere; and what was asserted, which holds or fails. A difference between APIs that the guide tells of is no
 * failure; that it is no longer as told, is. */
#ifndef XB_GUIDE_H
#define XB_GUIDE_H

#include "guide/guide_args.h"
#include "xb/gpu.h"

enum { XB_GUIDE_MAX_LINES = 64, XB_GUIDE_MAX_KEPT = 16, XB_GUIDE_MAX_APIS = 8 };

typedef enum xb_guide_kind { XB_GUIDE_SEEN, XB_GUIDE_HOLDS, XB_GUIDE_FAILS, XB_GUIDE_KINDS } xb_guide_kind;

typedef struct xb_guide_line {
  const char *api; /* "cuda", "vulkan", or "port": of all of them */
  xb_guide_kind kind;
  char text[240];
} xb_guide_line;

typedef struct xb_guide_lines {
  xb_guide_line lines[XB_GUIDE_MAX_LINES];
  size_t count;
  size_t of_kind[XB_GUIDE_KINDS];
} xb_guide_lines;

/* How one result of a case is expected to be on several APIs. */
typedef enum xb_guide_agreement {
  XB_AGREES_BIT_FOR_BIT,
  XB_AGREES_WITHIN, /* floats, by at most a bound */
  XB_MAY_DIFFER,    /* only told */
} xb_guide_agreement;

typedef struct xb_guide_result {
  const char *what;
  xb_guide_agreement agreement;
  double bound;
  size_t count; /* words */
  uint32_t *words[XB_GUIDE_MAX_APIS];
} xb_guide_result;

typedef struct xb_guide_case xb_guide_case;

/* A case on its way through the APIs. Not thread-safe. */
typedef struct xb_guide {
  const xb_guide_case *of;
  xb_guide_lines said;
  xb_guide_result results[XB_GUIDE_MAX_KEPT];
  size_t result_count, api_count;
  const char *apis[XB_GUIDE_MAX_APIS];

  /* The API in turn. */
  size_t api;
  xb_device *device;
  const xb_device_info *info;
  bool cuda;      /* else HLSL */
  bool glslc;     /* the HLSL was compiled by glslc */
  bool cost;      /* costs were asked for */
  xb_code code;   /* of what went wrong with the device; the case ends there */
  xb_error error; /* ... in words */
} xb_guide;

struct xb_guide_case {
  const char *name, *title;
  void (*run)(xb_guide *g);
};

extern const xb_guide_case xb_guide_cases[];
extern const size_t xb_guide_case_count;
const xb_guide_case *xb_guide_case_find(const char *name); /* NULL if there is none */

/* ---- What a case says ------------------------------------------------------------------------------------------- */

/* False where it fails. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool xb_guide_say(xb_guide *g, const char *api, xb_guide_kind kind, const char *format, ...);
/* Of the API in turn: what was seen, and whether something holds, which the second returns. */
#define xb_guide_seen(g, ...) xb_guide_say(g, (g)->apis[(g)->api], XB_GUIDE_SEEN, __VA_ARGS__)
#define xb_guide_assert(g, holds, ...)                                                                                 \
  xb_guide_say(g, (g)->apis[(g)->api], (holds) ? XB_GUIDE_HOLDS : XB_GUIDE_FAILS, __VA_ARGS__)

/* Asserts that `got` is what the CPU says, and keeps it: all APIs have to agree on it bit for bit. `what` is static. */
bool xb_guide_same(xb_guide *g, const char *what, const uint32_t *got, const uint32_t *expected, size_t count);
/* Asserts that a float is near what the CPU says, and keeps it. */
bool xb_guide_near(xb_guide *g, const char *what, float got, double expected, double bound);
/* Keeps what no specification promises, so that it can be told whether the APIs differ. */
void xb_guide_keep(xb_guide *g, const char *what, const uint32_t *got, size_t count);
/* After the last API: holds what was kept of each against the first. */
void xb_guide_agree(xb_guide *g);
/* Ends a case: frees what was kept. */
void xb_guide_end(xb_guide *g);
void xb_guide_print(const xb_guide *g);

/* ---- What a case runs ------------------------------------------------------------------------------------------- */

/* One dispatch: binding 0 is `in`, 1 is `out`, 2 is scratch that starts as zeros. Where there is no `in`, or no
 * scratch, the code must not use it. */
typedef struct xb_guide_job {
  const char *entry;
  const void *in;
  void *out; /* contents before, and after */
  size_t in_bytes, out_bytes, scratch_bytes;
  xb_u32 group_size[3]; /* 0: GUIDE_BLOCK, 1, 1 */
  xb_u32 groups[3];     /* 0: as many as it takes for args.n threads, and 1 */
  xb_u32 dynamic_shared_bytes;
  xb_u32 times;      /* 0: once; else with barriers between */
  double *device_ns; /* NULL, or where the device's time goes, of all dispatches and the barriers between */
  struct xb_guide_args args;
} xb_guide_job;

/* All of an array, in the initialiser of a job. */
#define XB_GUIDE_IN(array) .in = (array), .in_bytes = sizeof(array)
#define XB_GUIDE_OUT(array) .out = (array), .out_bytes = sizeof(array)

/* False when it did not run: g->code and g->error say why, and the case should return. */
bool xb_guide_run(xb_guide *g, const xb_guide_job *job);
/* The same, and asserts that all of `out` is `expected`, as xb_guide_same does. */
bool xb_guide_expect(xb_guide *g, const xb_guide_job *job, const char *what, const void *expected);
/* The same, but nothing went wrong with the case if it is refused. */
xb_code xb_guide_try(xb_guide *g, const xb_guide_job *job, xb_error *error);

/* Says what a dispatch of the job costs here, by the device's clock, if costs were asked for. What it leaves behind is
 * not looked at: the case has held it before. */
void xb_guide_cost(xb_guide *g, const char *what, const xb_guide_job *job);

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

uint32_t xb_guide_bits(float x);
float xb_guide_float(uint32_t bits);
/* The same on every machine. */
uint32_t xb_guide_random(uint32_t i);
/* From low to high, evenly. */
float xb_guide_random_float(uint32_t i, float low, float high);
/* Distance of `got` from `exact` in units of the last place of a float of that size. */
double xb_guide_ulp(float got, double exact);

#endif
