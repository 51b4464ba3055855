/* Streams, events and the work on them. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STREAMS = 64 };

typedef struct stream {
  fake_object object;
  fake_work *work;
  size_t count;
  fake_graph *capture;
} stream;

typedef struct event {
  fake_object object;
  unsigned flags;
  uint64_t recorded, completed; /* recordings so far */
  uint64_t time;
} event;

typedef struct semaphore {
  fake_object object;
  uint64_t value;
} semaphore;

static stream *streams[MOST_STREAMS];
static uint64_t clock_ticks;

/* ---- Work ------------------------------------------------------------------------------------------------------- */

static bool held(const fake_work *w)
{
  CUdeviceptr first;
  if (w->kind != FAKE_KERNEL || !w->function.holds || fake.holds_expire)
    return false;
  memcpy(&first, w->parameters, sizeof first);
  return !*(const uint32_t *)(uintptr_t)first;
}

static void run_kernel(const fake_work *w)
{
  uint32_t *from = NULL, *to = NULL, value = 0;
  size_t at = 0;
  fake.kernels_run++;
  memcpy(fake.parameters, w->parameters, sizeof fake.parameters);
  fake.parameter_bytes = w->parameter_bytes;
  for (unsigned i = 0; i < w->function.count; i++) {
    CUdeviceptr pointer;
    const size_t bytes = w->function.bytes[i];
    memcpy(bytes ? (void *)&value : &pointer, w->parameters + at, bytes ? sizeof value : sizeof pointer);
    at += bytes ? bytes : sizeof pointer;
    if (bytes)
      continue;
    pointer = fake_behind(pointer);
    if (!fake_memory(pointer, 4))
      fake_broken("a kernel was given memory that was not allocated");
    to = (uint32_t *)(uintptr_t)pointer;
    from = from ? from : to;
  }
  if (!to || fake.broken)
    return;
  /* The last buffer becomes the first plus the last value. */
  if (w->function.holds)
    from[1] = fake.holds_expire;
  else if (w->function.steps)
    for (uint32_t i = 0, *args = (uint32_t *)(w->parameters + 16); i < args[0]; i++)
      to[i] = from[i] * args[1] + args[2];
  else
    *to = *from + value;
}

static void check_range(CUdeviceptr at, size_t bytes)
{
  if (!fake_memory(at, bytes))
    fake_broken("a copy or a fill exceeds its memory");
}

void fake_do(const fake_work *w)
{
  switch (w->kind) {
  case FAKE_KERNEL: run_kernel(w); break;
  case FAKE_COPY:
    check_range(w->dst, w->bytes);
    check_range(w->src, w->bytes);
    if (!fake.broken)
      memmove((void *)(uintptr_t)w->dst, (void *)(uintptr_t)w->src, w->bytes);
    break;
  case FAKE_FILL:
    check_range(w->dst, w->bytes);
    for (size_t i = 0; i < w->bytes / 4 && !fake.broken; i++)
      ((uint32_t *)(uintptr_t)w->dst)[i] = w->word;
    break;
  case FAKE_RECORD: fake_record_now(w->event); break;
  case FAKE_LAUNCH: {
    fake_exec *exec = fake_get(w->exec, FAKE_EXEC);
    if (exec)
      fake_run_graph(exec->graph);
    break;
  }
  case FAKE_SIGNAL: {
    semaphore *s = fake_get(w->semaphore, FAKE_SEMAPHORE);
    if (s && s->value >= w->recording)
      fake_broken("a semaphore does not grow");
    if (s)
      s->value = w->recording;
    break;
  }
  case FAKE_AWAIT:
  case FAKE_WAIT:
  case FAKE_NOTHING: break;
  }
  if (w->child)
    fake_run_graph(w->child);
}

void fake_record_now(CUevent handle)
{
  event *e = fake_get(handle, FAKE_EVENT);
  if (!e)
    return;
  if (e->completed == e->recorded)
    e->recorded++; /* by a graph's node */
  e->completed++;
  clock_ticks += 1 + fake.skip_us;
  fake.skip_us = 0;
  e->time = clock_ticks;
}

static bool blocked(const fake_work *w)
{
  const event *e = w->kind == FAKE_WAIT ? fake_get(w->event, FAKE_EVENT) : NULL;
  const semaphore *s = w->kind == FAKE_AWAIT ? fake_get(w->semaphore, FAKE_SEMAPHORE) : NULL;
  return held(w) || (e && e->completed < w->recording) || (s && s->value < w->recording);
}

/* One step on each stream, the last one first. */
static void step(void)
{
  for (int i = MOST_STREAMS - 1; i >= 0 && !fake.hung; i--) {
    stream *s = streams[i];
    if (!s || !s->count || blocked(s->work))
      continue;
    const fake_work work = s->work[0];
    memmove(s->work, s->work + 1, --s->count * sizeof *s->work);
    fake_do(&work);
  }
}

static CUresult add(CUstream handle, const fake_work *work, CUresult result)
{
  stream *s = fake_get(handle, FAKE_STREAM);
  if (!s || result)
    return result ? result : CUDA_ERROR_INVALID_HANDLE;
  if (s->capture)
    return fake_capture(s->capture, work);
  s->work = realloc(s->work, (s->count + 1) * sizeof *s->work);
  s->work[s->count++] = *work;
  return CUDA_SUCCESS;
}

static bool in_flight(const void *handle)
{
  for (int i = 0; i < MOST_STREAMS; i++)
    for (size_t k = 0; streams[i] && k < streams[i]->count; k++)
      if ((void *)streams[i]->work[k].event == handle || (void *)streams[i]->work[k].exec == handle)
        return true;
  return false;
}

void fake_clear_stream(fake_object *object)
{
  stream *s = (stream *)object;
  for (int i = 0; i < MOST_STREAMS; i++)
    if (streams[i] == s)
      streams[i] = NULL;
  free(s->work);
  s->work = NULL;
  s->count = 0;
}

void fake_clear_exec(fake_object *object)
{
  fake_exec *exec = (fake_exec *)object;
  fake_free_nodes(exec->graph);
  free(exec->graph);
}

/* ---- Streams ---------------------------------------------------------------------------------------------------- */

CUresult cuStreamCreate(CUstream *handle, unsigned flags)
{
  (void)flags;
  const CUresult result = fake_enter_context("cuStreamCreate");
  if (result)
    return result;
  stream *s = fake_new(FAKE_STREAM, sizeof *s);
  int i = 0;
  while (streams[i])
    i++;
  streams[i] = s;
  *handle = (CUstream)(void *)s;
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream handle)
{
  stream *s = fake_get(handle, FAKE_STREAM);
  if (s && s->count)
    fake_broken("a stream was destroyed with work on it");
  if (s)
    fake_clear_stream(&s->object);
  fake_end(handle, FAKE_STREAM);
  return fake_enter_context("cuStreamDestroy");
}

CUresult cuStreamQuery(CUstream handle)
{
  const stream *s = fake_get(handle, FAKE_STREAM);
  const CUresult result = fake_enter_context("cuStreamQuery");
  step();
  return result ? result : s && s->count ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent waited, unsigned flags)
{
  (void)flags;
  const event *e = fake_get(waited, FAKE_EVENT);
  const fake_work work = {.kind = FAKE_WAIT, .event = waited, .recording = e ? e->recorded : 0};
  return add(handle, &work, fake_enter_context("cuStreamWaitEvent"));
}

CUresult cuStreamBeginCapture(CUstream handle, CUstreamCaptureMode mode)
{
  (void)mode;
  stream *s = fake_get(handle, FAKE_STREAM);
  const CUresult result = fake_enter_context("cuStreamBeginCapture");
  if (!result && s)
    s->capture = fake_new(FAKE_GRAPH, sizeof *s->capture);
  return result;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph)
{
  stream *s = fake_get(handle, FAKE_STREAM);
  const CUresult result = fake_enter_context("cuStreamEndCapture");
  if (!s || !s->capture)
    return CUDA_ERROR_ILLEGAL_STATE;
  *graph = result ? NULL : (CUgraph)(void *)s->capture;
  if (result) {
    fake_free_nodes(s->capture);
    fake_end(s->capture, FAKE_GRAPH);
  }
  s->capture = NULL;
  return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream handle, void **parameters, void **extra)
{
  (void)x, (void)y, (void)z, (void)bx, (void)by, (void)bz, (void)shared, (void)extra;
  fake_work work;
  fake_kernel_work(&work, function, parameters);
  return add(handle, &work, fake_enter_context("cuLaunchKernel"));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra)
{
  (void)extra;
  for (unsigned i = 0; i < config->numAttrs; i++)
    fake.early_starts += config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
                         config->attrs[i].value.programmaticStreamSerializationAllowed == 1;
  fake_work work;
  fake_kernel_work(&work, function, parameters);
  return add(config->hStream, &work, fake_enter_context("cuLaunchKernelEx"));
}

void fake_window(const CUaccessPolicyWindow *window)
{
  fake.window_bytes = window->num_bytes;
  if (!window->num_bytes)
    return;
  fake.windows++;
  fake.window_at = window->base_ptr;
  fake.window_ratio = window->hitRatio;
  if (!fake_memory((CUdeviceptr)window->base_ptr, window->num_bytes))
    fake_broken("a window outside of an allocation");
}

CUresult cuStreamSetAttribute(CUstream handle, CUstreamAttrID which, const CUstreamAttrValue *value)
{
  const CUresult result = fake_enter_context("cuStreamSetAttribute");
  fake_get(handle, FAKE_STREAM);
  if (!result && which == CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW)
    fake_window(&value->accessPolicyWindow);
  return result;
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream handle)
{
  const fake_work work = {.kind = FAKE_COPY, .dst = dst, .src = src, .bytes = bytes};
  return add(handle, &work, fake_enter_context("cuMemcpyAsync"));
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *p, CUstream handle)
{
  const fake_work work = fake_copy_work(p);
  return add(handle, &work, fake_enter_context("cuMemcpy3DAsync"));
}

/* Of pageable memory: the host's side is done at once, the device's with the stream. */
static CUresult pageable(const char *name, CUdeviceptr device, void *host, size_t bytes, bool up, CUstream handle)
{
  const fake_work later = {.kind = FAKE_NOTHING};
  const CUresult result = add(handle, &later, fake_enter_context(name));
  check_range(device, bytes);
  if (!result && !fake.broken)
    memcpy(up ? (void *)(uintptr_t)device : host, up ? host : (void *)(uintptr_t)device, bytes);
  return result;
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream handle)
{
  return pageable("cuMemcpyHtoDAsync", dst, (void *)(uintptr_t)src, bytes, true, handle);
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream handle)
{
  return pageable("cuMemcpyDtoHAsync", src, dst, bytes, false, handle);
}

CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned word, size_t words, CUstream handle)
{
  const fake_work work = {.kind = FAKE_FILL, .dst = dst, .bytes = words * 4, .word = word};
  return add(handle, &work, fake_enter_context("cuMemsetD32Async"));
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream handle)
{
  const fake_work work = {.kind = FAKE_NOTHING};
  fake_get(exec, FAKE_EXEC);
  return add(handle, &work, fake_enter_context("cuGraphUpload"));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream handle)
{
  const fake_work work = {.kind = FAKE_LAUNCH, .exec = exec};
  fake_get(exec, FAKE_EXEC);
  return add(handle, &work, fake_enter_context("cuGraphLaunch"));
}

CUresult cuGraphExecDestroy(CUgraphExec handle)
{
  fake_exec *exec = fake_get(handle, FAKE_EXEC);
  if (in_flight(handle))
    fake_broken("a graph was destroyed in flight");
  if (exec)
    fake_clear_exec(&exec->object);
  fake_end(handle, FAKE_EXEC);
  return fake_enter_context("cuGraphExecDestroy");
}

/* ---- Semaphores ------------------------------------------------------------------------------------------------- */

CUresult cuImportExternalSemaphore(CUexternalSemaphore *handle, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *desc)
{
  const CUresult result = fake_enter_context("cuImportExternalSemaphore");
  if (result)
    return result;
  if (desc->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD || close(desc->handle.fd))
    return CUDA_ERROR_INVALID_VALUE;
  *handle = (CUexternalSemaphore)fake_new(FAKE_SEMAPHORE, sizeof(semaphore));
  return CUDA_SUCCESS;
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore handle)
{
  for (int i = 0; i < MOST_STREAMS; i++)
    for (size_t k = 0; streams[i] && k < streams[i]->count; k++)
      if (streams[i]->work[k].semaphore == handle)
        fake_broken("a semaphore was destroyed in flight");
  fake_end(handle, FAKE_SEMAPHORE);
  return fake_enter_context("cuDestroyExternalSemaphore");
}

CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *handles,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params, unsigned count,
                                         CUstream on)
{
  const fake_work work = {.kind = FAKE_SIGNAL, .semaphore = *handles, .recording = params->params.fence.value};
  (void)count;
  return add(on, &work, fake_enter_context("cuSignalExternalSemaphoresAsync"));
}

CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *handles,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *params, unsigned count, CUstream on)
{
  const fake_work work = {.kind = FAKE_AWAIT, .semaphore = *handles, .recording = params->params.fence.value};
  (void)count;
  return add(on, &work, fake_enter_context("cuWaitExternalSemaphoresAsync"));
}

/* ---- Events ----------------------------------------------------------------------------------------------------- */

CUresult cuEventCreate(CUevent *handle, unsigned flags)
{
  const CUresult result = fake_enter_context("cuEventCreate");
  if (result)
    return result;
  event *e = fake_new(FAKE_EVENT, sizeof *e);
  e->flags = flags;
  *handle = (CUevent)(void *)e;
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent handle)
{
  if (in_flight(handle))
    fake_broken("an event was destroyed in flight");
  fake_end(handle, FAKE_EVENT);
  return fake_enter_context("cuEventDestroy");
}

CUresult cuEventRecord(CUevent handle, CUstream on)
{
  event *e = fake_get(handle, FAKE_EVENT);
  const fake_work work = {.kind = FAKE_RECORD, .event = handle};
  const CUresult result = add(on, &work, fake_enter_context("cuEventRecord"));
  if (!result && e)
    e->recorded++;
  return result;
}

/* Returns success before any recording, as the real driver does. */
CUresult cuEventQuery(CUevent handle)
{
  const event *e = fake_get(handle, FAKE_EVENT);
  const CUresult result = fake_enter_context("cuEventQuery");
  step();
  return result ? result : e && e->completed < e->recorded ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
  const event *a = fake_get(from, FAKE_EVENT), *b = fake_get(to, FAKE_EVENT);
  const CUresult result = fake_enter_context("cuEventElapsedTime");
  if (result)
    return result;
  if (!a || !b || !a->recorded || !b->recorded || ((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING))
    return CUDA_ERROR_INVALID_HANDLE;
  if (a->completed < a->recorded || b->completed < b->recorded)
    return CUDA_ERROR_NOT_READY;
  if (b->time < a->time)
    fake_broken("an elapsed time is negative");
  *ms = (float)(b->time - a->time) / 1000;
  return CUDA_SUCCESS;
}
