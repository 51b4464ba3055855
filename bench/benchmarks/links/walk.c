/* One thread follows a list, with the kernel of latency/1. The list has 2 MiB, and an element in each cache line of 128
 * bytes. A walk reads each element at most once, so the cache of the reader's multiprocessor does not help; the
 * last-level cache of the memory's own device has the list. */
#include "benchmarks/input.h"
#include "benchmarks/latency/latency_args.h"
#include "benchmarks/links/links.h"
#include "benchmarks/registry.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WORD = 4, STRIDE = 32, MOST = 1 << 19 /* words */, BLOCK = 256 };

/* A power of two. */
static uint32_t words_of(const xb_case *c)
{
  uint32_t words = STRIDE;
  while (words < MOST && words <= c->n / 2)
    words *= 2;
  return words;
}

uint64_t xb_walk_steps(const xb_case *c)
{
  const uint32_t elements = words_of(c) / STRIDE;
  return elements > 1 ? elements - 1 : 1;
}

/* Element i is followed by a * i + b: a cycle through all of them (Hull and Dobell 1962), because a = 5 mod 8 and b is
 * odd. Returns where the walk ends. */
static uint32_t make_list(const xb_case *c, uint32_t *words)
{
  const uint32_t elements = words_of(c) / STRIDE;
  uint32_t random[2], at = 0;
  xb_bits(XB_INT32, c->seed, 0, elements * STRIDE, words);
  xb_bits(XB_INT32, c->seed + 1, 0, 2, random);
  for (uint32_t i = 0; i < elements; i++)
    words[i * STRIDE] = (((random[0] & ~7u) | 5) * i + (random[1] | 1)) % elements * STRIDE;
  for (uint64_t step = 0; step < xb_walk_steps(c); step++)
    at = words[at];
  return at;
}

static xb_code make_kernel(const xb_case *c, xb_device *device, xb_kernel **kernel, xb_error *err)
{
  const xb_plan_kernel plain = {"1_device", 2, sizeof(struct xb_latency_args)};
  xb_case of_latency = *c;
  of_latency.variant = xb_variant_find("latency", "device");
  of_latency.block = BLOCK;
  of_latency.device = xb_device_get_info(device);
  return xb_create_embedded(&of_latency, &plain, device, kernel, err);
}

/* [dispatch] No thread reads before the walk. */
static xb_code record(const xb_case *c, xb_kernel *kernel, xb_buffer *list, xb_buffer *out, xb_commands *commands,
                      xb_error *err)
{
  const xb_binding bindings[] = {{.buffer = list, .access = XB_READ}, {.buffer = out, .access = XB_WRITE}};
  const struct xb_latency_args args = {
      .threads = BLOCK, .stride = STRIDE, .mask = words_of(c) - 1, .steps = (uint32_t)xb_walk_steps(c), .grid_x = 1};
  xb_cmd_fill(commands, out, 0, BLOCK * WORD, XB_POISON);
  xb_cmd_timestamp(commands, 0);
  xb_cmd_dispatch(commands, &(xb_dispatch){.kernel = kernel,
                                           .bindings = bindings,
                                           .binding_count = 2,
                                           .args = &args,
                                           .arg_bytes = sizeof args,
                                           .groups = {1, 1, 1}});
  xb_cmd_timestamp(commands, 1);
  return xb_commands_finish(commands, err);
}

/* The first thread writes where its walk ended, the others 0. */
static xb_code check(xb_buffer *out, uint32_t end, xb_error *err)
{
  uint32_t got[BLOCK];
  xb_code code = xb_download(out, 0, got, sizeof got, err);
  for (uint32_t i = 0; i < BLOCK && !code; i++)
    if (got[i] != (i ? 0 : end))
      code = xb_fail(err, XB_INTERNAL, "links", "word %" PRIu32 " is 0x%08" PRIx32 ", expected 0x%08" PRIx32, i, got[i],
                     i ? 0 : end);
  return code;
}

xb_code xb_time_walk(const xb_case *c, xb_device *from, xb_device *to, double *ns, xb_error *err)
{
  const uint64_t bytes = (uint64_t)words_of(c) * WORD;
  const xb_commands_desc desc = {.label = "walk", .timestamp_count = 2};
  xb_reach reach = {.from = from, .to = to};
  xb_buffer *out = NULL;
  xb_kernel *kernel = NULL;
  xb_commands *commands = NULL;
  uint32_t *words = malloc(bytes);
  const uint32_t end = words ? make_list(c, words) : 0;
  xb_code code = words ? XB_OK : xb_fail(err, XB_NOMEM, "links", "out of host memory");
  code = code ? code : xb_reach_open(&reach, XB_MEM_DEVICE, bytes, err);
  code = code ? code : xb_upload(reach.source, 0, words, bytes, err);
  code = code ? code : xb_buffer_create(to, &(xb_buffer_desc){.label = "out", .bytes = BLOCK * WORD}, &out, err);
  code = code ? code : make_kernel(c, to, &kernel, err);
  code = code ? code : xb_commands_create(to, &desc, &commands, err);
  code = code ? code : record(c, kernel, reach.seen, out, commands, err);
  code = code ? code : xb_time_list(to, commands, 1, ns, err);
  code = code ? code : check(out, end, err);
  xb_commands_destroy(commands);
  xb_kernel_destroy(kernel);
  xb_buffer_destroy(out);
  xb_reach_close(&reach);
  free(words);
  return code;
}
