/* The same all-reduce by NVIDIA's library (NCCL 2), which is opened at run time. */
#include "scale/scale.h"

#include "benchmarks/allreduce/schedule.h"
#include "core/clock.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { ID_BYTES = 128, ELEMENT_BYTES = 4, TYPE_INT32 = 2, TYPE_FLOAT32 = 7, OP_SUM = 0, INVALID_USAGE = 5 };

/* As nccl.h has them; their ABI is the same in all versions 2. */
typedef struct unique_id {
  char bytes[ID_BYTES];
} unique_id;
typedef struct functions {
  int (*get_unique_id)(unique_id *id);
  int (*comm_init_rank)(void **comm, int count, unique_id id, int rank);
  int (*all_reduce)(const void *send, void *receive, size_t count, int type, int op, void *comm, void *stream);
  int (*comm_destroy)(void *comm);
  const char *(*get_error_string)(int result);
} functions;

typedef struct nccl {
  xb_work work;
  xb_scale_member *m;
  xb_case c;
  functions f;
  unique_id id;
  void *comm;
  uint32_t members;
  uint64_t bytes;
  xb_buffer *original, *data;
  xb_commands *restore;
} nccl;

static bool find(void *library, const char *name, void *function)
{
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol;
}

static xb_code open_library(functions *f, xb_error *err)
{
  void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library && find(library, "ncclGetUniqueId", &f->get_unique_id) &&
      find(library, "ncclCommInitRank", &f->comm_init_rank) && find(library, "ncclAllReduce", &f->all_reduce) &&
      find(library, "ncclCommDestroy", &f->comm_destroy) && find(library, "ncclGetErrorString", &f->get_error_string))
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, "nccl",
                 "libnccl.so.2 cannot be opened (%s): install NCCL, or add its folder to LD_LIBRARY_PATH",
                 library ? "it lacks functions" : dlerror());
}

static xb_code result_of(const nccl *s, const char *call, int result, xb_error *err)
{
  const xb_code code = result == INVALID_USAGE ? XB_UNSUPPORTED : XB_INTERNAL; /* two members on one GPU */
  return result ? xb_fail(err, code, call, "%s", s->f.get_error_string(result)) : XB_OK;
}

/* The device is current. */
static xb_code join(const xb_native *native, void *user, xb_error *err)
{
  nccl *s = user;
  (void)native;
  return result_of(s, "ncclCommInitRank", s->f.comm_init_rank(&s->comm, (int)s->members, s->id, (int)s->m->team->rank),
                   err);
}

static xb_code leave(const xb_native *native, void *user, xb_error *err)
{
  nccl *s = user;
  (void)native;
  return result_of(s, "ncclCommDestroy", s->f.comm_destroy(s->comm), err);
}

/* NCCL does not support graphs of several GPUs in one process. So its kernels go to the default stream, and the host
 * waits there: cuStreamQuery, because cuStreamSynchronize has no time limit. */
static xb_code reduce(const xb_native *native, void *user, xb_error *err)
{
  enum { CU_NOT_READY = 600 };
  const nccl *s = user;
  const xb_proc proc = native->proc(native->device, "cuStreamQuery");
  int (*query)(void *stream) = (int (*)(void *))proc;
  if (!query)
    return xb_fail(err, XB_UNSUPPORTED, "nccl", "the driver has no cuStreamQuery");
  const double end = xb_clock_ns() + s->m->scaling->wait_limit_s * 1e9;
  const void *original = (const void *)(uintptr_t)xb_buffer_native(s->original);
  void *data = (void *)(uintptr_t)xb_buffer_native(s->data);
  const int type = s->c.dtype == XB_FLOAT32 ? TYPE_FLOAT32 : TYPE_INT32;
  const int result = s->f.all_reduce(original, data, s->bytes / ELEMENT_BYTES, type, OP_SUM, s->comm, NULL);
  if (result)
    return result_of(s, "ncclAllReduce", result, err);
  int state;
  while ((state = query(NULL)) == CU_NOT_READY)
    if (xb_clock_ns() > end)
      return xb_fail(err, XB_TIMEOUT, "ncclAllReduce", "not done after %g s (--wait-limit)",
                     s->m->scaling->wait_limit_s);
  return state ? xb_fail(err, XB_LOST, "ncclAllReduce", "cuStreamQuery: CUDA error %d", state) : XB_OK;
}

static xb_code restore(xb_work *work, xb_error *err)
{
  const nccl *s = (nccl *)work;
  return xb_scale_execute(s->m->scaling, s->m->device, s->restore, err);
}

static xb_code run(xb_work *work, double *ready_ns, xb_error *err)
{
  const nccl *s = (nccl *)work;
  *ready_ns = xb_clock_ns();
  return xb_device_native(s->m->device, reduce, (void *)s, err);
}

static xb_code check(xb_work *work, xb_error *err)
{
  const nccl *s = (nccl *)work;
  return xb_vector_check(&s->c, s->data, s->members, err);
}

static void end(xb_work *work)
{
  nccl *s = (nccl *)work;
  xb_commands_destroy(s->restore);
  if (s->comm && !*s->m->team->gone) /* it may wait for the others */
    xb_device_native(s->m->device, leave, s, NULL);
  xb_buffer_destroy(s->original);
  xb_buffer_destroy(s->data);
  free(s);
}

static xb_code create(nccl *s, xb_error *err)
{
  const xb_buffer_desc desc = {.label = "vector", .bytes = s->bytes};
  xb_code code = xb_buffer_create(s->m->device, &desc, &s->original, err);
  code = code ? code : xb_buffer_create(s->m->device, &desc, &s->data, err);
  code = code ? code : xb_vector_fill(&s->c, s->original, s->m->team->rank, err);
  code = code ? code : xb_commands_create(s->m->device, &(xb_commands_desc){.label = "poison"}, &s->restore, err);
  if (!code)
    xb_cmd_fill(s->restore, s->data, 0, s->bytes, XB_POISON);
  code = code ? code : xb_commands_finish(s->restore, err);
  return xb_team_agree(s->m->team, code, err); /* the first call connects, and waits for all members */
}

/* Joining waits for all members: each of them must come. */
static xb_code prepare(nccl *s, xb_error *err)
{
  xb_team *team = s->m->team;
  unique_id all[XB_MOST_MEMBERS];
  xb_code code = !s->m->info.compute_capability ? xb_fail(err, XB_UNSUPPORTED, "nccl", "NCCL is a library for CUDA")
                                                : open_library(&s->f, err);
  if (!code && !team->rank)
    code = result_of(s, "ncclGetUniqueId", s->f.get_unique_id(&s->id), err);
  code = xb_team_agree(team, code, err);
  code = code ? code : xb_team_gather(team, &s->id, all, sizeof s->id, err);
  if (code)
    return code;
  s->id = all[0];
  code = xb_team_agree(team, xb_device_native(s->m->device, join, s, err), err);
  return code ? code : create(s, err);
}

xb_code xb_nccl_begin(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  nccl *s = calloc(1, sizeof *s);
  const xb_code code = xb_team_agree(m->team, s ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory"), err);
  if (code) {
    free(s);
    return code;
  }
  s->work = (xb_work){.restore = restore, .run = run, .check = check, .end = end};
  s->m = m;
  s->c = m->scaling->like;
  s->members = p->members;
  s->bytes = xb_allreduce_length(s->c.n) * ELEMENT_BYTES;
  *work = &s->work;
  return prepare(s, err);
}
