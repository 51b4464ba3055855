#include "benchmarks/pieces.h"

#include "benchmarks/calls.h"
#include "benchmarks/family.h"

enum { PIECE = 1 << 22 /* words */ };

static uint32_t own_word(uint64_t piece)
{
  return (uint32_t)piece * 2654435761u + 12345u;
}

static uint32_t *make_piece(const xb_case *c, xb_error *err)
{
  const uint64_t count = c->n < PIECE ? c->n : PIECE;
  uint32_t *words = malloc(count * 4);
  if (words)
    xb_bits(XB_INT32, c->seed, 0, count, words);
  else
    xb_fail(err, XB_NOMEM, "pieces", "out of host memory");
  return words;
}

/* The pieces' copies, then their own words. */
static xb_code record(xb_device *writer, xb_buffer *written, uint64_t n, xb_commands **list, xb_error *err)
{
  const xb_code code = xb_commands_create(writer, &(xb_commands_desc){.label = "pieces"}, list, err);
  if (code)
    return code;
  for (uint64_t at = PIECE; at < n; at += PIECE)
    xb_cmd_copy(*list, written, at * 4, written, 0, (n - at < PIECE ? n - at : PIECE) * 4);
  xb_cmd_barrier(*list);
  for (uint64_t at = 0; at < n; at += PIECE)
    xb_cmd_fill(*list, written, at * 4, 4, own_word(at / PIECE));
  return xb_commands_finish(*list, err);
}

static uint32_t sum_of(const uint32_t *words, uint64_t n)
{
  uint32_t sum = 0;
  for (uint64_t at = 0; at < n; at += PIECE)
    sum += own_word(at / PIECE);
  for (uint64_t i = 1; i < n && i < PIECE; i++) /* the last piece may be shorter */
    sum += words[i] * (uint32_t)xb_ceil_div(n - i, PIECE);
  return sum;
}

xb_code xb_pieces_write(const xb_case *c, xb_device *writer, xb_buffer *written, uint32_t *sum, xb_error *err)
{
  const uint64_t first = c->n < PIECE ? c->n : PIECE;
  uint32_t *words = make_piece(c, err);
  xb_commands *list = NULL;
  if (!words)
    return XB_NOMEM;
  xb_code code = xb_upload(written, 0, words, first * 4, err);
  code = code ? code : record(writer, written, c->n, &list, err);
  code = code ? code : xb_run_list(writer, list, err);
  if (sum)
    *sum = sum_of(words, c->n);
  xb_commands_destroy(list);
  free(words);
  return code;
}

/* memcmp is faster than a loop, and nearly always the last word. */
static xb_code check_piece(uint32_t *words, const uint32_t *got, uint64_t first, uint64_t count, xb_error *err)
{
  words[0] = own_word(first / PIECE);
  if (!memcmp(words, got, count * 4))
    return XB_OK;
  uint64_t i = 0;
  while (words[i] == got[i])
    i++;
  return xb_fail(err, XB_INTERNAL, "pieces", "element %" PRIu64 " is 0x%08" PRIx32 ", expected 0x%08" PRIx32, first + i,
                 got[i], words[i]);
}

xb_code xb_pieces_write_host(const xb_case *c, uint32_t *written, xb_error *err)
{
  uint32_t *words = make_piece(c, err);
  const xb_code code = words ? XB_OK : XB_NOMEM;
  for (uint64_t at = 0; at < c->n && words; at += PIECE) {
    words[0] = own_word(at / PIECE);
    memcpy(&written[at], words, (c->n - at < PIECE ? c->n - at : PIECE) * 4);
  }
  free(words);
  return code;
}

xb_code xb_pieces_check(const xb_case *c, xb_buffer *read, xb_error *err)
{
  const uint64_t length = c->n < PIECE ? c->n : PIECE;
  uint32_t *words = make_piece(c, err), *got = malloc(length * 4);
  xb_code code = words && got ? XB_OK : xb_fail(err, XB_NOMEM, "pieces", "out of host memory");
  for (uint64_t at = 0; at < c->n && !code; at += PIECE) {
    const uint64_t count = c->n - at < PIECE ? c->n - at : PIECE;
    code = xb_download(read, at * 4, got, count * 4, err);
    code = code ? code : check_piece(words, got, at, count, err);
  }
  free(words);
  free(got);
  return code;
}

xb_code xb_pieces_check_host(const xb_case *c, const uint32_t *read, xb_error *err)
{
  uint32_t *words = make_piece(c, err);
  xb_code code = words ? XB_OK : XB_NOMEM;
  for (uint64_t at = 0; at < c->n && !code; at += PIECE)
    code = check_piece(words, &read[at], at, c->n - at < PIECE ? c->n - at : PIECE, err);
  free(words);
  return code;
}
