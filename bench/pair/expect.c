#include "pair/family.h"

#include "base/word_list.h"
#include "measure/workload.h"
#include "pair/numbers.h"
#include "pair/reference.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The inputs of a run: those that it begins with, those that are drawn while it is timed, and another part of one of
 * these (xb_cell_recheck). */
enum { SETS = XB_MAX_DRAWS + 3 };

typedef struct result_set {
  uint64_t n, rows, seed, first;
  const xb_pair_side *side; /* that wrote the data: the first that was checked */
  char *data[XB_PAIR_BUFFERS];
  uint64_t known[XB_PAIR_BUFFERS]; /* elements, from the first on */
  uint64_t nans[XB_PAIR_BUFFERS];  /* of these, elements with a member that is no number */
  uint32_t poison;                 /* of the run that wrote the data */
  bool failed;                     /* the function could not compute it */
  bool confirmed;                  /* another side has the same */
  uint32_t same, other;            /* bits of sides: with the same, and with something else */
  char disputed[XB_WHY_BYTES];     /* another side has something else: what it has */
} result_set;

static struct {
  const xb_pair_side *named;       /* the reference, if it is a side that the user named */
  xb_reference_function *function; /* the reference, if it is this */
  result_set sets[SETS];
  size_t newest;
  enum { WITH_OTHERS, WITH_OTHERS_AND_LATER, WITH_ITSELF } compares;
  result_set own[XB_PAIR_SIDES]; /* what each side wrote first, for WITH_ITSELF */
} expected;

xb_code xb_pair_set_reference(xb_pair *pair, const char *folder, xb_error *err)
{
  const char *name = pair->reference, *colon = name ? strrchr(name, ':') : NULL;
  for (uint32_t i = 0; name && !expected.named && i < pair->side_count; i++)
    if (!strcmp(pair->sides[i].name, name) || !strcmp(pair->sides[i].source.path, name))
      expected.named = &pair->sides[i];
  if (expected.named || !name)
    return XB_OK;
  if (!colon)
    return xb_fail(err, XB_INVALID, "Reference",
                   "'%s': expected the name of a side, OUTPUT.npy, or LIBRARY.so:FUNCTION", name);
  const char *start = *name == '/' ? "" : *folder ? folder : "./"; /* dlopen searches for names without a slash */
  const char *file = xb_arena_text(&pair->arena, "%s%.*s", start, (int)(colon - name), name);
  void *library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library)
    return xb_fail(err, XB_INVALID, "Reference", "%s", dlerror());
  void *symbol = dlsym(library, colon + 1);
  if (!symbol)
    return xb_fail(err, XB_INVALID, "Reference", "%s has no function %s", file, colon + 1);
  memcpy(&expected.function, &symbol, sizeof symbol); /* C has no cast between object and function pointers */
  return XB_OK;
}

/* ---- Sets ------------------------------------------------------------------------------------------------------- */

static bool is_written(const xb_pair_buffer *b)
{
  return b->access == XB_PAIR_OUT || b->access == XB_PAIR_INOUT;
}

/* The element that the buffer's contents begin with. */
static uint64_t first_of(const xb_case *c, const xb_pair_buffer *b)
{
  return b->fill.slides ? c->first : 0;
}

static bool compute(const xb_case *c, result_set *set)
{
  const xb_pair *pair = xb_pair_of(c);
  xb_reference_buffer all[XB_PAIR_BUFFERS];
  for (uint32_t i = 0; i < pair->buffer_count; i++) {
    const xb_pair_buffer *b = &pair->buffers[i];
    const uint64_t length = xb_pair_length(c, i);
    set->data[i] = calloc(length, b->element.bytes);
    if (!set->data[i])
      return false;
    all[i] = (xb_reference_buffer){b->name, set->data[i], length};
    set->known[i] = length;
    if (b->access == XB_PAIR_IN || b->access == XB_PAIR_INOUT)
      xb_fill_generate(&b->fill, c->seed, first_of(c, b), length, set->data[i]);
  }
  return !expected.function(c->n, c->rows, c->columns, all, pair->buffer_count);
}

static bool is_of(const result_set *set, const xb_case *c)
{
  return set->n == c->n && set->rows == c->rows && set->seed == c->seed && set->first == c->first;
}

/* The results of a case's inputs; in the place of the oldest set if it is new. */
static result_set *set_of(const xb_case *c)
{
  for (size_t i = 0; i < SETS; i++)
    if (is_of(&expected.sets[i], c))
      return &expected.sets[i];
  expected.newest = (expected.newest + 1) % SETS;
  result_set *set = &expected.sets[expected.newest];
  for (size_t i = 0; i < XB_PAIR_BUFFERS; i++)
    free(set->data[i]);
  *set = (result_set){.n = c->n, .rows = c->rows, .seed = c->seed, .first = c->first};
  if (expected.function)
    set->failed = !compute(c, set);
  return set;
}

/* ---- Keeping what the reference side wrote ---------------------------------------------------------------------- */

/* The first element from `first` on that has not the contents from before the run; `count` if all have. */
static uint64_t first_changed(const xb_case *c, const xb_pair_buffer *b, const char *data, uint64_t first,
                              uint64_t count)
{
  enum { AT_ONCE = 4096 };
  static char before[AT_ONCE * XB_PAIR_ELEMENT_BYTES];
  const uint32_t bytes = b->element.bytes;
  for (uint64_t done = 0; done < count; done += AT_ONCE) {
    const uint64_t some = count - done < AT_ONCE ? count - done : AT_ONCE;
    xb_fill_generate(&b->fill, c->seed, first_of(c, b) + first + done, some, before);
    for (uint64_t i = 0; i < some; i++)
      if (memcmp(before + i * bytes, data + (done + i) * bytes, bytes) != 0)
        return done + i;
  }
  return count;
}

static uint64_t count_nans(const xb_pair_buffer *b, const char *data, uint64_t count)
{
  xb_number numbers[XB_MOST_NUMBERS];
  const uint32_t number_count = xb_numbers_of(&b->element, numbers);
  uint64_t nans = 0;
  for (uint64_t i = 0; i < count; i++, data += b->element.bytes) {
    uint32_t k = 0;
    while (k < number_count && !isnan(xb_get_number(numbers[k].member->dtype, data + numbers[k].offset)))
      k++;
    nans += k < number_count;
  }
  return nans;
}

/* `raw`: in the layout of the side; `all`: elements of the chunk; `count`: those that count. */
static bool keep(const xb_case *c, result_set *set, const xb_chunk *raw, const xb_chunk *chunk, uint64_t all,
                 uint64_t count, char why[XB_WHY_BYTES])
{
  const xb_pair_buffer *own = &set->side->buffers[chunk->slot];
  const xb_pair_buffer *b = &xb_pair_of(c)->buffers[chunk->slot];
  const uint64_t length = xb_pair_length(c, chunk->slot);
  char **data = &set->data[chunk->slot];
  if (!*data)
    *data = malloc(length * b->element.bytes);
  if (!*data) {
    snprintf(why, XB_WHY_BYTES, "out of host memory to keep '%s' for the check", b->name);
    return false;
  }
  if (own->access == XB_PAIR_OUT && !b->untouched && !xb_is_all_written(own, raw, count, why))
    return false;
  memcpy(*data + chunk->first * b->element.bytes, chunk->data, all * b->element.bytes);
  set->known[chunk->slot] = chunk->first + all;
  set->poison = chunk->poison;
  set->nans[chunk->slot] += count_nans(b, chunk->data, count);
  xb_pair_of(c)->buffers[chunk->slot].nans = set->nans[chunk->slot];
  xb_pair_of(c)->buffers[chunk->slot].of = length;
  if (chunk->first + all == length && set->nans[chunk->slot] == length) {
    snprintf(why, XB_WHY_BYTES, "all elements of '%s' are NaN: if that is right, give a reference", b->name);
    return false;
  }
  const bool comparable = own->access == XB_PAIR_INOUT && !c->first && /* elsewhere a short input may be all zeros */
                          !xb_elements_differ(&own->element, &b->element);
  if (comparable && chunk->first + all == length && first_changed(c, own, *data, 0, length) == length) {
    snprintf(why, XB_WHY_BYTES, "'%s' was not changed: it is inout, and nothing was written to it", b->name);
    return false;
  }
  return true;
}

/* An input that the code could write. */
static bool is_input_whole(const xb_case *c, const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count,
                           char why[XB_WHY_BYTES])
{
  const uint64_t changed = first_changed(c, b, chunk->data, chunk->first, count);
  if (changed < count)
    snprintf(why, XB_WHY_BYTES, "%s[%llu] was changed, but '%s' is an input", b->name,
             (unsigned long long)(chunk->first + changed), b->name);
  return changed == count;
}

/* How many elements count, by a formula or by what another buffer has after the same run. False if these are more than
 * there are. */
static bool find_valid(const xb_case *c, const xb_chunk *chunk, uint64_t length, uint64_t *valid,
                       char why[XB_WHY_BYTES])
{
  static uint64_t first_elements[XB_PAIR_BUFFERS]; /* of the run that is checked */
  const xb_pair_buffer *b = &xb_pair_of(c)->buffers[chunk->slot];
  const xb_dtype dtype = b->element.members[0].dtype;
  if (!chunk->first && !xb_is_float(dtype))
    first_elements[chunk->slot] = (uint64_t)fmax(xb_get_number(dtype, chunk->data), 0);
  *valid = b->valid_in < XB_PAIR_BUFFERS ? first_elements[b->valid_in] : xb_pair_valid(c, chunk->slot);
  if (*valid == UINT64_MAX || *valid <= length)
    return true;
  snprintf(why, XB_WHY_BYTES, "%llu elements of '%s' are declared valid, but it has %llu", (unsigned long long)*valid,
           b->name, (unsigned long long)length);
  return false;
}

/* Compares with what is wanted; of a buffer that may be left untouched in parts, with the same parts untouched. */
static bool is_same(xb_pair_buffer *b, const result_set *set, const xb_chunk *chunk, uint64_t count, const char *wanted,
                    const char *who, char why[XB_WHY_BYTES])
{
  if (!b->untouched || !set || set->poison == chunk->poison)
    return xb_is_same(b, chunk, count, wanted, who, why);
  char *copy = malloc(count * b->element.bytes + 1);
  if (copy)
    memcpy(copy, wanted, count * b->element.bytes), xb_adopt_poison(b, chunk, count, set->poison, copy);
  const bool same = copy && xb_is_same(b, chunk, count, copy, who, why);
  if (!copy)
    snprintf(why, XB_WHY_BYTES, "out of host memory");
  free(copy);
  return same;
}

/* ---- Sides, each with itself ------------------------------------------------------------------------------------ */

void xb_pair_keep_own(void)
{
  expected.compares = WITH_OTHERS_AND_LATER;
}

void xb_pair_compare_own(void)
{
  expected.compares = WITH_ITSELF;
}

static void keep_own(const xb_case *c, const xb_chunk *chunk, uint64_t length, uint64_t all)
{
  const xb_pair *pair = xb_pair_of(c);
  const xb_pair_side *side = xb_pair_side_of(c);
  const uint32_t bytes = pair->buffers[chunk->slot].element.bytes;
  result_set *own = &expected.own[side - pair->sides];
  if (!own->side)
    *own = (result_set){.n = c->n, .rows = c->rows, .seed = c->seed, .first = c->first, .side = side};
  char **data = &own->data[chunk->slot];
  if (!is_of(own, c) || own->known[chunk->slot] != chunk->first || (!*data && !(*data = malloc(length * bytes + 1))))
    return;
  memcpy(*data + chunk->first * bytes, chunk->data, all * bytes);
  own->known[chunk->slot] = chunk->first + all;
  own->poison = chunk->poison;
}

/* True also where nothing was kept. */
static bool is_as_before(const xb_case *c, xb_pair_buffer *b, const xb_chunk *chunk, uint64_t length, uint64_t count,
                         char why[XB_WHY_BYTES])
{
  const result_set *own = &expected.own[xb_pair_side_of(c) - xb_pair_of(c)->sides];
  const char *before = is_of(own, c) && own->known[chunk->slot] == length ? own->data[chunk->slot] : NULL;
  if (!before)
    return true;
  xb_weigh_tolerance(b, count, before + chunk->first * b->element.bytes);
  return is_same(b, own, chunk, count, before + chunk->first * b->element.bytes, "its first run", why);
}

/* ---- The check -------------------------------------------------------------------------------------------------- */

/* Of a buffer that is compared, in the layout of the pair. */
static bool check_result(const xb_case *c, const xb_chunk *raw, const xb_chunk *chunk, uint64_t length, uint64_t all,
                         uint64_t count, char why[XB_WHY_BYTES])
{
  xb_pair_buffer *b = &xb_pair_of(c)->buffers[chunk->slot];
  const xb_pair_side *side = xb_pair_side_of(c);
  const char *wanted = b->expected.data, *who = "the file";
  if (expected.compares == WITH_ITSELF)
    return is_as_before(c, b, chunk, length, count, why);
  if (expected.compares == WITH_OTHERS_AND_LATER)
    keep_own(c, chunk, length, all);
  if (b->expected.data && b->expected.length != length) {
    snprintf(why, XB_WHY_BYTES, "'%s' has %llu elements, its file of expected values has %llu", b->name,
             (unsigned long long)length, (unsigned long long)b->expected.length);
    return false;
  }
  result_set *set = wanted ? NULL : set_of(c);
  if (set && !set->side && !expected.function)
    set->side = side;
  if (set && side == set->side && set->known[chunk->slot] < chunk->first + all)
    return keep(c, set, raw, chunk, all, count, why);
  if (set) {
    wanted = set->known[chunk->slot] == length && !set->failed ? set->data[chunk->slot] : NULL;
    who = expected.function ? "the reference" : side == set->side ? "its first run" : set->side->label;
  }
  if (!wanted) {
    snprintf(why, XB_WHY_BYTES, "%s gave no result for '%s' to compare with", who, b->name);
    return false;
  }
  xb_weigh_tolerance(b, count, wanted + chunk->first * b->element.bytes);
  xb_weigh_tolerance(b, count, chunk->data); /* the wrong side may be the one with zeros */
  const bool same = is_same(b, set, chunk, count, wanted + chunk->first * b->element.bytes, who, why);
  if (set && set->side && !same && chunk->poison != set->poison) {
    const size_t length_of_why = strlen(why);
    snprintf(why + length_of_why, XB_WHY_BYTES - length_of_why,
             ": it was not written (if that is intended, set Untouched), or it depends on the memory's contents before "
             "the run");
  }
  if (!set || !set->side || set->side == side)
    return same;
  set->confirmed |= same;
  *(same ? &set->same : &set->other) |= 1u << (side - xb_pair_of(c)->sides);
  if (!same && !*set->disputed)
    snprintf(set->disputed, sizeof set->disputed, "in %s %s", side->label, why);
  return same || side == expected.named; /* the other side is wrong then */
}

bool xb_pair_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const xb_pair_buffer *b = &xb_pair_of(c)->buffers[chunk->slot], *own = &xb_pair_side_of(c)->buffers[chunk->slot];
  const uint64_t length = xb_pair_length(c, chunk->slot), left = chunk->first < length ? length - chunk->first : 0;
  const uint64_t all = chunk->count < left ? chunk->count : left; /* buffers are filled up to whole words */
  xb_chunk numbers = *chunk;
  uint64_t valid;
  if (!chunk->first)
    xb_pair_of(c)->buffers[chunk->slot].wrong = xb_pair_of(c)->buffers[chunk->slot].compared = 0;
  if (!is_written(b)) {
    xb_pair_dump(c, chunk->slot, chunk->first, all, chunk->data);
    return own->access != XB_PAIR_IN || is_input_whole(c, own, chunk, all, why);
  }
  char *copy = xb_elements_differ(&own->element, &b->element) ? malloc(all * b->element.bytes + 1) : NULL;
  if (copy) {
    xb_repack(&own->element, chunk->data, all, &b->element, copy);
    numbers.data = copy;
  }
  xb_pair_dump(c, chunk->slot, chunk->first, all, numbers.data);
  bool right = find_valid(c, &numbers, length, &valid, why);
  const uint64_t rest = valid > chunk->first ? valid - chunk->first : 0, count = all < rest ? all : rest;
  right = right && check_result(c, chunk, &numbers, length, all, count, why);
  free(copy);
  return right;
}

void xb_pair_dispute(const xb_case *c, const char *how_much)
{
  result_set *set = set_of(c);
  const size_t length = strlen(set->disputed);
  if (length && set->side != xb_pair_side_of(c) && !strstr(set->disputed, "elements differ"))
    snprintf(set->disputed + length, sizeof set->disputed - length, "%s", how_much);
}

/* "; a.hlsl, b.hlsl agree": the sides that have what the first one has, if there are any. */
static void name_agreeing(const xb_pair *pair, const result_set *set, char out[240])
{
  const uint32_t agreeing = set->same & ~set->other;
  char names[200] = "";
  *out = 0;
  xb_add_listed(names, sizeof names, set->side->label);
  for (uint32_t i = 0; i < pair->side_count; i++)
    if (agreeing >> i & 1)
      xb_add_listed(names, sizeof names, pair->sides[i].label);
  if (agreeing)
    snprintf(out, 240, "; %s agree; give --reference to learn which is right", names);
}

/* A side alone proves nothing, and of sides that disagree none is known to be right. */
xb_code xb_pair_confirm(const xb_case *c, xb_error *err)
{
  const xb_pair_side *side = xb_pair_side_of(c);
  char agree[240];
  const bool asked = side != expected.named && !xb_pair_of(c)->unchecked && expected.compares != WITH_ITSELF;
  for (size_t i = 0; i < SETS && asked; i++) {
    const result_set *set = &expected.sets[i];
    const bool first = set->side == side, same = set->same >> (side - xb_pair_of(c)->sides) & 1;
    if (set->n != c->n || set->rows != c->rows || !set->side || set->side == expected.named || !(first || same))
      continue;
    name_agreeing(xb_pair_of(c), set, agree);
    if (*set->disputed)
      return xb_fail(err, XB_INTERNAL, xb_pair_of(c)->name, "%s%s", set->disputed, agree);
    if (first && set->seed == c->seed && set->first == c->first && !set->confirmed)
      return xb_fail(err, XB_UNSUPPORTED, xb_pair_of(c)->name,
                     "no other side gave a result, and nothing else checks this one");
  }
  return XB_OK;
}
