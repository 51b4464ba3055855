/* Accesses of a watched shader: each becomes a site, a constant with its line, its variable and what it does, which the
 * runtime is given before the access (runtime/touch.c). Nothing depends on what a C compiler instruments. An access
 * that would be outside is not made. */
#include "shader/shader.h"

#include "runtime/xb_cpu.h"

#include <string.h>

enum { MOST_DEPTH = 8 }; /* of expressions between a load and an OpSelect */

bool makes_address(uint32_t op)
{
  return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPtrAccessChain;
}

/* Others see it: not a thread's own variables, nor what all only read. */
static bool is_shared(uint32_t storage)
{
  return storage == SpvStorageClassWorkgroup || storage == SpvStorageClassStorageBuffer ||
         storage == SpvStorageClassUniform || storage == SpvStorageClassPhysicalStorageBuffer;
}

/* ---- Sites ------------------------------------------------------------------------------------------------------ */

static const char *name_of(const shader *s, uint32_t pointer)
{
  const uint32_t root = root_of(s, pointer);
  const char *name = root ? xb_spirv_facts(&s->module, root)->name : NULL;
  return name && *name ? name : "a variable";
}

static uint32_t add_site(shader *s, xb_cpu_site site, uint32_t pointer)
{
  char file[256], name[256];
  say_work(s, "static const xb_cpu_site site%u = {\"%s\", %u, %u, \"%s\", %u, %u, %u, %u, %d};\n", s->sites,
           quoted(s->line ? s->file : "", file), s->line, site.bytes, quoted(name_of(s, pointer), name), site.op,
           site.kind, site.scope, site.memory, site.order);
  return s->sites++;
}

static bool has_bad_indices(const shader *s, uint32_t pointer)
{
  return makes_address(op_of(s, pointer));
}

/* "runtime->touch(&site3, b12, v40)", behind its indices; "": nothing is to be told. */
static void touch_of(const shader *s, uint32_t site, uint32_t pointer, char text[96])
{
  if (op_of(s, pointer) == SpvOpImageTexelPointer) {
    snprintf(text, 96, "runtime->texel(&site%u, x%u.image, x%u.at)", site, pointer, pointer);
    return;
  }
  char of[16], indices[40] = "";
  const char *buffer = pointed_buffer(s, pointer, of);
  if (has_bad_indices(s, pointer))
    snprintf(indices, sizeof indices, "xb_within(&x%u, &site%u)", pointer, site);
  if (is_shared(storage_of(s, pointer)))
    snprintf(text, 96, "%s%sruntime->touch(&site%u, %s, v%u)", indices, *indices ? " && " : "", site,
             buffer ? buffer : "NULL", pointer);
  else
    snprintf(text, 96, "%s", indices);
}

bool say_touched(shader *s, uint32_t pointer, uint32_t bytes, uint32_t op, bool coherent)
{
  char touch[96];
  if (!is_shared(storage_of(s, pointer)) && !has_bad_indices(s, pointer))
    return false;
  const xb_cpu_site site = {.bytes = bytes, .op = (uint8_t)op, .kind = coherent ? XB_CPU_COHERENT : XB_CPU_PLAIN};
  touch_of(s, add_site(s, site, pointer), pointer, touch);
  say(s, "if (%s) ", touch);
  return true;
}

uint32_t texel_site(shader *s, uint32_t image, uint32_t op, bool coherent)
{
  const xb_cpu_site site = {.op = (uint8_t)(op | XB_CPU_TEXEL), .kind = coherent ? XB_CPU_COHERENT : XB_CPU_PLAIN};
  return add_site(s, site, image_variable(s, image));
}

const char *touched_place(shader *s, const uint32_t *at, uint32_t pointer, uint32_t bytes, char text[96])
{
  const uint32_t op = xb_spirv_op(at), from = op == SpvOpAtomicStore ? 2 : 4;
  const uint32_t texel = op_of(s, pointer) == SpvOpImageTexelPointer ? XB_CPU_TEXEL : 0;
  char touch[96];
  const xb_cpu_site site = {.bytes = bytes,
                            .op = (uint8_t)(texel | (op == SpvOpAtomicLoad    ? XB_CPU_LOAD
                                                     : op == SpvOpAtomicStore ? XB_CPU_STORE
                                                                              : XB_CPU_MODIFY)),
                            .kind = XB_CPU_ATOMIC,
                            .scope = is_of_group(s, word(at, from)) ? XB_CPU_SCOPE_BLOCK : XB_CPU_SCOPE_DEVICE,
                            .memory = (uint8_t)memory_of(s, word(at, from + 1)),
                            .order = order_of(s, word(at, from + 1))};
  touch_of(s, add_site(s, site, pointer), pointer, touch);
  snprintf(text, 96, "(%.70s ? v%u : NULL)", *touch ? touch : "true", pointer);
  return text;
}

/* ---- Indices ----------------------------------------------------------------------------------------------------- */

/* Elements that an index chooses from; 0: a struct's members, or as many as the buffer has. */
static uint32_t choices(const shader *s, uint32_t type)
{
  if (op_of(s, type) == SpvOpTypeStruct || op_of(s, type) == SpvOpTypeRuntimeArray)
    return 0;
  return is_array(s, type) || is_vector(s, type) || is_matrix(s, type) ? elements(s, type) : 0;
}

void say_bad_indices(shader *s, const uint32_t *at)
{
  const uint32_t id = word(at, 2), base = word(at, 3);
  uint32_t type = pointee(s, base);
  if (has_bad_indices(s, base))
    say(s, "x%u = x%u; ", id, base);
  else
    say(s, "x%u.length = 0; ", id);
  for (uint32_t i = xb_spirv_op(at) == SpvOpPtrAccessChain ? 5 : 4; i < xb_spirv_length(at) && type; i++) {
    const uint32_t count = i == 4 && is_buffer_array(s, base) ? elements_of(s, base) : choices(s, type);
    if (op_of(s, type) == SpvOpTypeStruct) {
      type = arg(s, type, 2 + constant(s, at[i]));
      continue;
    }
    if (count) {
      say(s, "XB_CHECK_INDEX(x%u, ", id);
      say_index(s, at[i]);
      say(s, ", %u); ", count);
    }
    type = arg(s, type, 2);
  }
  say(s, "\n");
}

/* ---- Loads for a choice ------------------------------------------------------------------------------------------ */

/* Numbers look like ids: too many uses are counted rather than too few. */
void count_uses(shader *s)
{
  bool inside = false;
  for (const uint32_t *at = s->module.words; at < s->module.end; at += xb_spirv_length(at)) {
    inside |= xb_spirv_op(at) == SpvOpFunction;
    if (!inside || xb_spirv_op(at) == SpvOpLine)
      continue;
    for (uint32_t k = 1; k < xb_spirv_length(at); k++)
      if (at[k] < s->module.bound && made_by(s, at[k]) != at)
        s->facts[at[k]].uses++;
  }
}

static bool in_block(const shader *s, const uint32_t *at)
{
  return at >= s->now->first && at < s->now->end;
}

/* It makes a value of its operands, and does nothing else. */
static bool is_expression(const shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at);
  return (op >= SpvOpVectorExtractDynamic && op <= SpvOpTranspose) || (op >= SpvOpConvertFToU && op <= SpvOpBitcast) ||
         (op >= SpvOpSNegate && op <= SpvOpBitCount) || (op == SpvOpExtInst && word(at, 3) == s->glsl);
}

/* One of two, by one condition. */
static bool is_choice(const shader *s, const uint32_t *at)
{
  return xb_spirv_op(at) == SpvOpSelect && op_of(s, type_of(s, word(at, 3))) == SpvOpTypeBool;
}

/* All that uses the value is an OpSelect that may take it, or an expression for one. */
static bool only_chosen(const shader *s, uint32_t id, int depth)
{
  uint32_t uses = 0;
  for (const uint32_t *at = made_by(s, id); in_block(s, at) && depth < MOST_DEPTH; at += xb_spirv_length(at)) {
    const bool own = at == made_by(s, id), choice = is_choice(s, at);
    uint32_t here = 0;
    for (uint32_t k = 1; !own && k < xb_spirv_length(at) && xb_spirv_op(at) != SpvOpLine; k++)
      here += at[k] == id;
    if (here && ((choice && word(at, 3) == id) || (!choice && !is_expression(s, at)) ||
                 (!choice && !only_chosen(s, word(at, 2), depth + 1))))
      return false;
    uses += here;
  }
  return uses && uses == fact_of(s, id)->uses;
}

bool say_load_for_select(shader *s, const uint32_t *at)
{
  const uint32_t pointer = word(at, 3), id = word(at, 2), storage = storage_of(s, pointer);
  char of[16];
  const char *buffer = pointed_buffer(s, pointer, of);
  const uint32_t bytes = extent_of(s, word(at, 1), fact_of(s, pointer)->layout);
  const bool indices = has_bad_indices(s, pointer);
  if ((!is_shared(storage) && !indices) || !only_chosen(s, id, 0))
    return false;
  const bool coherent = is_coherent(s, pointer, word(at, 4));
  const xb_cpu_site site = {.bytes = bytes, .op = XB_CPU_LOAD, .kind = coherent ? XB_CPU_COHERENT : XB_CPU_PLAIN};
  fact_of(s, id)->waits = add_site(s, site, pointer) + 1;
  say(s, "if (true");
  if (indices)
    say(s, " && !x%u.length", pointer);
  if (buffer)
    say(s, " && XB_INSIDE(%s, v%u, %u)", buffer, pointer, bytes);
  say(s, ") ");
  return true;
}

bool waits_for_select(shader *s, uint32_t id, uint32_t site)
{
  if (only_chosen(s, id, 0))
    fact_of(s, id)->waits = site + 1;
  return fact_of(s, id)->waits != 0;
}

/* Touches the loads that the value is made from. */
static void say_waiting(shader *s, uint32_t id, int depth)
{
  const uint32_t *at = made_by(s, id);
  char touch[96];
  if (!in_block(s, at) || depth > MOST_DEPTH)
    return;
  if (fact_of(s, id)->waits) {
    if (xb_spirv_op(at) == SpvOpLoad) {
      touch_of(s, fact_of(s, id)->waits - 1, word(at, 3), touch);
      say(s, "(void)(%s); ", touch);
    } else {
      say_texel(s, fact_of(s, id)->waits - 1, at, 3);
      say(s, "; ");
    }
  } else if (is_choice(s, at)) {
    say(s, "if (v%u) { ", word(at, 3));
    say_waiting(s, word(at, 4), depth + 1);
    say(s, "} else { ");
    say_waiting(s, word(at, 5), depth + 1);
    say(s, "} ");
  } else if (is_expression(s, at)) {
    for (uint32_t k = 3; k < xb_spirv_length(at); k++)
      say_waiting(s, at[k], depth + 1);
  }
}

/* The outermost choice of an expression touches for all within. */
void say_select(shader *s, const uint32_t *at)
{
  if (is_choice(s, at) && !only_chosen(s, word(at, 2), 0))
    say_waiting(s, word(at, 2), 0);
}
