#include "pair/scaffold/scaffold.h"

#include "base/exit_codes.h"
#include "base/whole_file.h"
#include "base/word_list.h"
#include "os/written_file.h"
#include "source/includes.h"
#include "source/values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True if one of the tokens is one of the words. */
static bool has(const xb_scaffold *s, size_t begin, size_t end, const char *words)
{
  for (size_t i = begin; i < end; i++)
    if (xb_token_in(&s->tokens.list[i], words))
      return true;
  return false;
}

/* Does the file declare operators that kernels may use? Those of the host are none of them. */
static bool has_operators(const xb_scaffold *s)
{
  for (size_t i = 0; i < s->tokens.count; i++)
    if (xb_token_is(&s->tokens.list[i], "operator") && s->tokens.list[i].scope >= XB_SCOPE_DEVICE)
      return true;
  return false;
}

/* Does the output count on warps? Their operations end with _sync. */
static bool uses_warps(const xb_scaffold *s)
{
  for (size_t i = 0; i < s->tokens.count; i++) {
    const xb_token *t = &s->tokens.list[i];
    if (s->wanted[i] && t->kind == XB_TOKEN_NAME && t->length > 7 && !strncmp(t->text, "__", 2) &&
        !strncmp(t->text + t->length - 5, "_sync", 5))
      return true;
  }
  return false;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* A line of the output grows until its end, because notes stand above it. */
typedef struct lines {
  xb_scaffold *s;
  FILE *out;
  char text[4096];
  size_t length, line; /* `line`: of the source */
  bool had_tokens, continued;
} lines;

static void end_line(lines *l)
{
  while (l->length && isspace((unsigned char)l->text[l->length - 1]))
    l->length--;
  l->text[l->length] = 0;
  if (!l->continued)
    xb_scaffold_print_notes(l->s, l->line, l->out);
  if (l->length || !l->had_tokens)
    fprintf(l->out, "%s\n", l->text);
  l->continued = l->length && l->text[l->length - 1] == '\\';
  l->length = 0;
  l->had_tokens = false;
}

static void put(lines *l, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n')
      end_line(l);
    else if (l->length + 1 < sizeof l->text)
      l->text[l->length++] = text[i];
    l->text[l->length] = 0;
    l->line += text[i] == '\n';
  }
}

/* Comments that stand before a declaration belong to it. */
static void put_comments(lines *l, size_t begin)
{
  size_t length;
  const char *gap = xb_scaffold_gap(l->s, begin, &length), *newline = memchr(gap, '\n', length);
  const size_t skipped = begin && newline ? (size_t)(newline + 1 - gap) : begin ? length : 0;
  l->line = l->s->tokens.list[begin].line;
  for (size_t i = skipped; i < length; i++)
    l->line -= gap[i] == '\n';
  put(l, gap + skipped, length - skipped);
}

/* As xb_scaffold_render, with notes above the lines. */
static void put_tokens(lines *l, size_t begin, size_t end)
{
  xb_scaffold *s = l->s;
  for (size_t i = begin; i < end; i++) {
    const xb_token *t = &s->tokens.list[i];
    size_t length;
    const bool first = strspn(l->text, " \t") >= l->length;
    const char *gap = xb_scaffold_blanks(s, i, first, &length);
    if (i > begin)
      put(l, gap, length);
    l->line = t->line;
    l->had_tokens = true;
    put(l, xb_scaffold_said(s, i), strlen(xb_scaffold_said(s, i)));
  }
  end_line(l);
}

/* ---- Declarations ----------------------------------------------------------------------------------------------- */

/* groupshared memory stands before the function that declares it. */
static void print_shared(lines *l, size_t begin, size_t end)
{
  xb_scaffold *s = l->s;
  for (size_t i = begin; i < end; i++) {
    if (!xb_token_is(&s->tokens.list[i], "__shared__") || !s->as[i])
      continue;
    size_t close = i;
    while (close < end && close < i + XB_TOKEN_REACH && !xb_token_is(&s->tokens.list[close], ";"))
      close++;
    xb_scaffold_doubt_sizes(s, begin, i, close);
    xb_scaffold_print_notes(s, s->tokens.list[i].line, l->out);
    fprintf(l->out, "%s;\n", xb_scaffold_render(s, i, close));
    for (size_t k = i; k <= close && k < end; k++)
      s->as[k] = "";
  }
}

/* "using T = float;", constants of the file, functions, structs and macros. */
static void print_item(lines *l, const xb_scaffold_item *item)
{
  xb_scaffold *s = l->s;
  const xb_token *first = &s->tokens.list[item->begin];
  const bool constant = has(s, item->begin, item->name, "__constant__");
  if (constant && !has(s, item->name, item->end, "=")) /* the host gives its value */
    return;
  const bool function = xb_token_is(xb_token_at(&s->tokens, item->name + 1), "(");
  if (xb_token_is(first, "template")) /* of HLSL 2021 only, which few compilers have */
    xb_scaffold_refuse(s, item->begin, "template");
  if (first->kind != XB_TOKEN_DIRECTIVE)
    xb_scaffold_translate(s, item->begin + (xb_token_is(first, "using") ? 3 : 0), item->end);
  else if (xb_token_is(first, "define"))
    xb_scaffold_translate(s, item->name + 1, item->end);
  put_comments(l, item->begin);
  if (function)
    print_shared(l, item->begin, item->end);
  if (function || constant)
    xb_scaffold_leave_out(s, item->begin, item->name, "static __constant__");
  if (constant)
    put(l, "static const ", 13);
  else if (!function && xb_token_in(first, "const constexpr")) /* else it is an argument */
    put(l, "static ", 7);
  if (xb_token_is(first, "using")) {
    const char *type = xb_scaffold_render(s, item->begin + 3, item->end - 1);
    xb_scaffold_print_notes(s, first->line, l->out);
    fprintf(l->out, "typedef %s %s;\n", type, xb_scaffold_word(s, item->name));
    return;
  }
  put_tokens(l, item->begin, item->end);
}

/* ---- The kernel ------------------------------------------------------------------------------------------------- */

static const char *type_of(xb_scaffold *s, const xb_cuda_parameter *p)
{
  size_t end = p->begin;
  while (end < p->end && !xb_token_in(&s->tokens.list[end], "* [ ="))
    end++;
  end -= end > p->begin && !p->is_pointer; /* its name */
  xb_scaffold_translate(s, p->begin, end);
  xb_scaffold_leave_out(s, p->begin, end, "const");
  return xb_scaffold_render(s, p->begin, end);
}

static const char *name_of(const xb_scaffold *s, const xb_cuda_parameter *p)
{
  for (size_t i = p->begin; i < p->end; i++)
    if (xb_token_is(&s->tokens.list[i], p->name) && s->as[i])
      return s->as[i];
  return p->name;
}

/* "__constant__ float w[9];": members of the arguments. */
static void print_constants(xb_scaffold *s, json_t *arguments, FILE *out)
{
  for (const xb_scaffold_item *item = s->items; item < s->items + s->item_count; item++) {
    if (!s->wanted[item->begin] || !has(s, item->begin, item->name, "__constant__") ||
        has(s, item->name, item->end, "="))
      continue;
    xb_scaffold_translate(s, item->begin, item->end);
    xb_scaffold_leave_out(s, item->begin, item->name, "__constant__ static");
    const char *text = xb_scaffold_render(s, item->begin, item->end);
    fprintf(out, "  %s\n", text + strspn(text, " "));
    json_object_set_new(arguments, xb_scaffold_word(s, item->name), json_string("?"));
  }
}

static void print_parameters(xb_scaffold *s, json_t *arguments, FILE *out)
{
  const xb_cuda_kernel *k = &s->kernel;
  uint32_t binding = 0, read = 0, written = 0;
  char *members = NULL;
  size_t bytes;
  FILE *block = open_memstream(&members, &bytes);
  for (size_t i = 0; i < k->count && block; i++) {
    const xb_cuda_parameter *p = &k->parameters[i];
    xb_scaffold_translate(s, p->end - 1, p->end); /* a name that is a word of HLSL */
    const char *type = type_of(s, p), *name = name_of(s, p);
    xb_scaffold_print_notes(s, s->tokens.list[p->begin].line, out);
    if (!p->is_pointer && strcmp(name, p->name) != 0) /* the pair knows the argument by its other name */
      json_object_set_new(arguments, name, json_string("?"));
    if (!p->is_pointer)
      fprintf(block, "  %s %s;\n", type, name);
    else
      fprintf(out, "[[vk::binding(%u)]] %sStructuredBuffer<%s> %s : register(%c%u);\n", binding++,
              p->is_const ? "" : "RW", type, name, p->is_const ? 't' : 'u', p->is_const ? read++ : written++);
  }
  if (!block)
    return;
  print_constants(s, arguments, block);
  if (s->uses_grid) {
    fprintf(block, "  uint3 gridDim; // the number of groups: HLSL has no equivalent\n");
    json_object_set_new(arguments, "gridDim", json_pack("[sii]", "?", 1, 1));
  }
  fclose(block);
  if (*members)
    fprintf(out, "[[vk::binding(%u)]] cbuffer Arguments : register(b0)\n{\n%s};\n", binding, members);
  free(members);
}

static void print_kernel(lines *l, json_t *side)
{
  xb_scaffold *s = l->s;
  const xb_cuda_kernel *k = &s->kernel;
  json_t *arguments = json_object();
  const bool thread = s->calls_threads || has(s, k->open, k->close, "threadIdx");
  const bool block = s->calls_threads || has(s, k->open, k->close, "blockIdx");
  const char *mark = s->calls_threads ? "_" : "";
  xb_scaffold_translate(s, k->open, k->close + 1);
  xb_scaffold_print_notes(s, s->tokens.list[k->begin].line, l->out);
  print_parameters(s, arguments, l->out);
  if (json_object_size(arguments))
    json_object_set(side, "Arguments", arguments);
  json_decref(arguments);
  print_shared(l, k->open, k->close);
  fprintf(l->out, "\n[numthreads(GROUP)]\nvoid %s(", xb_scaffold_word(s, k->name));
  if (thread)
    fprintf(l->out, "uint3 threadIdx%s : SV_GroupThreadID%s", mark, block ? ", " : "");
  if (block)
    fprintf(l->out, "uint3 blockIdx%s : SV_GroupID", mark);
  fprintf(l->out, ")\n");
  if (s->calls_threads) {
    fprintf(l->out, "{\n  threadIdx = threadIdx_;\n  blockIdx = blockIdx_;\n");
    size_t length;
    const char *gap = xb_scaffold_gap(s, k->open + 1, &length), *line = gap + length;
    while (line > gap && line[-1] != '\n')
      line--;
    put(l, line, (size_t)(gap + length - line));
    put_tokens(l, k->open + 1, k->close + 1);
  } else {
    put_tokens(l, k->open, k->close + 1);
  }
}

/* The token `template` of the kernel. False: it is no template. */
static bool find_template(const xb_scaffold *s, size_t *at)
{
  const xb_token *list = s->tokens.list;
  *at = s->kernel.begin;
  while (*at && !xb_token_is(&list[*at], "template") && !strchr(";}", *list[*at - 1].text) &&
         !list[*at - 1].in_directive)
    (*at)--;
  return xb_token_is(&list[*at], "template");
}

/* "template <typename T, int SIZE>" of the kernel, with the values of the instance. */
static void print_template(lines *l)
{
  xb_scaffold *s = l->s;
  const xb_tokens *t = &s->tokens;
  size_t at, depth = 0;
  const char *value = s->instance;
  if (!find_template(s, &at))
    return;
  for (size_t i = at + 2, begin = i; i < s->kernel.begin; i++) {
    const bool last = xb_token_is(&t->list[i], ">") && !depth;
    depth += xb_token_is(&t->list[i], "<");
    depth -= xb_token_is(&t->list[i], ">") && !last;
    if (!last && (!xb_token_is(&t->list[i], ",") || depth))
      continue;
    const int length = (int)strcspn(value, ",>");
    if (!length || has(s, begin, i, "=")) {
      fprintf(l->out, "#error unsure: --entry names no value for %s: name all arguments of the template\n",
              xb_scaffold_render(s, begin, i));
    } else if (xb_token_in(&t->list[begin], "typename class")) {
      fprintf(l->out, "typedef %.*s %s;\n", length, value, xb_scaffold_word(s, begin + 1));
    } else {
      xb_scaffold_translate(s, begin, i);
      fprintf(l->out, "static const %s = %.*s;\n", xb_scaffold_render(s, begin, i), length, value);
    }
    value += length + (value[length] == ',') + strspn(value + length + (value[length] == ','), " ");
    begin = i + 1;
    if (last)
      break;
  }
}

/* ---- The size of a group ---------------------------------------------------------------------------------------- */

static uint32_t number_at(const xb_scaffold *s, size_t at)
{
  const xb_token *t = xb_token_at(&s->tokens, at);
  return t->kind == XB_TOKEN_NUMBER ? (uint32_t)strtoul(t->text, NULL, 0) : xb_source_number(&s->tokens, t);
}

/* The second number of a launch, or else __launch_bounds__, which is the most that a launch may have. */
static void find_group(const xb_scaffold *s, uint32_t group[3])
{
  const xb_tokens *t = &s->tokens;
  for (size_t i = 1; i < t->count && !group[0]; i++) {
    size_t at = i + 1;
    if (t->list[i].kind != XB_TOKEN_LAUNCH || !has(s, i > 8 ? i - 8 : 0, i, xb_scaffold_word(s, s->kernel.name)))
      continue;
    while (at < t->count && !xb_token_is(&t->list[at], ","))
      at = xb_token_is(&t->list[at], "(") ? xb_token_close(t, at) + 1 : at + 1;
    group[0] = strchr(",>", *xb_token_at(t, at + 2)->text) ? number_at(s, at + 1) : 0;
  }
  for (size_t i = s->kernel.begin; i < s->kernel.open && !group[0]; i++)
    if (xb_token_is(&t->list[i], "__launch_bounds__"))
      group[0] = number_at(s, i + 2);
  group[1] = group[2] = group[0] != 0;
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static void print_all(xb_scaffold *s, const char *path, const uint32_t group[3], json_t *side, FILE *out)
{
  const xb_scaffold_item *end = s->items + s->item_count;
  lines l = {.s = s, .out = out};
  bool uses_block = false;
  fprintf(out,
          "// From %s, by xbench pair --scaffold. Finish the lines with an #error: xbench guide ROW shows the row.\n",
          path);
  for (const xb_scaffold_item *item = s->items; item < end; item++) {
    if (!s->wanted[item->begin])
      continue;
    s->calls_threads |= !item->of_kernel && has(s, item->begin, item->end, "threadIdx blockIdx");
    uses_block |= has(s, item->begin, item->end, "blockDim");
    s->uses_grid |= has(s, item->begin, item->end, "gridDim");
  }
  xb_scaffold_find_rows(s);
  if (uses_warps(s))
    fprintf(
        out,
        "// A warp of CUDA has 32 lanes, a wave may have others: ask for \"WaveSize\": 32 in the manifest, or let the\n"
        "// code ask WaveGetLaneCount(): xbench guide warp-size\n");
  if (group[0])
    fprintf(out, "#define GROUP %u, %u, %u\n", group[0], group[1], group[2]);
  else
    fprintf(out,
            "#error block-size: the source does not say it: write it here, or give --group\n#define GROUP ?, 1, 1\n");
  if (uses_block)
    fprintf(out, "static const uint3 blockDim = uint3(GROUP);\n");
  if (s->calls_threads)
    fprintf(out, "static uint3 threadIdx, blockIdx;\n");
  if (has_operators(s))
    fprintf(out, "#error unsure: this file declares operators, and HLSL has none: look for their uses\n");
  print_template(&l);
  for (const xb_scaffold_item *item = s->items; item < end; item++)
    if (item->of_kernel)
      put_comments(&l, item->begin), print_kernel(&l, side);
    else if (s->wanted[item->begin])
      print_item(&l, item);
}

static int fail(const char *path, const char *what, const char *name)
{
  return xb_report_error(XB_EXIT_USAGE, "pair: --scaffold: %s: %s%s", path, what, name);
}

static int write_hlsl(xb_scaffold *s, const char *path, const char *entry, uint32_t group[3], json_t **side)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  const char *to = xb_arena_text(s->arena, "%.*s.hlsl", (int)((dot ? dot : name + strlen(name)) - name), name);
  const char *kernel;
  xb_cuda_kernel other;
  char *text = NULL;
  size_t bytes;
  const char *base = xb_cuda_base_name(entry, s->arena);
  bool found = xb_cuda_find_kernel(&s->tokens, base, 0, &s->kernel);
  while (found && s->kernel.close == s->kernel.open) /* a declaration */
    found = xb_cuda_find_kernel(&s->tokens, base, s->kernel.name, &s->kernel);
  if (!found)
    return fail(path, entry ? "has no kernel " : "has no kernel", entry ? entry : "");
  kernel = xb_scaffold_word(s, s->kernel.name);
  char several[200] = "";
  for (size_t from = s->kernel.name; !entry && xb_cuda_find_kernel(&s->tokens, "", from, &other); from = other.name)
    if (strcmp(xb_scaffold_word(s, other.name), kernel) != 0)
      xb_add_listed(several, sizeof several, xb_scaffold_word(s, other.name));
  if (*several)
    return fail(path,
                "has several kernels: name one with --entry: ", xb_arena_text(s->arena, "%s, %s", kernel, several));
  if (!to || !access(to, F_OK))
    return fail(to ? to : path, "already exists: move it away", "");
  s->instance = entry && strchr(entry, '<') ? strchr(entry, '<') + 1 : NULL;
  size_t at;
  if (!s->instance && find_template(s, &at))
    return xb_report_error(XB_EXIT_USAGE,
                           "pair: --scaffold: %s is a template: name an instance, such as --entry '%s<256>'", kernel,
                           kernel);
  if (!group[0])
    find_group(s, group);
  FILE *out = xb_scaffold_choose(s) ? open_memstream(&text, &bytes) : NULL;
  if (!out)
    return fail(path, "out of host memory", "");
  *side = json_pack("{ssss}", "Source", to, "Kernel", kernel);
  if (s->instance || (entry && strcmp(entry, kernel) != 0))
    json_object_set_new(*side, "Entries", json_pack("{ss}", entry, kernel));
  print_all(s, path, group, *side, out);
  fclose(out);
  size_t errors = 0;
  for (const char *p = text; (p = strstr(p, "\n#error")); p++)
    errors++;
  const char *why = xb_write_whole_file(to, text, bytes) ? NULL : strerror(errno);
  free(text);
  if (why)
    return fail(to, "cannot be written: ", why);
  if (errors)
    printf("%s: written; %zu #error line%s mark%s unfinished parts\n", to, errors, errors == 1 ? "" : "s",
           errors == 1 ? "s" : "");
  else
    printf("%s: written, without an #error: run the pair to check its results\n", to);
  return XB_EXIT_OK;
}

/* Reads the source as tokens. */
static bool read_text(xb_scaffold *s, const char *text)
{
  s->text = text;
  xb_tokens_read(&s->tokens, text);
  xb_tokens_set_scopes(&s->tokens, false);
  xb_findings_read(&s->findings, text, false);
  s->masks = xb_mask_names_read(&s->tokens);
  bool **const sets[] = {&s->no_types, &s->unknown[false], &s->unknown[true]};
  bool good = s->masks;
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    good &= (*sets[i] = xb_arena_take(s->arena, s->tokens.count + 1, sizeof **sets[i])) != NULL;
  return xb_symbols_read(&s->symbols, &s->tokens) && good && !s->tokens.out_of_memory && !s->findings.out_of_memory;
}

static void forget_text(xb_scaffold *s)
{
  xb_findings_free(&s->findings);
  xb_symbols_free(&s->symbols);
  free(s->masks);
  xb_tokens_free(&s->tokens);
}

int xb_scaffold_write(const char *path, const char *entry, uint32_t group[3], xb_arena *arena, json_t **side)
{
  const xb_source_options options = {0};
  xb_scaffold s = {.arena = arena};
  xb_cuda_kernel kernel;
  xb_error error;
  char *text;
  size_t bytes;
  *side = NULL;
  if (xb_read_file(path, XB_MAX_SOURCE_BYTES, arena, &text, &bytes, &error))
    return xb_report_error(XB_EXIT_USAGE, "%s", error.message);
  text = xb_source_read(path, &options, arena);
  bool good = text && read_text(&s, text);
  if (good && !xb_cuda_find_kernel(&s.tokens, xb_cuda_base_name(entry, arena), 0, &kernel)) {
    char *expanded = xb_source_expand(text, &options, arena); /* a macro may make the kernel */
    if (expanded) {
      forget_text(&s);
      good = read_text(&s, expanded);
    }
  }
  const int code = good ? write_hlsl(&s, path, entry, group, side) : fail(path, "out of host memory", "");
  forget_text(&s);
  return code;
}
