#define _POSIX_C_SOURCE 200809L /* gethostname */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/model/view.h"
#include "result/fields.h"
#include "result/json_file.h"
#include "share/share.h"
#include "table/table.h"

enum { MOST_SIZES = 64 };

typedef struct shown {
  const xb_result *cell;
  const xb_comparison *ratio; /* of the cell; NULL: there is none */
  char of[XB_NAME], sides[XB_NAME], time[XB_NAME], base_time[XB_NAME], of_base[XB_NAME], reaches[XB_NAME];
} shown;

#define IN(member) XB_AT(shown, CHARS, member)
static const xb_column columns[] = {{"of", IN(of), .left = true},
                                    {"what / base", IN(sides), .left = true},
                                    {"time", IN(time)},
                                    {"base's time", IN(base_time)},
                                    {"ratio [95 %]", IN(of_base)},
                                    {"reaches", IN(reaches)}};

static void write_texts(const xb_view_file *file, shown *r)
{
  const xb_view_target *target = xb_view_target_of(file, r->cell);
  const xb_result *base = r->ratio ? r->ratio->base : NULL;
  char question[XB_NAME];
  snprintf(r->of, sizeof r->of, "%.30s %.120s", r->cell->benchmark, xb_name_question(r->cell, question));
  xb_name_variant(r->cell->variant, r->sides);
  XB_ADD(r->sides, ", %s", target->name);
  xb_name_time(r->cell->time.median_ns, r->time);
  xb_name_figure(xb_result_value(r->cell), r->reaches);
  XB_ADD(r->reaches, " %s", xb_result_unit(r->cell));
  if (!base)
    return;
  xb_name_sides(target, r->cell->variant, xb_view_target_of(file, base), base->variant, r->sides);
  xb_name_time(base->time.median_ns, r->base_time);
  xb_name_ratio(r->ratio->ratio, r->ratio->ci95_ratio, r->of_base);
}

/* A larger size comes first, then a ratio between two APIs, then a shorter time. */
static bool is_before(const shown *a, const shown *b)
{
  if (!b->cell || a->cell->work.size != b->cell->work.size)
    return !b->cell || a->cell->work.size > b->cell->work.size;
  const bool apis = a->ratio && strcmp(a->cell->backend, a->ratio->base->backend) != 0;
  const bool other = b->ratio && strcmp(b->cell->backend, b->ratio->base->backend) != 0;
  return apis != other ? apis : a->cell->time.median_ns < b->cell->time.median_ns;
}

/* The first of the benchmark's rows on a device, of sizes below `size`. Times of an emulation are not shown. */
static shown choose(const xb_view_file *file, const char *name, const xb_result_device *on, uint64_t size)
{
  shown best = {.cell = NULL};
  bool any_ratio = false;
  for (size_t i = 0; i < file->ratio_count + file->cell_count; i++) {
    const xb_comparison *c = i < file->ratio_count ? &file->ratios[i] : NULL;
    const shown r = {.cell = c ? c->subject : file->cells[i - file->ratio_count], .ratio = c};
    if (strcmp(r.cell->benchmark, name) != 0 || (c ? !c->verdict || !c->base || !(c->ratio > 0) : any_ratio))
      continue;
    any_ratio = c != NULL; /* ratios come first */
    if (r.cell->outcome == XB_CELL_OK && r.cell->on == on && on->emulated != 1 && r.cell->work.size < size &&
        is_before(&r, &best))
      best = r;
  }
  return best;
}

/* First the largest size of each benchmark, then the next one. False: out of host memory. */
static bool choose_all(const xb_view *view, shown *rows, size_t *chosen)
{
  const xb_view_file *file = view->files;
  const size_t devices = file->document->device_count, lists = view->benchmark_count * devices;
  uint64_t *sizes = calloc(lists + 1, sizeof *sizes); /* the last one of each list; 0: none yet */
  size_t count = 0, before, rounds = 0;
  do {
    before = count;
    for (size_t i = 0; sizes && i < lists; i++) {
      rows[count] = choose(file, view->benchmarks[i / devices], &file->document->devices[i % devices],
                           sizes[i] ? sizes[i] : UINT64_MAX);
      sizes[i] = rows[count].cell ? rows[count].cell->work.size : 1; /* no size is below 1 */
      if (rows[count].cell)
        write_texts(file, &rows[count++]);
    }
  } while (count > before && ++rounds < MOST_SIZES);
  const bool good = sizes != NULL;
  free(sizes);
  *chosen = count;
  return good;
}

/* "**NVIDIA H200**, NVIDIA 580.1; xbench 0.1.0 (0123456789ab), 2026-11-22, Linux" */
static void print_head(const xb_document *d)
{
  const xb_result_host *host = &d->host;
  for (size_t i = 0; i < d->device_count; i++) {
    if (i && !strcmp(d->devices[i - 1].name, d->devices[i].name))
      continue;
    fputs(i ? "; **" : "**", stdout);
    xb_print_markdown(stdout, d->devices[i].name);
    fputs("**, ", stdout);
    xb_print_markdown(stdout, d->devices[i].driver ? d->devices[i].driver : "unknown driver");
  }
  printf("; xbench %.16s", host->version ? host->version : "of unknown version");
  if (host->commit)
    printf(" (%.12s)", host->commit);
  if (host->date)
    printf(", %.10s", host->date);
  fputs(", ", stdout);
  xb_print_markdown(stdout, host->os ? host->os : "unknown system");
  puts("\n");
}

bool xb_share_print(const xb_document *document, bool csv)
{
  xb_view view = {0};
  xb_table table = {.row_bytes = sizeof(shown)};
  const bool good = xb_view_make(&view, &document, 1);
  shown *rows = good ? calloc(view.files->cell_count + view.files->ratio_count + 1, sizeof *rows) : NULL;
  table.list = rows;
  const bool done = rows && choose_all(&view, rows, &table.rows);
  xb_table_add_all(&table, columns, sizeof columns / sizeof *columns);
  if (done && !csv) {
    table.rows = table.rows < XB_SHARE_LINES - 4 ? table.rows : XB_SHARE_LINES - 4;
    print_head(document);
  }
  if (done)
    xb_table_write(&table, csv ? XB_IN_CSV : XB_IN_MARKDOWN);
  free(rows);
  xb_view_free(&view);
  return done;
}

typedef struct hiding {
  const json_t *devices; /* with their own UUIDs */
  char host[256];
  const char *user;
  size_t replaced;
  bool failed;
} hiding;

/* The n-th device has the UUID that ends in n + 1. An unknown device stays unknown. */
static json_t *other_uuid(const hiding *h, const json_t *uuid)
{
  size_t i;
  json_t *device;
  json_array_foreach(h->devices, i, device) if (json_equal(json_object_get(device, "uuid"), uuid)) break;
  return json_is_string(uuid) ? json_sprintf("00000000-0000-4000-8000-%012zx", i + 1) : json_null();
}

/* Where a path begins in a word, such as "/home/x", "-I/home/x" or "file=../x"; its end if there is none. */
static size_t path_in(const char *word, size_t length)
{
  for (size_t i = 0; i + 1 < length; i++) {
    const bool begins = !i || strchr("=:~<[{", word[i - 1]) || (word[0] == '-' && i == 2);
    if (word[i] == '/' && word[i + 1] == '/') /* an address */
      return length;
    if (begins && (word[i] == '/' || !strncmp(word + i, "../", 3) || !strncmp(word + i, "~/", 2)))
      return i;
  }
  return length;
}

/* "root" and "localhost" name nobody. */
static bool is_name(const char *word, size_t length, const char *name)
{
  return name && strlen(name) == length && length && !strncmp(word, name, length) && strcmp(name, "root") != 0 &&
         strcmp(name, "localhost") != 0;
}

/* The text without paths and names; the caller frees it. */
static char *without_names(hiding *h, const char *text)
{
  const bool words = strchr(text, ' ') != NULL; /* else it may be a name of ours, "vulkan" */
  char *out = malloc(4 * strlen(text) + 8), *end = out;
  while (out && *text) {
    const size_t length = strcspn(text, " \t\n\"'`(),;"), path = path_in(text, length);
    const char *instead = path < length                             ? "PATH"
                          : words && is_name(text, length, h->host) ? "HOST"
                          : words && is_name(text, length, h->user) ? "USER"
                                                                    : NULL;
    const size_t kept = !instead ? length : path < length ? path : 0;
    memcpy(end, text, kept);
    end += kept;
    if (instead) {
      memcpy(end, instead, 4);
      end += 4;
      h->replaced++;
    }
    text += length;
    if (*text)
      *end++ = *text++;
  }
  if (out)
    *end = 0;
  return out;
}

static void hide(hiding *h, json_t *value)
{
  const char *key;
  json_t *part;
  size_t i;
  json_array_foreach(value, i, part) hide(h, part);
  json_object_foreach(value, key, part)
  {
    if (!strcmp(key, "uuid") || (!strcmp(key, "device") && json_is_string(part)))
      h->failed |= json_object_set_new(value, key, other_uuid(h, part)) != 0;
    else if (!strcmp(key, "pci"))
      h->failed |= json_object_set_new(value, key, json_null()) != 0;
    else
      hide(h, part);
  }
  if (!json_is_string(value))
    return;
  char *text = without_names(h, json_string_value(value));
  h->failed |= !text || json_string_set(value, text);
  free(text);
}

json_t *xb_share_anonymous(const xb_document *document, size_t *replaced)
{
  hiding h = {.user = getenv("USER")};
  json_t *root = xb_write_fields(&xb_document_fields, document), *host = json_object_get(root, "host");
  json_t *devices = json_deep_copy(json_object_get(root, "devices"));
  const char *kernel = json_string_value(json_object_get(host, "kernel"));
  h.devices = devices;
  h.failed = !devices || gethostname(h.host, sizeof h.host - 1) ||
             json_object_set_new(root, "schema", json_string("xbench/2"));
  if (kernel)
    h.failed |= json_object_set_new(host, "kernel", json_stringn(kernel, strspn(kernel, "0123456789."))) != 0;
  hide(&h, root);
  json_decref(devices);
  *replaced = h.replaced;
  if (!h.failed && !xb_json_ran_out())
    return root;
  json_decref(root);
  return NULL;
}
