/* Strong and weak scaling: the same work by 1, 2, ... members of a team. */
#ifndef XB_SCALE_H
#define XB_SCALE_H

#include "base/arena.h"
#include "formats/formats.h"
#include "measure/cell.h"
#include "scale/team.h"

#include <signal.h>

/* How the vectors of an all-reduce go from member to member. */
typedef enum xb_route {
  XB_ROUTE_HOST,    /* through memory of the host that all members see */
  XB_ROUTE_MESSAGE, /* through messages between members: copies on the host, or MPI */
  XB_ROUTE_PEER,    /* a device reads the other one's memory: CUDA, on one host */
  XB_ROUTE_INTEROP, /* Vulkan's buffers are CUDA's memory, which CUDA copies from device to device; on one host */
  XB_ROUTE_NCCL,    /* all of it is NVIDIA's library */
  XB_ROUTES
} xb_route;
const char *xb_route_name(xb_route route);

typedef struct xb_scale_member xb_scale_member;
typedef struct xb_scale_point xb_scale_point;
typedef struct xb_work xb_work;
typedef xb_code xb_begin_fn(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err);

/* What is measured. All members know it. */
typedef struct xb_scaling {
  const xb_variant *variant;
  xb_case like;        /* the whole, for one member: type, size, group size, seed */
  bool over_groups;    /* one device; a member is a multiprocessor, which gets as many groups as it holds */
  uint32_t most;       /* members of the largest point */
  uint32_t weak_block; /* over_groups: the group size of all weak points, which is that for the largest */
  double min_time_s, max_time_s, width, wait_limit_s;
  xb_begin_fn *begin; /* xb_parts_begin, xb_allreduce_begin */
  const volatile sig_atomic_t *stop;
} xb_scaling;

/* One measurement. */
struct xb_scale_point {
  bool weak;        /* each member has the whole's size; else they share it out */
  uint32_t members; /* that work; of a device: groups, by multiprocessors */
  bool allreduce;   /* by this route; else a benchmark whose inputs are split */
  xb_route route;
};

/* A member, with its device through one API. */
struct xb_scale_member {
  xb_team *team;
  const xb_scaling *scaling;
  xb_device *device;
  xb_device_info info;   /* completed from other APIs */
  uint64_t window_bytes; /* the smallest of all members */
};

/* When a member began, had done its own work, and had the result: nanoseconds on the clock of member 0. */
typedef struct xb_stamp {
  double begin, ready, end;
} xb_stamp;

/* A member's part of a point. */
struct xb_work {
  /* Untimed, before each run; may be NULL. */
  xb_code (*restore)(xb_work *work, xb_error *err);
  xb_code (*run)(xb_work *work, double *ready_ns, xb_error *err);
  /* Behind all runs: are the results right? */
  xb_code (*check)(xb_work *work, xb_error *err);
  void (*end)(xb_work *work);
  /* over_groups: the device timed it. What a run took by either clock, of so many in a row, and whether the plan is the
   * one that the kernel has by itself. */
  double device_ns, host_ns;
  uint32_t batch;
  bool own_plan;
  /* What all members' results add up to, after a run; only if `summed`. */
  bool summed;
  uint32_t sum;
};

/* Submits the list, and waits for it. */
xb_code xb_scale_execute(const xb_scaling *o, xb_device *device, xb_commands *list, xb_error *err);

/* Each member calls one of these. `*work` was NULL; if it is set, also on failure, the caller ends it. */
xb_begin_fn xb_parts_begin, xb_allreduce_begin, xb_nccl_begin;

/* The case of member `rank` of a point: of a matrix, it has whole rows. False if there are fewer elements, or rows,
 * than members. */
bool xb_scale_case(const xb_scale_member *m, const xb_scale_point *p, uint32_t rank, xb_case *c);
static inline uint32_t xb_scale_block(const xb_scaling *o, bool weak)
{
  return o->over_groups && weak ? o->weak_block : o->like.block;
}

enum { XB_SCALE_WARM_UP = 3 }; /* runs before the first sample, at the least; a GPU works for XB_AWAKE_NS */

/* What came of a point; member 0 has all of it. The caller frees it with xb_scaled_free. */
typedef struct xb_scaled {
  xb_scale_point point;
  xb_code code; /* or why there is no time: `error` */
  xb_error error;
  const char *stopped_by; /* as in a result */
  uint32_t warm_up_runs;
  double *samples_ns; /* first begin to last end */
  double *host_ns;    /* the same, by the host's clock */
  double host_median_ns;
  size_t count;
  xb_stats stats;
  uint32_t batch;              /* runs of a sample that the device timed; 0: the host timed it */
  bool own_plan;               /* it is the kernel as it is by itself */
  double start_ns, combine_ns; /* medians: last minus first begin; last ready to last end */
  double clock_error_ns;       /* the members' clocks are compared within this; 0: they have one */
  bool summed;
  uint32_t sum;         /* of all members' results: a whole number, or the bits of a float */
  uint32_t slowest;     /* the member whose own work most often took the longest */
  double slowest_share; /* of the samples */
  xb_stamp *shortest;   /* of each member in the shortest sample, since its first begin */
} xb_scaled;

/* Measures a point; all members of the team call it, also those that rest. XB_LOST: the team, or this member's device,
 * cannot be used any more. Other failures are those of the point, on all members alike. */
xb_code xb_scale_measure(xb_scale_member *m, const xb_scale_point *p, xb_scaled *scaled, xb_error *err);
void xb_scaled_free(xb_scaled *scaled);
/* True if it failed because a result was wrong. */
bool xb_scaled_wrong(const xb_scaled *scaled);
/* Compares the sums of two points that share out the same input. Whole numbers are equal; the rounding errors of floats
 * differ (reduce.c has the bound). A difference makes `scaled` wrong. */
void xb_scale_compare_sums(const xb_scaled *other, xb_dtype dtype, uint64_t n, xb_scaled *scaled);
/* The one error that says so. */
xb_code xb_scale_wrong(xb_error *err, const char *why);

/* ---- The laws (laws.c) ------------------------------------------------------------------------------------------- */

/* A number with its 95 % interval; NAN: unknown. */
typedef struct xb_estimate {
  double value;
  xb_interval ci95;
} xb_estimate;

/* Amdahl: T(N) = T(1) (s + (1 - s) / N). Gustafson: S = N - s (N - 1). s is the serial part of the work. */
double xb_speedup_of_amdahl(double parallel, double members);
double xb_speedup_of_gustafson(double parallel, double members);

#define XB_LAW_BOUND 0.05
typedef struct xb_fit {
  size_t points; /* it was made of: all but the largest */
  xb_estimate serial;
  uint32_t members;                      /* of the largest point */
  xb_estimate predicted_ns, measured_ns; /* its time */
  bool holds;                            /* the prediction is inside of the measured interval, or at most XB_LAW_BOUND
                                            of its ends outside */
} xb_fit;

/* T(1) / T(p) for strong scaling, p T(1) / T(p) for weak scaling, with a bootstrap over the samples. */
xb_estimate xb_scale_speedup(const xb_scaled *one, const xb_scaled *scaled);
/* Fits the serial part by least squares to all points but the largest, and predicts that one. The points are of one
 * kind and in order of their members; those without a time are left out. False if there are fewer than two points
 * beside the point of one member. */
bool xb_scale_fit(const xb_scaled *const *points, size_t count, xb_fit *fit);

/* ---- Results and text -------------------------------------------------------------------------------------------- */

/* All points of one API. */
typedef struct xb_scale_series {
  const xb_scaling *scaling;
  const xb_result_device *on; /* of member 0 */
  const xb_scaled *points;
  size_t count;
  const char (*hosts)[XB_HOST_BYTES]; /* of the members */
  bool shared;                        /* members have one device between them */
} xb_scale_series;

/* The result of a point, with the efficiency against one member if that was measured. NULL: out of host memory. The
 * benchmark of the result is in `*benchmark`. */
const xb_result *xb_scale_result(const xb_scale_series *s, size_t point, xb_arena *arena,
                                 xb_result_benchmark *benchmark);
/* GB/s or GFLOP/s of a point; of an all-reduce, of one vector. */
double xb_scale_speed(const xb_scale_series *s, const xb_scaled *scaled);
/* What each link of a ring carries at this speed. */
double xb_scale_bus_speed(double speed, uint32_t members);
/* Prints a table for each kind of scaling, with the fitted serial part. */
void xb_scale_print(const xb_scale_series *s);
/* One line: a point has ended. */
void xb_scale_print_point(const xb_scale_series *s, size_t point);

/* ---- Vectors (vectors.c) ------------------------------------------------------------------------------------------
 */

/* Uploads the vector of a member. */
xb_code xb_vector_fill(const xb_case *c, xb_buffer *vector, uint32_t member, xb_error *err);
/* Compares each element with the sum of all members' vectors. */
xb_code xb_vector_check(const xb_case *c, xb_buffer *vector, uint32_t members, xb_error *err);

/* ---- Memory of other devices (vectors.c) --------------------------------------------------------------------- */

/* The other members' vectors. PEER: the member's own device reads them. INTEROP: a helper copies from them, which is a
 * second device on the same GPU, through an API that sees the memory of other GPUs. */
typedef struct xb_link {
  xb_device *device;         /* that reaches the vectors */
  xb_device *helper;         /* INTEROP: this device, which the link closes; else NULL */
  xb_buffer *data, *arrived; /* INTEROP: the member's vector and what arrives, as the helper has them */
  xb_buffer **theirs;        /* by member; the own one is NULL */
  uint32_t members;
} xb_link;

/* INTEROP: allocates the vector and the buffer for what arrives in the helper's memory. `*data` and `*arrived` are the
 * same memory for the member's device. */
xb_code xb_link_open_helper(xb_link *link, const xb_scale_member *m, uint64_t bytes, uint64_t arrived_bytes,
                            xb_buffer **data, xb_buffer **arrived, xb_error *err);
/* Collective. Opens the other members' vectors; `data` is this member's, exportable. */
xb_code xb_link_open(xb_link *link, xb_scale_member *m, xb_buffer *data, xb_error *err);
/* INTEROP: a list that copies this part of a vector to what arrives, or to its own place in the own vector. */
xb_code xb_link_copy(xb_link *link, uint32_t from, uint64_t begin, uint64_t bytes, bool arrives, xb_commands **list,
                     xb_error *err);
void xb_link_close(xb_link *link);

#endif
