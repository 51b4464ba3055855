/* Blocks, branches, calls, barriers; and where a lane is.
 *
 * Lanes meet at operations of waves and at barriers. A function that has such, or that calls one that has, counts the
 * turns of the loops around them. Its place is a row of words: loop, turn, loop, turn, ..., meeting, where loops and
 * meetings are numbered in structured order: a construct comes before its merge block. The runtime (runtime/wave.c)
 * lets those lanes go on whose row is the least, once no lane of the wave can go on otherwise. So lanes meet again
 * where a structured construct ends, as VK_KHR_shader_maximal_reconvergence has it. */
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROW = 4096, MOST_ORDER = 1 << 16 };

/* ---- Which functions meet --------------------------------------------------------------------------------------- */

/* For each function that is called from the entry point: whether it meets, and how long its rows are. A row that grows
 * without an end belongs to functions that call each other. */
void find_meetings(shader *s)
{
  for (bool more = true; more && !s->code;) {
    uint32_t function = 0;
    more = false;
    for (const uint32_t *at = s->module.words; at < s->module.end && !s->code; at += xb_spirv_length(at)) {
      const uint32_t op = xb_spirv_op(at);
      if (op == SpvOpFunction)
        function = word(at, 2);
      const fact *callee = op == SpvOpFunctionCall ? fact_of(s, word(at, 3)) : NULL;
      if (op != SpvOpControlBarrier && !wave_meets(op) && !(callee && callee->meets))
        continue;
      fact *f = fact_of(s, function);
      const uint32_t path = 2 * MOST_LOOPS + 1 + (callee ? callee->path : 0);
      more |= !f->meets || f->path < path;
      f->meets = true;
      f->path = path > f->path ? path : f->path;
      if (f->path > MOST_ROW)
        shader_refuse(s, XB_UNSUPPORTED, "functions call each other, or are nested too deeply");
    }
  }
}

/* ---- Blocks ----------------------------------------------------------------------------------------------------- */

static block *block_by(shader *s, uint32_t label)
{
  const uint32_t i = fact_of(s, label)->block;
  if (i && i <= s->block_count && s->blocks[i - 1].label == label)
    return &s->blocks[i - 1];
  shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: id %u is not a block of its function", label);
  return s->block_count ? &s->blocks[0] : NULL;
}

static const uint32_t *terminator(const block *b)
{
  const uint32_t *last = b->first;
  for (const uint32_t *at = b->first; at < b->end; at += xb_spirv_length(at))
    last = at;
  return last;
}

/* The words of a switch's literals. */
static uint32_t literal_words(const shader *s, const uint32_t *at)
{
  return width_of(s, type_of(s, word(at, 1))) == 64 ? 2 : 1;
}

/* Successor `i`, the ones that come last in structured order first: merge block, continue target, branches. 0: there
 * are no more. */
static uint32_t successor(const shader *s, const block *b, uint32_t i)
{
  const uint32_t *last = terminator(b);
  const uint32_t marks = (b->merge != 0) + (b->proceed != 0);
  if (i < marks)
    return i == 0 ? b->merge : b->proceed;
  i -= marks;
  switch (b->first < b->end ? xb_spirv_op(last) : 0) {
  case SpvOpBranch: return i ? 0 : word(last, 1);
  case SpvOpBranchConditional: return i < 2 ? word(last, 3 - i) : 0;
  case SpvOpSwitch: {
    const uint32_t step = literal_words(s, last) + 1, count = (xb_spirv_length(last) - 3) / step;
    return i < count ? word(last, 3 + step * (count - i) - 1) : i == count ? word(last, 2) : 0;
  }
  default: return 0;
  }
}

typedef struct visit {
  uint32_t block, next;
} visit;

/* Numbers the blocks, from behind: a block after all that it leads to. */
static void number_blocks(shader *s)
{
  visit *stack = calloc(s->block_count + 1u, sizeof *stack);
  uint32_t depth = 0, order = s->block_count;
  if (!stack) {
    s->code = xb_fail(s->err, XB_NOMEM, "xb_kernel_create", "out of host memory");
    return;
  }
  stack[depth++] = (visit){0};
  s->blocks[0].seen = true;
  while (depth && !s->code) {
    visit *v = &stack[depth - 1];
    const uint32_t label = successor(s, &s->blocks[v->block], v->next++);
    if (!label) {
      s->blocks[v->block].order = order--;
      depth--;
      continue;
    }
    block *to = block_by(s, label);
    if (to->seen)
      continue;
    to->seen = true;
    stack[depth++] = (visit){(uint32_t)(to - s->blocks), 0};
  }
  free(stack);
}

static bool add_block(shader *s, const uint32_t *at)
{
  if (s->block_count == s->block_capacity) {
    const uint32_t capacity = s->block_capacity ? 2 * s->block_capacity : 64;
    block *more = realloc(s->blocks, capacity * sizeof *more);
    if (!more) {
      s->code = xb_fail(s->err, XB_NOMEM, "xb_kernel_create", "out of host memory");
      return false;
    }
    s->blocks = more;
    s->block_capacity = capacity;
  }
  const uint32_t *first = at + xb_spirv_length(at);
  s->blocks[s->block_count++] = (block){.label = word(at, 1), .first = first, .end = first};
  fact_of(s, word(at, 1))->block = s->block_count;
  return true;
}

void find_blocks(shader *s, const uint32_t *from, const uint32_t *end)
{
  s->block_count = 0;
  for (const uint32_t *at = from; at < end; at += xb_spirv_length(at)) {
    if (xb_spirv_op(at) == SpvOpLabel && !add_block(s, at))
      return;
    if (!s->block_count || xb_spirv_op(at) == SpvOpLabel)
      continue;
    block *b = &s->blocks[s->block_count - 1];
    b->end = at + xb_spirv_length(at);
    if (xb_spirv_op(at) == SpvOpLoopMerge)
      b->merge = word(at, 1), b->proceed = word(at, 2);
    if (xb_spirv_op(at) == SpvOpSelectionMerge)
      b->merge = word(at, 1);
  }
  if (s->block_count >= MOST_ORDER)
    shader_refuse(s, XB_UNSUPPORTED, "a function of more than %d blocks", MOST_ORDER - 1);
  else if (s->block_count)
    number_blocks(s);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static bool within(shader *s, const block *loop, const block *b)
{
  return loop->proceed && loop->order <= b->order && b->order < block_by(s, loop->merge)->order;
}

/* How many loops are around a block, itself one of them if it begins a loop. */
static uint32_t depth_of(shader *s, const block *b)
{
  uint32_t depth = 0;
  for (uint32_t i = 0; i < s->block_count; i++)
    depth += within(s, &s->blocks[i], b);
  if (depth > MOST_LOOPS)
    shader_refuse(s, XB_UNSUPPORTED, "more than %d nested loops", MOST_LOOPS);
  return depth;
}

uint32_t say_row(shader *s)
{
  const uint32_t depth = depth_of(s, s->now);
  if (++s->meetings >= MOST_ORDER)
    shader_refuse(s, XB_UNSUPPORTED, "more than %d operations of waves in a block", MOST_ORDER - 1);
  say(s, "row[base + %u] = %uu; ", 2 * depth, s->now->order << 16 | s->meetings);
  return 2 * depth + 1;
}

/* The head of a loop: another turn, or the first. */
static void count_turn(shader *s, const block *target)
{
  const uint32_t depth = depth_of(s, target);
  if (within(s, target, s->now))
    say(s, "row[base + %u]++; ", 2 * depth - 1);
  else
    say(s, "row[base + %u] = %uu; row[base + %u] = 0; ", 2 * depth - 2, target->order << 16, 2 * depth - 1);
}

/* ---- Edges ------------------------------------------------------------------------------------------------------ */

static bool may_precede_phi(uint32_t op)
{
  return op == SpvOpPhi || op == SpvOpLine || op == SpvOpNoLine || op == SpvOpExtInst;
}

/* All phis of a block take their values at once. */
static void say_edge(shader *s, uint32_t to)
{
  const block *target = block_by(s, to);
  uint32_t count = 0;
  if (!target)
    return;
  for (const uint32_t *at = target->first; at < target->end && may_precede_phi(xb_spirv_op(at));
       at += xb_spirv_length(at))
    for (uint32_t k = 3; xb_spirv_op(at) == SpvOpPhi && k + 1 < xb_spirv_length(at); k += 2)
      if (at[k + 1] == s->now->label)
        say(s, "%sconst __typeof__(v%u) p%u = v%u; ", count++ ? "" : "{ ", at[2], at[2], at[k]);
  for (const uint32_t *at = target->first; count && at < target->end && may_precede_phi(xb_spirv_op(at));
       at += xb_spirv_length(at))
    for (uint32_t k = 3; xb_spirv_op(at) == SpvOpPhi && k + 1 < xb_spirv_length(at); k += 2)
      if (at[k + 1] == s->now->label)
        say(s, "v%1$u = p%1$u; ", at[2]);
  if (count)
    say(s, "} ");
  if (s->meets && target->proceed)
    count_turn(s, target);
  say(s, "goto L%u;", to);
}

static void say_switch(shader *s, const uint32_t *at)
{
  const uint32_t words = literal_words(s, at), width = width_of(s, type_of(s, word(at, 1)));
  say(s, "switch (v%u) {\n", word(at, 1));
  for (uint32_t i = 3; i + words < xb_spirv_length(at); i += words + 1) {
    const unsigned long long value = words == 2   ? at[i] | (unsigned long long)at[i + 1] << 32
                                     : width < 32 ? at[i] & ((1u << width) - 1)
                                                  : at[i];
    say(s, "case %lluull: ", value);
    say_edge(s, at[i + words]);
    say(s, "\n");
  }
  say(s, "default: ");
  say_edge(s, word(at, 2));
  say(s, "\n}\n");
}

/* ---- Barriers and calls ----------------------------------------------------------------------------------------- */

static void say_barrier(shader *s, const uint32_t *at)
{
  const uint32_t scope = constant(s, word(at, 1));
  char file[256];
  if (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup) {
    shader_refuse(s, XB_UNSUPPORTED, "OpControlBarrier of scope %u is not translated", scope);
    return;
  }
  const uint32_t words = say_row(s);
  quoted(s->file, file);
  if (is_watched(s))
    say_order(s, at);
  if (scope == SpvScopeWorkgroup)
    say(s, "xb_group_barrier(row, base + %u, \"%s\", %u);\n", words, file, s->line);
  else
    say(s, "runtime->wave(NULL, NULL, row, base + %u, \"%s\", %u);\n", words, file, s->line);
}

static void say_call(shader *s, const uint32_t *at)
{
  const bool meets = fact_of(s, word(at, 3))->meets;
  const uint32_t words = meets ? say_row(s) : 0;
  if (op_of(s, word(at, 3)) != SpvOpFunction)
    shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: id %u is not a function", word(at, 3));
  if (op_of(s, word(at, 1)) != SpvOpTypeVoid)
    say(s, "v%u = ", word(at, 2));
  say(s, meets ? "f%u(params, own, row, base + %u" : "f%u(params, own, row, %u", word(at, 3), words);
  for (uint32_t i = 4; i < xb_spirv_length(at); i++)
    say(s, ", v%u", at[i]);
  say(s, ");\n");
}

bool flow(shader *s, const uint32_t *at)
{
  enum { OP_TERMINATE = 4416, OP_ASSUME_TRUE = 5630, OP_EXPECT = 5631, OP_READ_CLOCK = 5056 };
  switch (xb_spirv_op(at)) {
  case SpvOpControlBarrier: say_barrier(s, at); return true;
  case SpvOpMemoryBarrier:
    say(s, "__atomic_thread_fence(__ATOMIC_SEQ_CST);\n");
    if (is_watched(s))
      say_fence(s, at);
    return true;
  case SpvOpFunctionCall: say_call(s, at); return true;
  case SpvOpReturn: say(s, "return;\n"); return true;
  case SpvOpReturnValue: say(s, "return v%u;\n", word(at, 1)); return true;
  case SpvOpUnreachable: say(s, "__builtin_unreachable();\n"); return true;
  case SpvOpBranch: say_edge(s, word(at, 1)), say(s, "\n"); return true;
  case SpvOpBranchConditional:
    say(s, "if (v%u) { ", word(at, 1)), say_edge(s, word(at, 2)), say(s, " } else { "), say_edge(s, word(at, 3));
    say(s, " }\n");
    return true;
  case SpvOpSwitch: say_switch(s, at); return true;
  case OP_EXPECT: say(s, "v%u = v%u;\n", word(at, 2), word(at, 3)); return true;
  case OP_READ_CLOCK:
    say(s, "{ const uint64_t now_ = runtime->clock(); XB_BITCAST(v%u, now_); }\n", word(at, 2));
    return true;
  case SpvOpNop:
  case SpvOpNoLine:
  case SpvOpLoopMerge:
  case SpvOpSelectionMerge:
  case SpvOpPhi:
  case SpvOpUndef:
  case SpvOpVariable:
  case OP_ASSUME_TRUE: return true;
  default: return false;
  }
}
