/* What memory costs before any work: allocation, pinning, import, first use. There is nothing to compute, so each call
 * proves that its memory works: a word at each end comes back. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "benchmarks/calls.h"
#include "benchmarks/family.h"
#include "core/clock.h"

#include <sys/mman.h>

typedef struct parameters {
  xb_mem mem;
  enum { CREATE, RELEASE, TOUCH, FIRST_FILL, SECOND_FILL, PAGES } what;
  uint32_t pieces; /* buffers; 0: one */
  bool touched;    /* the host has written the pages before */
} parameters;

enum { MOST_PIECES = 64, FILLED = 7, PAGE_BYTES = 4096 };

/* The buffers of a call, and the pages that one imports. */
typedef struct made {
  xb_buffer *buffers[MOST_PIECES];
  uint32_t count;
  char *pages;
  uint64_t bytes, page_bytes;
} made;

static char *map_pages(uint64_t bytes, bool touched)
{
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return NULL;
  if (touched)
    memset(pages, 1, bytes);
  return pages;
}

static void release(made *m)
{
  for (uint32_t i = 0; i < m->count; i++)
    xb_buffer_destroy(m->buffers[i]);
  m->count = 0;
}

static xb_code create(const xb_call *call, made *m, xb_error *err)
{
  const uint32_t pieces = of(call->c)->pieces ? of(call->c)->pieces : 1;
  const uint64_t each = m->bytes / pieces / WORD * WORD;
  const xb_buffer_desc desc = {.label = "memory",
                               .mem = of(call->c)->mem,
                               .bytes = of(call->c)->mem == XB_MEM_IMPORTED ? m->page_bytes
                                        : each < WORD                       ? WORD
                                                                            : each,
                               .host = m->pages};
  xb_code code = XB_OK;
  while (m->count < pieces && !code) {
    code = xb_buffer_create(call->device, &desc, &m->buffers[m->count], err);
    m->count += !code;
  }
  return code;
}

/* ---- Using it --------------------------------------------------------------------------------------------------- */

static xb_code write_and_read(xb_buffer *buffer, uint64_t offset, xb_error *err)
{
  const uint32_t word = 0x5EED0000u + (uint32_t)offset;
  volatile uint32_t *host = xb_buffer_host(buffer);
  uint32_t back = 0;
  xb_code code = XB_OK;
  if (host) {
    host[offset / sizeof word] = word;
    back = host[offset / sizeof word];
  } else {
    code = xb_upload(buffer, offset, &word, sizeof word, err);
    code = code ? code : xb_download(buffer, offset, &back, sizeof back, err);
  }
  return code || back == word ? code : xb_fail(err, XB_INTERNAL, "allocate", "a word was read back with another value");
}

static xb_code prove(const made *m, xb_error *err)
{
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < m->count && !code; i++) {
    code = write_and_read(m->buffers[i], 0, err);
    if (!code)
      code = write_and_read(m->buffers[i], xb_buffer_bytes(m->buffers[i]) - WORD, err);
  }
  return code;
}

static xb_code check_fill(xb_buffer *buffer, xb_error *err)
{
  const uint64_t bytes = xb_buffer_bytes(buffer), count = bytes / sizeof(uint32_t);
  uint32_t *words = malloc(bytes);
  xb_code code =
      words ? xb_download(buffer, 0, words, bytes, err) : xb_fail(err, XB_NOMEM, "allocate", "out of host memory");
  for (uint64_t i = 0; i < count && !code; i++)
    if (words[i] != FILLED)
      code = xb_fail(err, XB_INTERNAL, "allocate", "word %" PRIu64 " is %" PRIu32 ", expected %d", i, words[i], FILLED);
  free(words);
  return code;
}

/* Its time is that of the submission, to its completion. */
static xb_code fill(const xb_call *call, xb_buffer *buffer, double *ns, xb_error *err)
{
  xb_commands *list;
  xb_code code = xb_commands_create(call->device, &(xb_commands_desc){.label = "fill"}, &list, err);
  if (code)
    return code;
  xb_cmd_fill(list, buffer, 0, xb_buffer_bytes(buffer), FILLED);
  code = xb_commands_finish(list, err);
  const double begin = xb_clock_ns();
  code = code ? code : xb_run_list(call->device, list, err);
  *ns = xb_clock_ns() - begin;
  xb_commands_destroy(list);
  return code;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------ */

/* `*ns`: the time of what counts. */
static xb_code work(const xb_call *call, made *m, double *ns, xb_error *err)
{
  const int what = of(call->c)->what;
  double begin = xb_clock_ns();
  xb_code code = create(call, m, err);
  *ns = xb_clock_ns() - begin;
  if (!code && what == TOUCH) {
    begin = xb_clock_ns();
    memset(xb_buffer_host(m->buffers[0]), 1, m->bytes);
    *ns = xb_clock_ns() - begin;
  }
  if (!code && (what == FIRST_FILL || what == SECOND_FILL))
    code = fill(call, m->buffers[0], ns, err);
  if (!code && what == SECOND_FILL)
    code = fill(call, m->buffers[0], ns, err);
  if (!code && call->checks && (what == FIRST_FILL || what == SECOND_FILL))
    code = check_fill(m->buffers[0], err);
  code = code ? code : prove(m, err);
  begin = xb_clock_ns();
  release(m);
  if (what == RELEASE)
    *ns = xb_clock_ns() - begin;
  return code;
}

static xb_code with_buffers(const xb_call *call, double *ns, xb_error *err)
{
  const uint64_t align = xb_device_get_info(call->device)->import_align;
  made m = {.bytes = call->c->n * WORD, .page_bytes = call->c->n * WORD};
  if (of(call->c)->mem == XB_MEM_IMPORTED && align) { /* else core refuses it */
    m.page_bytes = xb_ceil_div(m.bytes, align) * align;
    m.pages = map_pages(m.page_bytes, of(call->c)->touched);
    if (!m.pages)
      return xb_fail(err, XB_NOMEM, "mmap", "out of host memory");
  }
  const xb_code code = work(call, &m, ns, err);
  if (m.pages)
    munmap(m.pages, m.page_bytes);
  return code;
}

/* No buffer: what the host's own memory costs. */
static xb_code with_pages(const xb_call *call, double *ns, xb_error *err)
{
  const uint64_t bytes = call->c->n * WORD;
  char *pages = map_pages(bytes, of(call->c)->touched);
  if (!pages)
    return xb_fail(err, XB_NOMEM, "mmap", "out of host memory");
  const double begin = xb_clock_ns();
  memset(pages, 2, bytes);
  *ns = xb_clock_ns() - begin;
  const bool right = ((volatile char *)pages)[bytes - 1] == 2;
  munmap(pages, bytes);
  return right ? XB_OK : xb_fail(err, XB_INTERNAL, "allocate", "a byte was read back with another value");
}

/* [plan] One call. */
static xb_code allocate_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  (void)err;
  plan->chain = (double)(c->n * WORD) / PAGE_BYTES;
  xb_plan_step(plan, XB_STEP_CALL)->timed = of(c)->what == PAGES ? with_pages : with_buffers;
  return XB_OK;
}

XB_METHODS(.plan = allocate_plan, .times = {{"page", "ns a page of 4 KiB", xb_chain_of_run}},
           .checks_itself = xb_always)

#include "benchmarks/rows.h"
