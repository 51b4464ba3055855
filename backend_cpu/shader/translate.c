/* The module: types, constants, variables, the functions that the entry point calls, and the entry's table. */
#include "shader/shader.h"

#include "runtime/xb_cpu.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void find_entry(shader *s)
{
  char names[200] = "";
  for (const uint32_t *at = NULL; !s->entry && (at = xb_spirv_next(&s->module, at, SpvOpEntryPoint, 4));) {
    const char *name = xb_spirv_text(at, 3);
    const size_t used = strlen(names);
    if (at[1] == SpvExecutionModelGLCompute && name && !strcmp(name, s->desc->entry))
      s->entry = at;
    else
      snprintf(names + used, sizeof names - used, "%s'%.60s'%s", used ? ", " : "", name ? name : "",
               at[1] == SpvExecutionModelGLCompute ? "" : " (not compute)");
  }
  if (!s->entry)
    shader_refuse(s, XB_INVALID, "the code has no entry point '%.60s', it has %s", s->desc->entry,
                  *names ? names : "none");
}

/* By the mode, or by the constant WorkgroupSize, which goes before it. */
static void find_group_size(shader *s)
{
  uint32_t *size = s->made->group_size, what;
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&s->module, at, SpvOpExecutionMode, 6));)
    if (at[1] == s->entry[2] && at[2] == SpvExecutionModeLocalSize)
      memcpy(size, at + 3, 3 * sizeof *size);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&s->module, at, SpvOpExecutionModeId, 6));)
    if (at[1] == s->entry[2] && at[2] == SpvExecutionModeLocalSizeId)
      for (uint32_t i = 0; i < 3; i++)
        size[i] = constant(s, at[3 + i]);
  for (const uint32_t *at = s->module.words; at < s->module.end; at += xb_spirv_length(at))
    if ((xb_spirv_op(at) == SpvOpSpecConstantComposite || xb_spirv_op(at) == SpvOpConstantComposite) &&
        decorated(s, word(at, 2), SpvDecorationBuiltIn, &what) && what == SpvBuiltInWorkgroupSize)
      for (uint32_t i = 0; i < 3; i++)
        size[i] = constant(s, word(at, 3 + i));
}

/* The value belongs to a constant of the code, and has its size. */
static void check_specialization(shader *s, const xb_specialization *value)
{
  const uint32_t given = value->bytes ? value->bytes : 4;
  bool found = false;
  for (uint32_t d = 0; d < s->decoration_count; d++) {
    const uint32_t *at = s->decorations[d];
    if (xb_spirv_op(at) != SpvOpDecorate || word(at, 2) != SpvDecorationSpecId || word(at, 3) != value->id)
      continue;
    const uint32_t bytes = width_of(s, type_of(s, word(at, 1))) / 8; /* 4 of a bool, as in the API */
    if (given != bytes)
      shader_refuse(s, XB_INVALID, "specialization constant %u has %u bytes in the code, %u in the description",
                    value->id, bytes, given);
    found = true;
  }
  if (!found)
    shader_refuse(s, XB_INVALID, "the code has no specialization constant %u", value->id);
}

static void check_specializations(shader *s)
{
  for (uint32_t i = 0; i < s->desc->specialization_count; i++)
    check_specialization(s, &s->desc->specializations[i]);
}

/* Messages name a variable by its symbol: "groupshared.12.tile". */
static void say_symbol(shader *s, uint32_t variable)
{
  const char *name = xb_spirv_facts(&s->module, variable)->name;
  if (!is_watched(s) || !name)
    return;
  say(s, " __asm__(\"groupshared.%u.", variable);
  for (; *name; name++)
    say(s, "%c", isalnum((unsigned char)*name) ? *name : '_');
  say(s, "\")");
}

static void say_declarations(shader *s)
{
  const xb_spirv *m = &s->module;
  for (const uint32_t *at = m->words; at < m->end && xb_spirv_op(at) != SpvOpFunction; at += xb_spirv_length(at)) {
    const uint32_t op = xb_spirv_op(at);
    if (is_type(op))
      say_type(s, word(at, 1));
    else if (is_constant(op))
      say_constant(s, word(at, 2));
  }
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpVariable, 4));)
    if (at[3] == SpvStorageClassWorkgroup && xb_spirv_facts(m, at[2])->used) {
      say(s, "static __thread ");
      say_variable(s, pointee(s, at[2]), "s", at[2]);
      say_symbol(s, at[2]);
      say(s, ";\n");
    }
  say(s, "typedef struct xb_private {\n");
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpVariable, 4));)
    if (at[3] == SpvStorageClassPrivate) {
      if (!fact_of(s, pointee(s, at[2]))->value || fact_of(s, pointee(s, at[2]))->size > MOST_VALUE_BYTES)
        shader_refuse(s, XB_UNSUPPORTED, "a variable of %u bytes: a thread of the emulation has at most %d",
                      fact_of(s, pointee(s, at[2]))->size, MOST_VALUE_BYTES);
      say_variable(s, pointee(s, at[2]), "g", at[2]);
      say(s, ";\n");
    }
  say(s, "} xb_private;\n");
}

static void say_functions(shader *s, void (*one)(shader *, const uint32_t *))
{
  for (const uint32_t *at = NULL; !s->code && (at = xb_spirv_next(&s->module, at, SpvOpFunction, 5));)
    if (xb_spirv_facts(&s->module, at[2])->called)
      one(s, at);
}

static void declare(shader *s, const uint32_t *function)
{
  say_head(s, function, ";\n");
}

static void say_entry(shader *s)
{
  const uint32_t f = s->entry[2];
  const fact *known = fact_of(s, f);
  if (op_of(s, f) != SpvOpFunction)
    shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: its entry point is not a function");
  say(s, "#line 1 \"entry\"\nstatic void call(void *const *params) { uint32_t row[%u]; xb_private own;",
      known->path + 1);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&s->module, at, SpvOpVariable, 5));)
    if (at[3] == SpvStorageClassPrivate)
      say(s, " st%u((char *)&own.g%u, v%u);", pointee(s, at[2]), at[2], at[4]);
  say(s, " f%u(params, &own, row, 0); }\nXB_SHADER(call, %u)\n", f,
      s->made->resource_count + (s->made->push_bytes != 0));
}

/* The functions of waves' operations stand between the declarations and what calls them. */
static void translate(shader *s)
{
  char *body = NULL, *works = NULL;
  size_t body_bytes = 0, works_bytes = 0;
  FILE *out = s->out;
  say_declarations(s);
  say_functions(s, declare);
  s->works = open_memstream(&works, &works_bytes);
  s->out = open_memstream(&body, &body_bytes);
  if (!s->works || !s->out)
    s->code = xb_fail(s->err, XB_NOMEM, "xb_kernel_create", "out of host memory");
  else
    say_functions(s, say_function);
  if (s->out)
    fclose(s->out);
  if (s->works)
    fclose(s->works);
  s->out = out;
  if (!s->code) {
    fwrite(works, 1, works_bytes, out);
    fwrite(body, 1, body_bytes, out);
    say_entry(s);
  }
  free(body);
  free(works);
}

static xb_code run(shader *s)
{
  s->out = open_memstream(&s->made->text, &s->made->bytes);
  if (!s->out)
    return xb_fail(s->err, XB_NOMEM, "xb_kernel_create", "out of host memory");
  if (s->module.empty_array)
    shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: an array has no elements");
  else if (shader_read(s))
    find_entry(s);
  if (!s->code) {
    xb_spirv_mark_used(&s->module, s->entry[2]);
    find_group_size(s);
    check_specializations(s);
    find_resources(s);
    find_meetings(s);
    if (is_watched(s))
      count_uses(s);
  }
  if (!s->code)
    translate(s);
  if (fclose(s->out) && !s->code)
    s->code = xb_fail(s->err, XB_NOMEM, "xb_kernel_create", "out of host memory");
  return s->code;
}

xb_code cpu_shader_translate(const xb_kernel_desc *desc, uint32_t checks, cpu_shader *made, xb_error *err)
{
  const char *label = desc->label && *desc->label ? desc->label : desc->entry;
  shader s = {.desc = desc, .made = made, .err = err, .file = ""};
  uint32_t *words =
      desc->code_bytes % sizeof *words ? NULL : malloc(desc->code_bytes); /* the caller's may be at any address */
  *made = (cpu_shader){.group_size = {1, 1, 1}, .checks = checks};
  if (words)
    memcpy(words, desc->code, desc->code_bytes);
  xb_code code = xb_spirv_read(&s.module, label, words ? words : desc->code, words ? desc->code_bytes : 0,
                               desc->specializations, desc->specialization_count, err);
  code = code ? code : run(&s);
  if (code) {
    free(made->text);
    made->text = NULL;
  }
  free(s.facts);
  free(s.decorations);
  free(s.blocks);
  xb_spirv_free(&s.module);
  free(words);
  return code;
}
