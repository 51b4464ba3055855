/* Runs one entry point of a case on small buffers, and measures its time. */
#include "guide/guide.h"

#include "benchmarks/registry.h"
#include "blob.h"
#include "compile/compile.h"
#include "judge/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t WAIT_LIMIT_NS = 60ull * 1000 * 1000 * 1000;

typedef struct objects {
  xb_buffer *in, *out, *scratch, *upload, *readback;
  xb_kernel *kernel, *then;
  xb_commands *commands;
} objects;

/* Code is compiled for one entry point, or for all of them together. */
static const xb_blob *find_code(const xb_guide *g, const char *entry)
{
  char name[96];
  snprintf(name, sizeof name, "guide/%s.%s.%s", g->of->name, entry, g->info->code);
  const xb_blob *blob = xb_blob_find(name);
  snprintf(name, sizeof name, "guide/%s.%s", g->of->name, g->info->code);
  return blob ? blob : xb_blob_find(name);
}

const char *xb_guide_lacks(const xb_guide_case *c)
{
  char name[96];
  const char *marked = strstr(c->entries, "dxc:"), *entry = marked ? marked + strlen("dxc:") : NULL;
  if (entry)
    snprintf(name, sizeof name, "guide/%s.%.*s.spv", c->name, (int)strcspn(entry, " "), entry);
  return entry && !xb_blob_find(name) ? entry : NULL;
}

static xb_code create_kernel(const xb_guide *g, const xb_guide_job *job, const char *entry, xb_kernel **kernel,
                             xb_error *err)
{
  const bool now = !strcmp(g->info->code, "fatbin") && xb_first_run_needed();
  const xb_blob *blob = find_code(g, entry);
  if (!blob && !now)
    return xb_fail(err, XB_UNSUPPORTED, g->of->name, "this program has no code for %s on %s", entry, g->info->backend);
  if (blob && xb_blob_left_out(blob))
    return xb_fail(err, XB_UNSUPPORTED, g->of->name, "%s", xb_blob_left_out(blob));
  xb_kernel_desc desc = {
      .label = g->of->name,
      .code = blob ? blob->data : NULL,
      .code_bytes = blob ? blob->bytes : 0,
      .entry = entry,
      .group_size = {GUIDE_BLOCK, 1, 1},
      .dynamic_shared_bytes = job->dynamic_shared_bytes,
      .binding_count = job->scratch_bytes ? 3 : 2,
      .unused_bindings = job->in ? 0 : 1,
      .arg_bytes = sizeof job->args,
      .subgroup_size = job->full_waves ? g->info->subgroup_size : 0,
  };
  if (job->group_size[0])
    memcpy(desc.group_size, job->group_size, sizeof desc.group_size);
  char source[96];
  snprintf(source, sizeof source, "guide/%s", g->of->name);
  const xb_code code = now ? xb_find_at_first_run(NULL, source, g->info->compute_capability, &desc, err) : XB_OK;
  return code ? code : xb_kernel_create(g->device, &desc, kernel, err);
}

static xb_code create_buffers(const xb_guide *g, const xb_guide_job *job, objects *o, xb_error *err)
{
  const uint64_t in = job->in ? job->in_bytes : 4;
  const struct {
    xb_buffer **buffer;
    xb_buffer_desc desc;
  } all[] = {
      {&o->in, {.label = "in", .mem = XB_MEM_DEVICE, .bytes = in}},
      {&o->out, {.label = "out", .mem = XB_MEM_DEVICE, .bytes = job->out_bytes}},
      {&o->scratch, {.label = "scratch", .mem = XB_MEM_DEVICE, .bytes = job->scratch_bytes}},
      {&o->upload, {.label = "upload", .mem = XB_MEM_UPLOAD, .bytes = in + job->out_bytes}},
      {&o->readback, {.label = "readback", .mem = XB_MEM_READBACK, .bytes = job->out_bytes}},
  };
  xb_code code = XB_OK;
  for (size_t i = 0; i < sizeof all / sizeof *all && !code; i++)
    if (all[i].desc.bytes)
      code = xb_buffer_create(g->device, &all[i].desc, all[i].buffer, err);
  if (code)
    return code;
  char *host = xb_buffer_host(o->upload);
  if (job->in)
    memcpy(host, job->in, job->in_bytes);
  memcpy(host + in, job->out, job->out_bytes);
  return XB_OK;
}

/* A second kernel, after a barrier. */
static void record_then(const xb_guide_job *job, const objects *o, xb_dispatch dispatch, xb_binding bindings[3])
{
  bindings[2].access = XB_READ;
  dispatch.kernel = o->then;
  memcpy(dispatch.groups, (const uint32_t[]){job->then_groups, 1, 1}, sizeof dispatch.groups);
  xb_cmd_barrier(o->commands);
  if (job->then_groups)
    xb_cmd_dispatch(o->commands, &dispatch);
  else
    xb_cmd_dispatch_indirect(o->commands, &dispatch, o->scratch, 0);
}

static void record(const xb_guide_job *job, const objects *o)
{
  const uint64_t in = job->in ? job->in_bytes : 4;
  const uint32_t threads = job->group_size[0] ? job->group_size[0] : GUIDE_BLOCK;
  xb_binding bindings[] = {
      {.buffer = o->in, .access = XB_READ},
      {.buffer = o->out, .access = XB_READ_WRITE},
      {.buffer = o->scratch, .access = XB_READ_WRITE},
  };
  xb_dispatch dispatch = {
      .kernel = o->kernel,
      .bindings = bindings,
      .binding_count = job->scratch_bytes ? 3 : 2,
      .args = &job->args,
      .arg_bytes = sizeof job->args,
      .groups = {(job->args.n + threads - 1) / threads, 1, 1},
  };
  if (job->groups[0])
    memcpy(dispatch.groups, job->groups, sizeof dispatch.groups);
  if (job->in)
    xb_cmd_copy(o->commands, o->in, 0, o->upload, 0, in);
  xb_cmd_copy(o->commands, o->out, 0, o->upload, in, job->out_bytes);
  if (job->scratch_bytes)
    xb_cmd_fill(o->commands, o->scratch, 0, job->scratch_bytes, 0);
  if (job->device_ns)
    xb_cmd_timestamp(o->commands, 0);
  for (uint32_t i = 0; i < (job->times ? job->times : 1); i++) {
    xb_cmd_barrier(o->commands);
    xb_cmd_dispatch(o->commands, &dispatch);
  }
  if (job->then)
    record_then(job, o, dispatch, bindings);
  if (job->device_ns)
    xb_cmd_timestamp(o->commands, 1);
  xb_cmd_barrier(o->commands);
  xb_cmd_copy(o->commands, o->readback, 0, o->out, 0, job->out_bytes);
}

static void destroy(objects *o)
{
  xb_commands_destroy(o->commands);
  xb_kernel_destroy(o->kernel);
  xb_kernel_destroy(o->then);
  xb_buffer *const buffers[] = {o->in, o->out, o->scratch, o->upload, o->readback};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    xb_buffer_destroy(buffers[i]);
}

xb_code xb_guide_try(xb_guide *g, const xb_guide_job *job, xb_error *err)
{
  objects o = {0};
  xb_point done;
  double stamps[2];
  const xb_commands_desc list = {.label = g->of->name, .timestamp_count = job->device_ns ? 2 : 0};
  xb_code code = create_kernel(g, job, job->entry, &o.kernel, err);
  if (!code && job->then)
    code = create_kernel(g, job, job->then, &o.then, err);
  if (!code)
    code = create_buffers(g, job, &o, err);
  if (!code)
    code = xb_commands_create(g->device, &list, &o.commands, err);
  if (code)
    goto end;
  record(job, &o);
  code = xb_submit(g->device, &(xb_submission){.commands = o.commands}, &done, err);
  if (!code)
    code = xb_wait(g->device, done, WAIT_LIMIT_NS, err);
  if (!code && job->device_ns)
    code = xb_commands_timestamps(o.commands, stamps, 2, err);
  if (code)
    goto end;
  memcpy(job->out, xb_buffer_host(o.readback), job->out_bytes);
  if (job->device_ns)
    *job->device_ns = stamps[1];
end:
  destroy(&o);
  return code;
}

bool xb_guide_run(xb_guide *g, const xb_guide_job *job)
{
  g->code = xb_guide_try(g, job, &g->error);
  return !g->code;
}

bool xb_guide_expect(xb_guide *g, const xb_guide_job *job, const char *what, const void *expected)
{
  const bool ran = xb_guide_run(g, job);
  if (ran)
    xb_guide_same(g, what, job->out, expected, job->out_bytes / sizeof(uint32_t));
  return ran;
}

bool xb_guide_optional(xb_guide *g, const xb_guide_job *job, const char *needs)
{
  xb_error error;
  const xb_code code = xb_guide_try(g, job, &error);
  if (code == XB_UNSUPPORTED)
    xb_guide_seen(g, "%s was skipped: it needs %s: %s", job->entry, needs, error.message);
  else if (code) {
    g->code = code;
    g->error = error;
  }
  return !code;
}

/* With --cost. Times are reported, never asserted. */
void xb_guide_cost(xb_guide *g, const char *what, const xb_guide_job *job)
{
  enum { SAMPLES = 15, DISPATCHES = 100 };
  double ns[SAMPLES] = {0};
  xb_error error;
  xb_guide_job timed = *job;
  if (!g->cost || !(timed.out = malloc(job->out_bytes)))
    return;
  xb_code code = XB_OK;
  timed.times = DISPATCHES;
  for (int i = 0; i < SAMPLES && !code; i++) {
    memset(timed.out, 0, job->out_bytes);
    timed.device_ns = &ns[i];
    code = xb_guide_try(g, &timed, &error);
  }
  free(timed.out);
  if (code) {
    xb_guide_seen(g, "cost of %s: %s", what, error.message);
    return;
  }
  double scratch[SAMPLES];
  const xb_stats s = xb_statistics(ns, SAMPLES, 1, scratch);
  xb_guide_seen(g, "cost of %s: %.2f us a dispatch (%.2f to %.2f; median of %d times %d, barriers between)", what,
                s.median / DISPATCHES / 1e3, s.minimum / DISPATCHES / 1e3, s.maximum / DISPATCHES / 1e3, SAMPLES,
                DISPATCHES);
}
