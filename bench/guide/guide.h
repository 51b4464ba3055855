/* The cases of the porting guide. A case is a small shader, its CUDA counterpart (guide.def), and a function that runs
 * one of them on a device and reports lines of three kinds. Observations ("seen") may be different elsewhere;
 * assertions hold or fail. A difference between APIs that the guide describes is not a failure. It is a failure if the
 * description is no longer true. */
#ifndef XB_GUIDE_H
#define XB_GUIDE_H

#include "guide/guide_args.h"
#include "xb/gpu.h"

enum { XB_GUIDE_MAX_LINES = 64, XB_GUIDE_MAX_KEPT = 16, XB_GUIDE_MAX_APIS = 8 };

typedef enum xb_guide_kind { XB_GUIDE_SEEN, XB_GUIDE_HOLDS, XB_GUIDE_FAILS, XB_GUIDE_KINDS } xb_guide_kind;

typedef struct xb_guide_line {
  const char *api; /* "cuda", "vulkan", or "port": all APIs together */
  xb_guide_kind kind;
  char text[240];
} xb_guide_line;

typedef struct xb_guide_lines {
  xb_guide_line lines[XB_GUIDE_MAX_LINES];
  size_t count;
  size_t of_kind[XB_GUIDE_KINDS];
} xb_guide_lines;

/* How the results of several APIs must agree. */
typedef enum xb_guide_agreement {
  XB_AGREES_BIT_FOR_BIT,
  XB_AGREES_WITHIN, /* floats, by at most a bound */
  XB_MAY_DIFFER,    /* a difference is only reported */
} xb_guide_agreement;

typedef struct xb_guide_result {
  const char *what;
  xb_guide_agreement agreement;
  double bound;
  size_t count; /* words */
  uint32_t *words[XB_GUIDE_MAX_APIS];
} xb_guide_result;

typedef struct xb_guide_case xb_guide_case;

/* A running case. It runs on one API after another. Not thread-safe. */
typedef struct xb_guide {
  const xb_guide_case *of;
  xb_guide_lines said;
  xb_guide_result results[XB_GUIDE_MAX_KEPT];
  size_t result_count, api_count;
  const char *apis[XB_GUIDE_MAX_APIS];

  /* The current API. */
  size_t api;
  xb_device *device;
  const xb_device_info *info;
  bool cuda;      /* else HLSL */
  bool glslc;     /* the HLSL was compiled by glslc */
  bool cost;      /* --cost was given */
  xb_code code;   /* an error of the device ends the case */
  xb_error error; /* its message */
} xb_guide;

struct xb_guide_case {
  const char *name, *entries, *title; /* entries: as in guide.def */
  void (*run)(xb_guide *g);
};

extern const xb_guide_case xb_guide_cases[];
extern const size_t xb_guide_case_count;
const xb_guide_case *xb_guide_case_find(const char *name); /* NULL if there is none */

/* ---- Lines and results ------------------------------------------------------------------------------------------ */

/* Adds a line. Returns false if `kind` is XB_GUIDE_FAILS. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool xb_guide_say(xb_guide *g, const char *api, xb_guide_kind kind, const char *format, ...);
/* Add an observation or an assertion for the current API. The second returns `holds`. */
#define xb_guide_seen(g, ...) xb_guide_say(g, (g)->apis[(g)->api], XB_GUIDE_SEEN, __VA_ARGS__)
#define xb_guide_assert(g, holds, ...)                                                                                 \
  xb_guide_say(g, (g)->apis[(g)->api], (holds) ? XB_GUIDE_HOLDS : XB_GUIDE_FAILS, __VA_ARGS__)

/* Asserts that `got` is the CPU's result, and keeps it: all APIs must agree bit for bit. `what` is a static string. */
bool xb_guide_same(xb_guide *g, const char *what, const uint32_t *got, const uint32_t *expected, size_t count);
/* Asserts that a float differs from the CPU's result by at most `bound`, and keeps it. */
bool xb_guide_near(xb_guide *g, const char *what, float got, double expected, double bound);
/* Keeps a result that no specification guarantees, to report if the APIs differ. */
void xb_guide_keep(xb_guide *g, const char *what, const uint32_t *got, size_t count);
/* After the last API: compares the kept results of each API with those of the first. */
void xb_guide_agree(xb_guide *g);
/* Ends a case: frees the kept results. */
void xb_guide_end(xb_guide *g);
void xb_guide_print(const xb_guide *g);

/* ---- Jobs ------------------------------------------------------------------------------------------------------- */

/* One dispatch. Binding 0 is `in`, 1 is `out`, 2 is scratch, filled with zeros. If `in` is NULL or scratch_bytes is 0,
 * the kernel must not use that binding. */
typedef struct xb_guide_job {
  const char *entry;
  const void *in;
  void *out; /* contents before and after the dispatch */
  size_t in_bytes, out_bytes, scratch_bytes;
  xb_u32 group_size[3]; /* 0: GUIDE_BLOCK, 1, 1 */
  xb_u32 groups[3];     /* 0: enough for args.n threads in x, and 1 in y and z */
  xb_u32 dynamic_shared_bytes;
  bool full_waves;    /* it reads other lanes by number, so all have to exist */
  xb_u32 times;       /* dispatches, with barriers between them; 0: one */
  const char *then;   /* NULL, or an entry point that runs afterwards; scratch is read-only then */
  xb_u32 then_groups; /* in x; 0: an indirect dispatch, whose group counts are the first three words of scratch */
  double *device_ns;  /* NULL, or receives the device time of all dispatches and barriers */
  struct xb_guide_args args;
} xb_guide_job;

/* Initialise a job with a whole array. */
#define XB_GUIDE_IN(array) .in = (array), .in_bytes = sizeof(array)
#define XB_GUIDE_OUT(array) .out = (array), .out_bytes = sizeof(array)

/* Runs the job. Returns false on an error: g->code and g->error are set, and the case should return. */
bool xb_guide_run(xb_guide *g, const xb_guide_job *job);
/* The same, and asserts that `out` is equal to `expected`, as xb_guide_same() does. */
bool xb_guide_expect(xb_guide *g, const xb_guide_job *job, const char *what, const void *expected);
/* The same, but an error is only returned, so the case can continue. */
xb_code xb_guide_try(xb_guide *g, const xb_guide_job *job, xb_error *error);

/* Runs an entry point that this build or this device may lack, and reports by name if it does: false, and the case
 * continues. `needs` names the feature. */
bool xb_guide_optional(xb_guide *g, const xb_guide_job *job, const char *needs);
/* The entry point of the case that needs DXC, if this program was built without it; else NULL. */
const char *xb_guide_lacks(const xb_guide_case *c);
/* With --cost, reports the device time of one dispatch of the job. Does not check the results. */
void xb_guide_cost(xb_guide *g, const char *what, const xb_guide_job *job);

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

uint32_t xb_guide_bits(float x);
float xb_guide_float(uint32_t bits);
/* The same on every machine. */
uint32_t xb_guide_random(uint32_t i);
/* From low to high, evenly. */
float xb_guide_random_float(uint32_t i, float low, float high);
/* The error of `got` in ULP, units in the last place of `exact` as a float. */
double xb_guide_ulp(float got, double exact);

#endif
