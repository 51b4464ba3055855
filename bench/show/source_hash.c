#include "show/source_hash.h"

#include "base/fnv.h"
#include "show/listing.h"
#include "show/twins.h"

#include <string.h>

enum { MAX_FILES = 16 };

typedef struct hashing {
  xb_arena arena;
  const char *read[MAX_FILES]; /* files so far */
  size_t count;
  uint64_t hash;
  bool failed;
} hashing;

static void add(hashing *h, const char *text, size_t bytes)
{
  h->hash = xb_fnv1a(xb_fnv1a(h->hash, text, bytes), "", 1);
}

static void add_line(hashing *h, const xb_line *line)
{
  for (size_t i = 0; i < line->token_count; i++)
    if (line->tokens[i].kind < XB_TOKEN_COMMENT)
      add(h, line->text + line->tokens[i].at, line->tokens[i].length);
}

/* Each file counts where it is included first. */
static void add_file(hashing *h, const char *path)
{
  xb_listing source;
  for (size_t i = 0; i < h->count; i++)
    if (!strcmp(h->read[i], path))
      return;
  h->failed |= h->count == MAX_FILES || !xb_listing_read(path, &h->arena, &source);
  if (h->failed)
    return;
  h->read[h->count++] = path;
  for (size_t i = 0; i < source.count; i++) {
    const char *header = xb_listing_included(&source.lines[i]);
    if (header)
      add_file(h, header);
    else
      add_line(h, &source.lines[i]);
  }
}

static const char *file_of(const xb_twins *twins)
{
  return twins->path[twins->shown[0] ? 0 : 1];
}

/* Kernels that plans of the benchmark may use besides the variant's own. */
static void add_parts(hashing *h, const xb_benchmark *b, const char *backend)
{
  xb_twins twins;
  for (const char *const *part = b->parts; part && *part; part++)
    if (xb_twins_of_files(b->name, *part, &twins) && xb_twins_keep(&twins, backend))
      add_file(h, file_of(&twins));
}

uint64_t xb_source_hash(const xb_variant *v, const char *backend)
{
  xb_twins twins;
  xb_twins_of_variant(v, &twins);
  if (!xb_twins_keep(&twins, backend) || !*file_of(&twins))
    return 0;
  hashing h = {.hash = XB_FNV_START};
  add(&h, xb_language_of(backend)->flags, strlen(xb_language_of(backend)->flags));
  add_file(&h, file_of(&twins));
  add_parts(&h, v->benchmark, backend);
  xb_arena_free(&h.arena);
  return h.failed ? 0 : h.hash;
}
