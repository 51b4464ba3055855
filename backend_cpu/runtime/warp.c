/* Operations of a warp. A lane leaves its value and waits; the last lane of the mask works out the result of each lane,
 * so that a lane that is faster afterwards changes nothing that a slower one still reads.
 *
 * CUDA: each calling lane is in its own mask, and all lanes of the mask that have not ended execute the same operation
 * with the same mask. What a lane reads from a lane that has ended or is not in the mask is undefined: here it is
 * POISON. */
#include "internal.h"

const char *xb_cpu_warp_word(uint8_t op)
{
  static const char *const words[] = {"__syncwarp",        "a shuffle",
                                      "__ballot_sync",     "__any_sync",
                                      "__all_sync",        "__match_any_sync",
                                      "__match_all_sync",  "__reduce_add_sync",
                                      "__reduce_min_sync", "__reduce_max_sync",
                                      "__reduce_and_sync", "__reduce_or_sync",
                                      "__reduce_xor_sync", "an operation of a group"};
  return op < sizeof words / sizeof *words ? words[op] : "an operation of a warp";
}

static uint32_t lowest(uint32_t bits)
{
  return (uint32_t)__builtin_ctz(bits);
}

static void shuffle(fiber *lanes, uint32_t who, bool watched)
{
  uint64_t values[XB_CPU_WARP];
  for (uint32_t l = 0; l < XB_CPU_WARP; l++)
    values[l] = who >> l & 1 ? lanes[l].value : POISON;
  for (uint32_t left = who; left; left &= left - 1) {
    fiber *f = &lanes[lowest(left)];
    const uint32_t from = f->extra % XB_CPU_WARP;
    f->value = watched && !(who >> from & 1) ? xb_cpu_watch_lane(f, from) : values[from];
  }
}

static void match_any(fiber *lanes, uint32_t who)
{
  uint32_t found[XB_CPU_WARP];
  for (uint32_t a = who; a; a &= a - 1) {
    found[lowest(a)] = 0;
    for (uint32_t b = who; b; b &= b - 1)
      found[lowest(a)] |= (uint32_t)(lanes[lowest(a)].value == lanes[lowest(b)].value) << lowest(b);
  }
  for (uint32_t a = who; a; a &= a - 1)
    lanes[lowest(a)].value = found[lowest(a)];
}

static void gather(fiber *lanes, uint32_t who)
{
  for (uint32_t a = who; a; a &= a - 1)
    for (uint32_t b = who; b; b &= b - 1)
      ((xb_cpu_gathered *)(uintptr_t)lanes[lowest(a)].value)->all[lowest(b)] =
          ((xb_cpu_gathered *)(uintptr_t)lanes[lowest(b)].value)->own;
}

static uint32_t pick(xb_cpu_warp_op op, bool is_signed, uint32_t a, uint32_t b)
{
  const bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
  switch (op) {
  case XB_CPU_REDUCE_ADD: return a + b;
  case XB_CPU_REDUCE_MIN: return less ? a : b;
  case XB_CPU_REDUCE_MAX: return less ? b : a;
  case XB_CPU_REDUCE_AND: return a & b;
  case XB_CPU_REDUCE_OR: return a | b;
  default: return a ^ b;
  }
}

/* The result that is the same for all lanes. */
static uint64_t common(const fiber *lanes, uint32_t who, xb_cpu_warp_op op)
{
  const fiber *first = &lanes[lowest(who)];
  uint32_t votes = 0, sum = (uint32_t)first->value;
  bool same = true;
  for (uint32_t left = who & (who - 1); left; left &= left - 1) {
    const fiber *f = &lanes[lowest(left)];
    same = same && f->value == first->value;
    sum = pick(op, first->extra, sum, (uint32_t)f->value);
  }
  for (uint32_t left = who; left; left &= left - 1)
    votes |= (uint32_t)(lanes[lowest(left)].value != 0) << lowest(left);
  switch (op) {
  case XB_CPU_SYNCWARP: return 0;
  case XB_CPU_BALLOT: return votes;
  case XB_CPU_ANY: return votes != 0;
  case XB_CPU_ALL: return votes == who;
  case XB_CPU_MATCH_ALL: return same ? who : 0;
  default: return sum;
  }
}

static void complete(fiber *lanes, uint32_t who, xb_cpu_warp_op op, bool watched)
{
  if (op == XB_CPU_SHUFFLE) {
    shuffle(lanes, who, watched);
  } else if (op == XB_CPU_MATCH_ANY) {
    match_any(lanes, who);
  } else if (op == XB_CPU_GATHER) {
    gather(lanes, who);
  } else if (op != XB_CPU_SYNCWARP) {
    const uint64_t result = common(lanes, who, op);
    for (uint32_t left = who; left; left &= left - 1)
      lanes[lowest(left)].value = result;
  }
}

/* The lanes that wait with the mask, if they are all of its lanes that live; `self` counts as waiting. */
static uint32_t all_here(const fiber *lanes, const warp *p, uint32_t mask, uint32_t self)
{
  const uint32_t need = mask & p->live;
  if (need & ~(p->waiting | self))
    return 0;
  for (uint32_t left = need & ~self; left; left &= left - 1)
    if (lanes[lowest(left)].mask != mask)
      return 0;
  return need;
}

static void release(worker *w, warp *p, fiber *lanes, uint32_t who)
{
  p->waiting &= ~who;
  for (uint32_t left = who; left;) { /* the lowest lane in front */
    const uint32_t l = 31 - (uint32_t)__builtin_clz(left);
    left &= ~(1u << l);
    xb_cpu_queue_front(w, &lanes[l]);
  }
}

/* Two lanes that wait for each other with different masks or in different operations never meet. */
static bool agrees(worker *w, const warp *p, const fiber *lanes, const fiber *f)
{
  const uint32_t self = f->place.linear % XB_CPU_WARP;
  for (uint32_t left = f->mask & p->waiting; left; left &= left - 1) {
    const fiber *other = &lanes[lowest(left)];
    if (!(other->mask >> self & 1) || (other->mask == f->mask && other->op == f->op))
      continue;
    xb_cpu_fault_at(
        w, XB_CPU_BAD_MASK, f,
        "lane %u comes to %s with the mask 0x%08x at %s:%u, but lane %u, which both masks name, waits in %s "
        "with 0x%08x at %s:%u",
        self, xb_cpu_warp_word(f->op), f->mask, f->file, f->line, lowest(left), xb_cpu_warp_word(other->op),
        other->mask, other->file, other->line);
    return false;
  }
  return true;
}

/* __activemask has no mask to wait for. A lane waits there until no thread of the block can go on otherwise: then all
 * lanes of a warp that wait at the same place are active together, as they are on a GPU that runs them in step. */
static uint64_t active(worker *w, warp *p, fiber *f)
{
  p->converging |= 1u << f->place.linear % XB_CPU_WARP;
  w->converging++;
  xb_cpu_pause(w, AT_WARP);
  return f->value;
}

bool xb_cpu_warp_converge(worker *w)
{
  if (!w->converging)
    return false;
  for (uint32_t i = 0; i * XB_CPU_WARP < w->count; i++) {
    fiber *lanes = &w->fibers[i * XB_CPU_WARP];
    const uint32_t all = w->warps[i].converging;
    for (uint32_t a = all; a; a &= a - 1) {
      fiber *f = &lanes[lowest(a)];
      f->value = 0;
      for (uint32_t b = all; b; b &= b - 1)
        f->value |= (uint64_t)(lanes[lowest(b)].line == f->line && lanes[lowest(b)].file == f->file) << lowest(b);
    }
    w->warps[i].converging = 0;
    release(w, &w->warps[i], lanes, all);
  }
  w->converging = 0;
  return true;
}

uint64_t xb_cpu_warp(xb_cpu_warp_op op, uint32_t mask, uint64_t value, uint32_t extra, const char *file, uint32_t line)
{
  worker *w = xb_cpu_enter();
  fiber *f = (fiber *)w->block.now;
  const uint32_t self = f->place.linear % XB_CPU_WARP, in = f->place.linear / XB_CPU_WARP;
  fiber *lanes = f - self;
  warp *p = &w->warps[in];
  f->mask = mask;
  f->value = value;
  f->extra = (uint8_t)extra;
  f->op = (uint8_t)op;
  f->file = file;
  f->line = line;
  if (op == XB_CPU_ACTIVE) {
    const uint64_t bits = active(w, p, f);
    xb_cpu_exit(w);
    return bits;
  }
  if (!(mask >> self & 1)) {
    xb_cpu_fault_at(w, XB_CPU_BAD_MASK, f, "lane %u calls %s with the mask 0x%08x, which does not name it, at %s:%u",
                    self, xb_cpu_warp_word(f->op), mask, file, line);
    xb_cpu_abandon(w);
  }
  if (p->waiting && !agrees(w, p, lanes, f))
    xb_cpu_abandon(w);
  const uint32_t who = all_here(lanes, p, mask, 1u << self);
  if (who) {
    complete(lanes, who, op, w->block.watched != 0);
    if (op == XB_CPU_SYNCWARP && w->block.watched)
      xb_cpu_watch_warp(w, in, who);
    release(w, p, lanes, who & ~(1u << self));
  } else {
    p->waiting |= 1u << self;
    xb_cpu_pause(w, AT_WARP);
  }
  const uint64_t result = f->value;
  xb_cpu_exit(w);
  return result;
}

void xb_cpu_warp_left(worker *w, uint32_t warp_index)
{
  fiber *lanes = &w->fibers[warp_index * XB_CPU_WARP];
  warp *p = &w->warps[warp_index];
  for (uint32_t left = p->waiting; left;) {
    const fiber *f = &lanes[lowest(left)];
    const uint32_t who = all_here(lanes, p, f->mask, 0);
    left &= left - 1;
    if (who) {
      complete(lanes, who, (xb_cpu_warp_op)f->op, w->block.watched != 0);
      if (f->op == XB_CPU_SYNCWARP && w->block.watched)
        xb_cpu_watch_warp(w, warp_index, who);
      release(w, p, lanes, who);
      left &= ~who;
    }
  }
}
