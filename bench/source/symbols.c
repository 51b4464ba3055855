#include "source/symbols.h"

#include "core/grow.h"

xb_symbol_type xb_type_named(const xb_token *name)
{
  static const struct {
    const char *name;
    xb_symbol_type type;
  } types[] = {
      {"float", XB_TYPE_FLOAT},
      {"double", XB_TYPE_DOUBLE},
      {"half", XB_TYPE_HALF},
      {"__half", XB_TYPE_HALF},
      {"__nv_bfloat16", XB_TYPE_HALF},
      {"nv_bfloat16", XB_TYPE_HALF},
      {"half2", XB_TYPE_PACKED},
      {"__half2", XB_TYPE_PACKED},
      {"__nv_bfloat162", XB_TYPE_PACKED},
      {"nv_bfloat162", XB_TYPE_PACKED},
      {"int", XB_TYPE_INT},
      {"short", XB_TYPE_INT},
      {"int32_t", XB_TYPE_INT},
      {"int16_t", XB_TYPE_INT},
      {"unsigned", XB_TYPE_UINT},
      {"uint", XB_TYPE_UINT},
      {"uint32_t", XB_TYPE_UINT},
      {"uint16_t", XB_TYPE_UINT},
      {"uint8_t", XB_TYPE_UINT},
      {"long", XB_TYPE_INT64},
      {"int64_t", XB_TYPE_INT64},
      {"ptrdiff_t", XB_TYPE_INT64},
      {"size_t", XB_TYPE_UINT64},
      {"uint64_t", XB_TYPE_UINT64},
      {"ulonglong", XB_TYPE_UINT64},
      {"thread_block", XB_TYPE_BLOCK},
      {"this_thread_block", XB_TYPE_BLOCK},
      {"thread_block_tile", XB_TYPE_TILE},
      {"tiled_partition", XB_TYPE_TILE},
      {"labeled_partition", XB_TYPE_TILE},
      {"binary_partition", XB_TYPE_TILE},
      {"grid_group", XB_TYPE_GRID},
      {"this_grid", XB_TYPE_GRID},
      {"multi_grid_group", XB_TYPE_GRID},
      {"coalesced_group", XB_TYPE_COALESCED},
      {"coalesced_threads", XB_TYPE_COALESCED},
      {"cluster_group", XB_TYPE_CLUSTER},
      {"this_cluster", XB_TYPE_CLUSTER},
      {"cuda::barrier", XB_TYPE_BARRIER},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (xb_token_ends(name, types[i].name) || xb_token_is(name, types[i].name))
      return types[i].type;
  return XB_TYPE_UNKNOWN;
}

/* True for the marks between a type and its name. */
static bool is_mark(const xb_token *t)
{
  return xb_token_in(t, "* & const __restrict__ __restrict restrict volatile");
}

static bool is_no_type(const xb_token *t)
{
  return xb_token_in(t, "return else case goto new delete typename throw sizeof namespace");
}

/* The type whose last token is at `at`: `unsigned long long`, `cg::thread_block_tile<32>`. */
static xb_symbol_type type_ending_at(const xb_tokens *t, size_t at)
{
  if (xb_token_is(&t->list[at], ">")) {
    at = xb_token_open(t, at, "<", ">");
    at -= at > 0;
  }
  xb_symbol_type type = XB_TYPE_UNKNOWN;
  bool is_unsigned = false;
  for (size_t i = 0; i < 4 && t->list[at].kind == XB_TOKEN_NAME; i++) {
    const xb_symbol_type found = xb_type_named(&t->list[at]);
    is_unsigned |= xb_token_is(&t->list[at], "unsigned");
    type = found == XB_TYPE_INT64 || type == XB_TYPE_UNKNOWN || type == XB_TYPE_INT ? (found ? found : type) : type;
    if (at-- == 0)
      break;
  }
  if (is_unsigned && type == XB_TYPE_INT64)
    type = XB_TYPE_UINT64;
  return is_unsigned && type == XB_TYPE_INT ? XB_TYPE_UINT : type;
}

/* True if `typedef` begins the declaration whose type ends at `at`. */
static bool is_defined(const xb_tokens *t, size_t at)
{
  while (at > 0 && t->list[at].kind == XB_TOKEN_NAME && !xb_token_is(&t->list[at], "typedef"))
    at--;
  return xb_token_is(&t->list[at], "typedef");
}

static bool is_shared_before(const xb_tokens *t, size_t at)
{
  for (size_t i = 0; i < 12 && at > 0; i++) {
    const xb_token *token = &t->list[--at];
    if (xb_token_is(token, "__shared__"))
      return true;
    if (xb_token_in(token, "; { }"))
      break;
  }
  return false;
}

/* Takes the type of `auto`, and what it is computed from, from the value behind `=`. */
static void take_value(xb_symbol *symbol, const xb_tokens *t, size_t at)
{
  const size_t end = xb_token_reach(t, at);
  for (size_t depth = 0; at < end; at++) {
    const xb_token *token = &t->list[at];
    depth += xb_token_is(token, "(");
    if (xb_token_is(token, ";") || (depth == 0 && (xb_token_in(token, ", )"))))
      break;
    depth -= xb_token_is(token, ")");
    symbol->has_stride |= xb_token_is(token, "gridDim");
    symbol->has_thread |= xb_token_is(token, "threadIdx");
    symbol->has_block |= xb_token_is(token, "blockIdx");
    if (symbol->type == XB_TYPE_UNKNOWN && xb_type_named(token) >= XB_TYPE_BLOCK)
      symbol->type = xb_type_named(token);
    if (symbol->type == XB_TYPE_BLOCK && xb_type_named(token) == XB_TYPE_TILE) /* made from the block */
      symbol->type = XB_TYPE_TILE;
  }
}

static bool add(xb_symbols *symbols, const xb_symbol *symbol)
{
  if (!xb_grow(&symbols->list, &symbols->capacity, symbols->count, sizeof *symbol))
    return false;
  xb_symbol *added = &symbols->list[symbols->count++];
  *added = *symbol;
  size_t *last = &symbols->looked_at[added->name->first];
  added->before = *last; /* names are added in their order: it is the last one */
  if (*last)
    symbols->list[*last - 1].after = symbols->count;
  *last = symbols->count;
  return true;
}

bool xb_symbols_read(xb_symbols *symbols, const xb_tokens *t)
{
  xb_symbol_type of_list = XB_TYPE_UNKNOWN; /* of a declaration with several names: int a, b */
  size_t depth = 0, list_depth = 0;         /* brackets: f(a, b) declares nothing */
  symbols->looked_at = calloc(t->count + 1, sizeof *symbols->looked_at);
  if (!symbols->looked_at)
    return false;
  for (size_t i = 1; i < t->count; i++) {
    const xb_token *name = &t->list[i], *after = xb_token_at(t, i + 1);
    depth += xb_token_in(name, "( [");
    depth -= depth && (xb_token_in(name, ") ]"));
    of_list = xb_token_in(name, "; {") ? XB_TYPE_UNKNOWN : of_list;
    if (name->kind != XB_TOKEN_NAME || after->kind != XB_TOKEN_OPERATOR || !after->length ||
        !strchr(",;=)[({:", *after->text) || xb_type_named(name))
      continue;
    size_t before = i - 1;
    while (before > 0 && is_mark(&t->list[before]))
      before--;
    const xb_token *type = &t->list[before];
    const bool goes_on = xb_token_is(type, ",") && of_list && depth == list_depth && !name->in_signature;
    const bool declares = (type->kind == XB_TOKEN_NAME && !is_no_type(type)) || xb_token_is(type, ">");
    if (!declares && !goes_on)
      continue;
    xb_symbol symbol = {.name = name, .type = goes_on ? of_list : type_ending_at(t, before)};
    const xb_symbol *alias = NULL;
    if (xb_token_is(type, "using") && xb_token_is(after, "=")) /* using real = float */
      symbol.type = xb_type_named(xb_token_at(t, i + 2));
    else if (symbol.type == XB_TYPE_UNKNOWN && declares && type->kind == XB_TOKEN_NAME && !xb_token_is(type, "auto"))
      alias = xb_symbol_of(symbols, type); /* real x, after typedef float real */
    symbol.is_type = xb_token_is(type, "using") || is_defined(t, before);
    if (alias && alias->is_type)
      symbol.type = alias->type;
    symbol.is_shared = is_shared_before(t, i);
    if (xb_token_in(after, "= ("))
      take_value(&symbol, t, i + 2);
    of_list = symbol.type;
    list_depth = depth;
    if (!add(symbols, &symbol))
      return false;
  }
  return true;
}

void xb_symbols_free(xb_symbols *symbols)
{
  free(symbols->list);
  free(symbols->looked_at);
  *symbols = (xb_symbols){0};
}

/* Names are mostly asked for in their order, so the one that is wanted is near the last one. */
const xb_symbol *xb_symbol_of(const xb_symbols *symbols, const xb_token *name)
{
  size_t *at = &symbols->looked_at[name->first];
  if (!*at)
    return NULL;
  const xb_symbol *list = symbols->list, *found = &list[*at - 1];
  while (found->before && found->name > name)
    found = &list[found->before - 1];
  while (found->after && list[found->after - 1].name <= name)
    found = &list[found->after - 1];
  *at = (size_t)(found - list) + 1;
  return found;
}
