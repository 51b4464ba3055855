/* Atomics by the type of their word, and functions of groups of threads by the kind of the group. */
#include "guide/scan/rules.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Atomics ---------------------------------------------------------------------------------------------------- */

static const char *suffix_of(xb_symbol_type type)
{
  static const char *const suffixes[] = {
      [XB_TYPE_FLOAT] = " float",   [XB_TYPE_DOUBLE] = " double", [XB_TYPE_HALF] = " double",
      [XB_TYPE_PACKED] = " double", [XB_TYPE_INT64] = " 64",      [XB_TYPE_UINT64] = " 64"};
  return type < sizeof suffixes / sizeof *suffixes && suffixes[type] ? suffixes[type] : "";
}

/* The type of the first argument: of a cast to a pointer, else of the last name of the path, as in &grid->cells[i]. */
static xb_symbol_type type_of_word(const xb_rule_input *in, size_t open, bool *shared)
{
  const xb_tokens *t = in->tokens;
  const size_t close = xb_token_close(t, open);
  const xb_token *name = NULL;
  for (size_t i = open + 1; i < close && i < open + XB_TOKEN_REACH; i++) {
    const xb_token *token = &t->list[i];
    if (xb_token_in(token, ", +"))
      break;
    if (xb_token_is(token, "[")) {
      i = xb_token_close(t, i);
      continue;
    }
    const xb_symbol_type cast = xb_type_named(token);
    if (cast && xb_token_is(xb_token_at(t, i + 1), "*"))
      return cast;
    if (cast && token->kind == XB_TOKEN_NAME && xb_token_is(xb_token_at(t, i + 1), "long"))
      return XB_TYPE_UINT64;
    if (token->kind == XB_TOKEN_NAME)
      name = token;
  }
  const xb_symbol *symbol = name ? xb_symbol_of(in->symbols, name) : NULL;
  *shared = symbol && symbol->is_shared;
  return symbol ? symbol->type : XB_TYPE_UNKNOWN;
}

/* A project's own name for an atomic: caAtomicAdd, atomicFmaxabs. Writes CUDA's name, and a type, to `name`. */
static bool names_atomic(const xb_token *t, char *name, size_t bytes)
{
  static const char *const kinds[][2] = {
      {"add", "atomicAdd"}, {"max", "atomicMax"}, {"min", "atomicMin"}, {"cas", "atomicCAS"}, {"exch", "atomicExch"}};
  for (size_t i = 0; xb_token_has(t, "atomic") && i < sizeof kinds / sizeof *kinds; i++)
    if (xb_token_has(t, kinds[i][0])) {
      const bool is_float = xb_token_has(t, "float") || xb_token_has(t, "fmax") || xb_token_has(t, "fmin");
      snprintf(name, bytes, "%s%s", kinds[i][1], is_float ? " float" : "");
      return true;
    }
  return false;
}

static bool find_atomic(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const bool called = xb_token_is(xb_token_at(in->tokens, at + 1), "(");
  const bool cuda = called && !strncmp(t->text, "atomic", 6) && t->length > 7 && isupper((unsigned char)t->text[6]);
  char text[80], name[32];
  if (memchr(t->text, ':', t->length))
    return false;
  if (!called && (!at || !strchr(",(", *(t - 1)->text) || !strchr(",)", *xb_token_at(in->tokens, at + 1)->text)))
    return false; /* nor given to another function */
  if (!cuda && (t->scope < XB_SCOPE_DEVICE || t->in_signature || !names_atomic(t, name, sizeof name)))
    return false;
  bool shared = false;
  const bool typed = !called || (!cuda && strchr(name, ' '));
  const char *suffix = typed ? "" : suffix_of(type_of_word(in, at + 1, &shared));
  snprintf(text, sizeof text, "%.*s%s", cuda ? (int)t->length : (int)sizeof name, cuda ? t->text : name, suffix);
  xb_rule_found(in, t, text);
  if (shared)
    xb_rule_found(in, t, "atomic on shared");
  return cuda; /* gpuAtomicAdd has a row by its own name */
}

/* ---- Groups of threads ------------------------------------------------------------------------------------------ */

static const char *name_of(xb_symbol_type type)
{
  static const char *const names[XB_TYPE_BARRIER + 1] = {
      [XB_TYPE_BLOCK] = "block",         [XB_TYPE_TILE] = "tile",       [XB_TYPE_GRID] = "grid",
      [XB_TYPE_COALESCED] = "coalesced", [XB_TYPE_CLUSTER] = "cluster", [XB_TYPE_BARRIER] = "barrier"};
  return names[type];
}

/* The group whose name, or whose making, ends at `at`: tile, or cg::this_grid(). */
static const char *group_at(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (xb_token_is(t, ")")) {
    at = xb_token_open(in->tokens, at, "(", ")");
    at -= at > 0;
    if (xb_token_is(&in->tokens->list[at], ">")) /* tiled_partition<32>(block) */
      at = xb_token_open(in->tokens, at, "<", ">"), at -= at > 0;
    return name_of(xb_type_named(&in->tokens->list[at]));
  }
  const xb_symbol *symbol = t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
  return symbol ? name_of(symbol->type) : NULL;
}

static bool is_method_of_groups(const xb_token *t)
{
  return xb_token_in(t, "sync thread_rank size num_threads group_index thread_index group_dim dim_threads block_rank "
                        "num_blocks arrive wait arrive_and_wait block_index");
}

static bool find_group(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const bool method = at > 1 && (xb_token_in(t - 1, ". ->"));
  const char *group = NULL, *what = NULL;
  size_t length = 0;
  if (method && is_method_of_groups(t)) {
    group = group_at(in, at - 2);
    what = t->text;
    length = t->length;
  } else if (xb_token_ends(t, "sync") && t->length > 4 && xb_token_is(xb_token_at(in->tokens, at + 1), "(")) {
    group = group_at(in, at + 2);
    what = "sync";
    length = 4;
  } else {
    return false;
  }
  if (group) {
    char text[80];
    snprintf(text, sizeof text, "%s.%.*s", group, (int)length, what);
    xb_rule_found(in, t, text);
  }
  return true;
}

bool xb_rule_of_call(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const bool of_launch = /* of this kernel, and not of one that it starts */
      xb_token_in(t, "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion");
  if (t->scope >= XB_SCOPE_DEVICE && !of_launch && !t->in_signature && t->length > 4 && !strncmp(t->text, "cuda", 4) &&
      isupper((unsigned char)t->text[4]) &&
      (xb_token_is(xb_token_at(in->tokens, at + 1), "(") || xb_token_is(t, "cudaStream_t")))
    xb_rule_found(in, t, "call of the runtime in a kernel");
  return find_atomic(in, at) || find_group(in, at);
}
