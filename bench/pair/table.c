/* Buffers that have addresses of other buffers. */
#include "pair/family.h"
#include "pair/numbers.h"
#include "pair/read.h"

#include <inttypes.h>

/* The names of element i's buffers in a buffer with addresses, and their places. False: it has no address `a`. */
static bool address_in(const xb_pair_buffer *b, uint64_t length, uint32_t a, const char **name, uint32_t *at)
{
  uint32_t members = 0;
  if (b->address_count) {
    *name = a < b->address_count ? b->address_of[a] : NULL;
    *at = 8 * a;
    return a < b->address_count;
  }
  for (uint32_t m = 0; m < b->element.member_count; m++)
    members += b->element.members[m].address_of != NULL;
  if (!members || a >= members * length)
    return false;
  const xb_member *m = b->element.members;
  for (uint32_t skip = a % members; skip || !m->address_of; m++)
    skip -= m->address_of != NULL;
  *name = m->address_of;
  *at = a / members * b->element.bytes + m->offset;
  return true;
}

enum { MOST_TABLE_BYTES = 4096 };

/* The contents of a buffer with addresses, which no seed changes: the host writes them before each run. */
xb_code xb_pair_set_words(const xb_case *c, xb_pair_buffer *b, uint64_t length, xb_slot *slot, xb_error *err)
{
  xb_pair *pair = xb_pair_of(c);
  const char *name;
  uint32_t at, count = 0;
  if (!address_in(b, length, 0, &name, &at))
    return XB_OK;
  if (slot->bytes > MOST_TABLE_BYTES)
    return xb_fail(err, XB_UNSUPPORTED, pair->name, "%s has addresses and %" PRIu64 " bytes: expected at most %d",
                   b->name, slot->bytes, MOST_TABLE_BYTES);
  if (b->address_count && b->address_count != length)
    return xb_fail(err, XB_INVALID, pair->name, "%s has %" PRIu64 " elements and %u addresses", b->name, length,
                   b->address_count);
  while (address_in(b, length, count, &name, &at))
    count++;
  uint32_t *words = xb_arena_take(&pair->arena, slot->bytes / 4, sizeof *words);
  xb_plan_address *addresses = xb_arena_take(&pair->arena, count, sizeof *addresses);
  if (!words || !addresses)
    return xb_fail(err, XB_NOMEM, pair->name, "out of host memory");
  xb_fill_generate(&b->fill, 0, 0, length, words);
  for (uint32_t a = 0; address_in(b, length, a, &name, &at); a++)
    addresses[a] = (xb_plan_address){at, xb_find_buffer(pair, name)};
  *slot = (xb_slot){.name = b->name,
                    .role = XB_ROLE_SCRATCH,
                    .bytes = slot->bytes,
                    .element_bytes = slot->element_bytes,
                    .words = words,
                    .addresses = addresses,
                    .address_count = count,
                    .addressed = slot->addressed};
  return XB_OK;
}
