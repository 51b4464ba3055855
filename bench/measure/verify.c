/* Verifies a cell before it is timed: outputs and scratch are poisoned, the plan runs, every word of the output is
 * compared with the reference, and the guards around each buffer must be unchanged. */
#include "measure/cell.h"

#include "core/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECHECKS = 16, LEAST_RECHECKS = 2 };
/* No more than the least after the time of so many samples, which a short --max-time shortens. */
enum { RECHECK_SAMPLES = 40 };
static const double SHORTEST_RECHECK_NS = 0.05e9, LONGEST_RECHECK_NS = 0.2e9;
/* Of outputs and of inputs, then the other ones. */
static const uint32_t GUARDS[2][2] = {{0xA5C3F00D, XB_INPUT_GUARD}, {0x5A3C0FF2, 0xC0490FDB}};

static bool is_input(const xb_slot *slot)
{
  return slot->role == XB_ROLE_INPUT || slot->role == XB_ROLE_HOST_INPUT;
}

static uint32_t guard_of(const xb_cell *cell, const xb_slot *slot)
{
  return GUARDS[cell->verdict.other_poison][is_input(slot)];
}

static uint32_t poison_of(const xb_cell *cell)
{
  return cell->verdict.other_poison ? XB_OTHER_POISON : XB_POISON;
}

static bool is_untrusted(const xb_cell *cell)
{
  return cell->c.variant->benchmark->methods->untrusted;
}

/* The workload's input may be longer than the part that this cell reads. */
static uint64_t guarded_bytes(const xb_cell *cell, const xb_slot *slot)
{
  return slot->role == XB_ROLE_INPUT ? xb_workload_input(cell->workload, slot)->bytes : slot->bytes;
}

/* Makes `bytes` bytes of the slot visible to the host, from `offset` after its first guard word, in its own memory or
 * from byte `to` of the readback buffer on. NULL if they could not be read. */
static const void *see_at(xb_cell *cell, uint32_t slot, uint64_t offset, uint64_t bytes, uint64_t to)
{
  const xb_placement placement = xb_cell_placement(cell, slot);
  const char *host = xb_buffer_host(placement.buffer);
  offset += placement.begin - XB_GUARD_BYTES;
  bytes = (bytes + 3) / 4 * 4; /* as copies need */
  if (host)
    return host + offset;
  if (!xb_workload_read(cell->workload, to, placement.buffer, offset, bytes, &cell->verdict.error))
    return (const char *)xb_buffer_host(cell->workload->readback) + to;
  xb_cell_fail(cell);
  return NULL;
}

/* The same bytes of the first placement, in the second half of the readback buffer. */
static const void *see_first(xb_cell *cell, uint32_t slot, uint64_t offset, uint64_t bytes)
{
  const uint32_t placement = cell->buffers.placement;
  cell->buffers.placement = 0;
  const void *words = see_at(cell, slot, offset, bytes, xb_buffer_bytes(cell->workload->readback) / 2);
  cell->buffers.placement = placement;
  return words;
}

/* Word i of a slot with addresses. */
static uint32_t word_of(const xb_cell *cell, const xb_slot *slot, uint64_t i)
{
  for (const xb_plan_address *a = slot->addresses; a < slot->addresses + slot->address_count; a++)
    if (i - a->at / 4 < 2)
      return (uint32_t)(xb_cell_address(cell, a->slot) >> (i == a->at / 4 ? 0 : 32));
  return slot->words[i];
}

/* There are few, and equal neighbours are one fill. */
static void record_words(const xb_cell *cell, const xb_slot *slot, xb_placement placement, xb_commands *commands)
{
  for (uint64_t i = 0, end; i < slot->bytes / 4; i = end) {
    const uint32_t word = word_of(cell, slot, i);
    for (end = i + 1; end < slot->bytes / 4 && word_of(cell, slot, end) == word; end++)
      ;
    xb_cmd_fill(commands, placement.buffer, placement.begin + 4 * i, 4 * (end - i), word);
  }
}

static void record_contents(const xb_cell *cell, uint32_t i, xb_commands *commands)
{
  const xb_slot *slot = &cell->plan.slots[i];
  const xb_placement placement = xb_cell_placement(cell, i);
  const uint64_t keep = slot->zero_bytes;
  xb_image *image = cell->buffers.images[i];
  xb_placement from = placement;
  if (slot->role == XB_ROLE_INOUT) {
    from = xb_workload_input(cell->workload, slot)->placed[0];
    from.begin += xb_cell_window_offset(cell, slot);
    if (!image)
      xb_cmd_copy(commands, placement.buffer, placement.begin, from.buffer, from.begin, slot->bytes);
  } else if (slot->words) {
    record_words(cell, slot, placement, commands);
  } else if (slot->bytes > keep) {
    xb_cmd_fill(commands, placement.buffer, placement.begin + keep, slot->bytes - keep, poison_of(cell));
    if (image)
      xb_cmd_barrier(commands);
  }
  if (image)
    xb_cmd_copy_to_image(commands, image, from.buffer, from.begin);
}

/* An output, too: a kernel that finds the result of the run before could leave it there. */
static bool is_restored(const xb_cell *cell, uint32_t i)
{
  const xb_role role = cell->plan.slots[i].role;
  return is_untrusted(cell) && !cell->plan.slots[i].unused && cell->c.variant->clock == XB_CLOCK_DEVICE &&
         (role == XB_ROLE_INOUT || role == XB_ROLE_SCRATCH || role == XB_ROLE_OUTPUT);
}

uint32_t xb_cell_restores(const xb_cell *cell)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < cell->plan.slot_count; i++)
    count += is_restored(cell, i);
  return count;
}

/* One after another: side by side, the nodes of a CUDA graph that come together again cost a short kernel microseconds
 * that restoring alone does not show. */
void xb_cell_record_contents(const xb_cell *cell, xb_commands *commands)
{
  bool first = true;
  for (uint32_t i = 0; i < cell->plan.slot_count; i++) {
    if (!is_restored(cell, i))
      continue;
    if (!first)
      xb_cmd_barrier(commands);
    record_contents(cell, i, commands);
    first = false;
  }
}

static void poison_slot(const xb_cell *cell, uint32_t i, xb_commands *commands)
{
  const xb_slot *slot = &cell->plan.slots[i];
  if (is_input(slot) && !is_untrusted(cell))
    return;
  const xb_placement placement = xb_cell_placement(cell, i);
  const uint32_t guard = guard_of(cell, slot);
  xb_cmd_fill(commands, placement.buffer, placement.begin - XB_GUARD_BYTES, XB_GUARD_BYTES, guard);
  if (!is_input(slot))
    record_contents(cell, i, commands);
  xb_cmd_fill(commands, placement.buffer, placement.begin + guarded_bytes(cell, slot), XB_GUARD_BYTES, guard);
}

/* Placements may share an input, whose guards are filled once. */
static void poison_own_slot(const xb_cell *cell, uint32_t i, xb_commands *commands)
{
  if (!is_input(&cell->plan.slots[i]) || cell->buffers.placement < cell->workload->input_count)
    poison_slot(cell, i, commands);
}

bool xb_cell_poison(xb_cell *cell)
{
  return xb_cell_for_slots(cell, true, "poison", poison_own_slot);
}

/* The current placement alone. */
static bool poison_placement(xb_cell *cell)
{
  return xb_cell_for_slots(cell, false, "poison", poison_slot);
}

/* A part of an output, to tell if the same bits were right before. A host's check takes longer than a hash. */
static xb_right_part part_of(const xb_cell *cell, const xb_chunk *chunk, uint64_t bytes)
{
  xb_output_hash hash = {0};
  xb_output_hash_add(&hash, chunk->data, (bytes + 3) / 4);
  return (xb_right_part){cell->c.seed, chunk->first, hash.sum, chunk->slot};
}

static bool was_right(const xb_cell_verdict *v, const xb_right_part *part)
{
  for (uint32_t i = 0; i < v->right_count && i < XB_RIGHT_PARTS; i++) {
    const xb_right_part *r = &v->right[i];
    if (r->seed == part->seed && r->first == part->first && r->sum == part->sum && r->slot == part->slot)
      return true;
  }
  return false;
}

/* The first placement is checked before the others: what equals it is right, and what does not may be. */
static bool check_output(xb_cell *cell, uint32_t slot, bool to_the_end)
{
  const xb_workload *w = cell->workload;
  const xb_methods *methods = cell->c.variant->benchmark->methods;
  const uint32_t element = xb_slot_element_bytes(&cell->plan.slots[slot], cell->c.dtype);
  const uint64_t count = cell->plan.slots[slot].bytes / element;
  const uint64_t room = xb_buffer_bytes(w->readback) / 2 / element;
  const uint64_t at_once = element % 4 && room >= 4 ? room / 4 * 4 : room; /* copies begin at multiples of 4 bytes */
  char why[XB_WHY_BYTES], mistake[XB_WHY_BYTES] = "";
  for (xb_slice s = {0}; xb_next_slice(&s, count, at_once);) {
    if (!to_the_end && xb_cell_stopped(cell))
      return false;
    const xb_chunk chunk = {.slot = slot,
                            .first = s.first,
                            .count = s.count,
                            .data = see_at(cell, slot, XB_GUARD_BYTES + s.first * element, s.count * element, 0),
                            .poison = poison_of(cell),
                            .plan = &cell->plan,
                            .state = w->of == cell->c.variant->benchmark ? w->reference : NULL};
    const bool compares = cell->buffers.placement && !cell->verdict.alone;
    const void *checked =
        compares ? see_first(cell, slot, XB_GUARD_BYTES + s.first * element, s.count * element) : NULL;
    if (!chunk.data || (compares && !checked))
      return false;
    if (checked && !memcmp(chunk.data, checked, s.count * element))
      continue;
    if (cell->verdict.hashing && !cell->plan.slots[slot].kept)
      xb_output_hash_add(&cell->verdict.outputs, chunk.data, (s.count * element + 3) / 4);
    const xb_right_part part = part_of(cell, &chunk, s.count * element);
    if (!cell->verdict.hashing && !is_untrusted(cell) && was_right(&cell->verdict, &part))
      continue;
    if (!xb_check(&cell->c, &chunk, why)) {
      if (!methods->explain)
        return xb_cell_wrong(cell, why);
      memcpy(mistake, *mistake ? mistake : why, sizeof mistake);
      continue;
    }
    cell->verdict.right[cell->verdict.right_count++ % XB_RIGHT_PARTS] = part;
    if (cell->verdict.hashing && methods->observe)
      methods->observe(&cell->c, &chunk, cell->plan.seen);
  }
  if (!*mistake)
    return true;
  methods->explain(&cell->c, slot, mistake);
  return xb_cell_wrong(cell, mistake);
}

enum { GUARD_WORDS = XB_GUARD_BYTES / sizeof(uint32_t) };
typedef struct guards {
  uint32_t sides[2][GUARD_WORDS]; /* before and behind a slot */
} guards;

static uint64_t guard_begin(const xb_cell *cell, uint32_t slot, bool behind)
{
  const uint64_t begin = xb_cell_placement(cell, slot).begin;
  return behind ? begin + guarded_bytes(cell, &cell->plan.slots[slot]) : begin - XB_GUARD_BYTES;
}

/* Those of all slots in the current placement, by one submission. The caller frees them; NULL: the cell FAILED. */
static guards *read_guards(xb_cell *cell)
{
  const xb_workload *w = cell->workload;
  xb_commands *list;
  guards *all = calloc(cell->plan.slot_count + 1, sizeof *all);
  if (!all) {
    xb_cell_nomem(cell, "guards");
    return NULL;
  }
  xb_code code = xb_commands_create(w->device, &(xb_commands_desc){.label = "guards"}, &list, &cell->verdict.error);
  for (uint32_t i = 0; i < 2 * cell->plan.slot_count && !code; i++) {
    const xb_placement placement = xb_cell_placement(cell, i / 2);
    const uint64_t at = guard_begin(cell, i / 2, i % 2);
    if (!xb_buffer_host(placement.buffer))
      xb_cmd_copy(list, w->readback, (uint64_t)i * XB_GUARD_BYTES, placement.buffer, at, XB_GUARD_BYTES);
  }
  code = code ? code : xb_workload_run(w, list, &cell->verdict.error);
  for (uint32_t i = 0; i < 2 * cell->plan.slot_count && !code; i++) {
    const xb_placement placement = xb_cell_placement(cell, i / 2);
    const uint64_t at = guard_begin(cell, i / 2, i % 2);
    const char *host = xb_buffer_host(placement.buffer), *copied = xb_buffer_host(w->readback);
    memcpy(all[i / 2].sides[i % 2], host ? host + at : copied + (uint64_t)i * XB_GUARD_BYTES, XB_GUARD_BYTES);
  }
  if (!code)
    return all;
  xb_cell_fail(cell);
  free(all);
  return NULL;
}

static bool check_guards(xb_cell *cell, uint32_t slot, const guards *found)
{
  const xb_slot *s = &cell->plan.slots[slot];
  const uint32_t guard = guard_of(cell, s);
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < GUARD_WORDS; i++) {
      if (found->sides[side][i] == guard)
        continue;
      char why[192];
      const uint64_t bytes = guarded_bytes(cell, s), each = xb_slot_element_bytes(s, cell->c.dtype);
      const int64_t at =
          side ? (int64_t)((bytes + 4 * i) / each) : -(int64_t)((XB_GUARD_BYTES - 4 * i + each - 1) / each);
      snprintf(why, sizeof why,
               "wrote %s '%s', to element %" PRId64 " of %" PRIu64 ": the guard there has 0x%08" PRIx32,
               side ? "past the end of" : "before", s->name, at, bytes / each, found->sides[side][i]);
      return xb_cell_wrong(cell, why);
    }
  return true;
}

static bool is_checked(const xb_cell *cell, const xb_slot *slot)
{
  return (slot->role == XB_ROLE_OUTPUT || slot->role == XB_ROLE_INOUT || slot->role == XB_ROLE_HOST_OUTPUT) &&
         !slot->scratch && xb_has_check(cell->c.variant->benchmark->methods);
}

/* Copies what runs left in images to the buffers of their slots, which are then checked. */
static bool read_images(xb_cell *cell)
{
  xb_commands *commands = NULL;
  for (uint32_t i = 0; i < cell->plan.slot_count; i++) {
    if (!cell->buffers.images[i] || cell->plan.slots[i].role == XB_ROLE_INPUT)
      continue;
    const xb_commands_desc desc = {.label = "read images"};
    if (!commands && xb_commands_create(cell->workload->device, &desc, &commands, &cell->verdict.error))
      return xb_cell_fail(cell);
    const xb_placement placement = xb_cell_placement(cell, i);
    xb_cmd_copy_from_image(commands, placement.buffer, placement.begin, cell->buffers.images[i]);
  }
  return !commands || !xb_workload_run(cell->workload, commands, &cell->verdict.error) || xb_cell_fail(cell);
}

/* `outputs`: not only the guards. */
static bool check_placement(xb_cell *cell, bool outputs, bool to_the_end)
{
  guards *all = !outputs || read_images(cell) ? read_guards(cell) : NULL;
  bool good = all;
  for (uint32_t i = 0; i < cell->plan.slot_count && good; i++)
    good = (!outputs || !is_checked(cell, &cell->plan.slots[i]) || check_output(cell, i, to_the_end)) &&
           check_guards(cell, i, &all[i]);
  free(all);
  return good;
}

/* Runs the plan once in the current placement, and checks what it left. */
static bool run_once(xb_cell *cell, bool backwards, bool to_the_end)
{
  xb_commands *commands;
  double ignored;
  if (cell->plan.list_count)
    return xb_lists_run(cell, &ignored) && check_placement(cell, true, to_the_end);
  if (cell->c.variant->clock == XB_CLOCK_CALLS)
    return xb_cell_run_calls(cell, &ignored) && check_placement(cell, true, to_the_end);
  if (xb_cell_commands(cell, "verify", 0, &commands))
    return xb_cell_fail(cell);
  xb_cell_record(cell, backwards, commands);
  if (xb_workload_run(cell->workload, commands, &cell->verdict.error))
    return xb_cell_fail(cell);
  return check_placement(cell, true, to_the_end);
}

/* True if a run is only right after its contents were set. */
static bool needs_contents(const xb_cell *cell)
{
  for (uint32_t i = 0; i < cell->plan.slot_count; i++)
    if (cell->plan.slots[i].role == XB_ROLE_INOUT || cell->plan.slots[i].sparse)
      return true;
  return false;
}

/* A timed list ends with the run of the first of these windows. */
bool xb_cell_check_timed(xb_cell *cell, bool alone)
{
  cell->verdict.alone = alone;
  xb_cell_set_window(cell, xb_window_of_run(0));
  const bool good = check_placement(cell, true, true);
  xb_cell_set_window(cell, 0);
  cell->verdict.alone = false;
  return good;
}

/* True if a sample used the placement since inputs were drawn: others hold results of older inputs, or poison. */
static bool is_recent(const xb_cell *cell, size_t placement)
{
  const size_t before = cell->samples.drawn_at, count = cell->buffers.placements, since = cell->samples.count - before;
  return since >= count || (placement + count - before % count) % count < since;
}

bool xb_cell_check(xb_cell *cell)
{
  const bool inout = needs_contents(cell) && !xb_cell_restores(cell);
  for (cell->buffers.placement = 0; cell->buffers.placement < cell->buffers.placements; cell->buffers.placement++) {
    if (!is_recent(cell, cell->buffers.placement))
      continue;
    if (inout ? !check_placement(cell, false, true) || !poison_placement(cell) || !run_once(cell, false, true)
              : !xb_cell_check_timed(cell, !is_recent(cell, 0)))
      return false;
  }
  cell->buffers.placement = 0;
  return true;
}

bool xb_cell_verify(xb_cell *cell)
{
  if (!xb_cell_poison(cell))
    return false;
  cell->verdict.outputs = (xb_output_hash){0};
  for (cell->buffers.placement = 0; cell->buffers.placement < cell->buffers.placements; cell->buffers.placement++) {
    cell->verdict.hashing = cell->buffers.placement == 0;
    if (!run_once(cell, false, false))
      return false;
  }
  cell->verdict.hashing = false;
  cell->buffers.placement = 0;
  /* What a window writes past its end, the next window hides, unless it ran before. */
  if (cell->plan.windows > 1 && (!poison_placement(cell) || !run_once(cell, true, false)))
    return false;
  return cell->verdict.verified = true;
}

bool xb_cell_recheck(xb_cell *cell, uint64_t seed)
{
  const uint64_t own = cell->c.seed;
  const bool needs = needs_contents(cell);
  const double begin = xb_clock_ns();
  const double limit = fmin(fmax(RECHECK_SAMPLES * cell->sample_ns, SHORTEST_RECHECK_NS), LONGEST_RECHECK_NS);
  cell->c.seed = seed;
  cell->buffers.placement = 0;
  xb_cell_fill_host_inputs(cell);
  bool good = xb_cell_fill_images(cell);
  for (uint32_t n = 0; good && n < RECHECKS && !(cell->stop && *cell->stop); n++) {
    if (n >= LEAST_RECHECKS && xb_clock_ns() - begin > limit)
      break;
    /* Not before the first: results of the old seed must be replaced, too. An in-out buffer needs its contents. Of an
     * untrusted kernel's runs one in four finds the poison of timed runs. */
    xb_cell_set_window(cell, n % 6 < 2 ? 0 : xb_window_of_run(n % 6 / 2 - 1)); /* only 0 ends with the guard */
    const bool poisons = n % 2 || needs || (n % 4 == 2 && is_untrusted(cell));
    if (poisons)
      cell->verdict.other_poison = n % 2 && is_untrusted(cell);
    good = (!poisons || poison_placement(cell)) && run_once(cell, false, true);
    cell->verdict.rechecked_runs += good;
  }
  if (cell->verdict.other_poison) { /* the guards of inputs are those of other cells, too */
    cell->verdict.other_poison = false;
    good = poison_placement(cell) && good;
  }
  cell->c.seed = own;
  xb_cell_set_window(cell, 0);
  cell->verdict.verified = good;
  return good;
}
