/* Candidates run as any cell does, in a process of their own. */
#include "commands/tuning_run.h"

#include "base/exit_codes.h"
#include "base/whole_file.h"
#include "commands/run_apart.h"
#include "commands/subcommands.h"
#include "core/grow.h"
#include "judge/stats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair_run {
  char **defines;
  size_t count;
  uint64_t seed;
} pair_run;

static int run_pair(const char *path, void *user)
{
  const pair_run *run = user;
  xb_options *o = xb_given_options();
  o->json = path;
  o->how.seed = run->seed;
  o->quiet = o->apart = o->how.no_yardsticks = true;
  return xb_command_pair_run(xb_tune.manifest, run->defines, run->count);
}

/* The document of a run; NULL: see `o`. */
static const xb_document *call(xb_apart_fn *fn, void *user, xb_tried *o)
{
  char *bytes;
  size_t count;
  xb_error error;
  const xb_document *document = NULL;
  o->code = xb_call_apart(fn, user, &bytes, &count, o->why);
  if (o->code < 0 && xb_document_parse("a run", bytes, count, &document, &error))
    o->code = xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
  if (document && xb_tune.keep && !xb_write_whole_file(xb_tune.keep, bytes, count))
    xb_tune.unsaved = xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s", xb_tune.keep, strerror(errno));
  free(bytes);
  if (document && !xb_grow(&xb_tune.documents, &xb_tune.document_capacity, xb_tune.document_count, sizeof document)) {
    xb_document_free(document);
    return NULL;
  }
  if (document)
    xb_tune.documents[xb_tune.document_count++] = document;
  return document;
}

const xb_result *xb_tune_result_on(const xb_document *d, const char *backend, size_t place)
{
  for (size_t i = 0; d && i < d->result_count; i++)
    if (d->results[i].yardstick != 1 && (!backend || !strcmp(d->results[i].backend, backend)) && !place--)
      return &d->results[i];
  return NULL;
}

const xb_result *xb_tune_first_side(const xb_document *d, const char *backend)
{
  const xb_result *first = NULL;
  for (size_t i = 0; xb_tune_result_on(d, backend, i); i++)
    if (!first || xb_tune_result_on(d, backend, i)->variant_number < first->variant_number)
      first = xb_tune_result_on(d, backend, i);
  return first;
}

/* One after the other: candidates of a pair are compiled anew. */
const xb_document *xb_tune_measure_pair(const xb_space *space, size_t candidate, uint64_t seed, xb_tried *o)
{
  char texts[XB_TUNE_PARAMETERS][64], *defines[XB_TUNE_PARAMETERS];
  for (size_t p = 0; p < space->count; p++) {
    snprintf(texts[p], sizeof texts[p], "%.40s=%llu", space->parameters[p].name,
             (unsigned long long)xb_space_value(space, candidate, p));
    defines[p] = texts[p];
  }
  pair_run run = {defines, space->count, seed};
  return call(run_pair, &run, o);
}

static xb_configuration configuration_of(const xb_space *space, size_t candidate, const char *backend)
{
  const xb_benchmark *b = xb_tune.variant->benchmark;
  xb_configuration c = {.variant = xb_tune.variant, .backend = backend};
  xb_set_place(xb_tune.options->what, b, 0, c.at);
  for (size_t a = 0; a < b->axis_count; a++) { /* the axis keeps its base, unless --at names it */
    bool named = false;
    for (size_t i = 0; i < xb_tune.options->what->at_count; i++)
      named |= !strcmp(xb_tune.options->what->at[i].axis, b->axes[a].name);
    c.at[a] = named ? c.at[a] : b->axes[a].base;
  }
  for (size_t p = 0; space && p < space->count; p++) {
    const uint32_t value = (uint32_t)xb_space_value(space, candidate, p);
    for (size_t a = 0; a < b->axis_count; a++)
      if (!strcmp(b->axes[a].name, space->parameters[p].name))
        c.at[a] = value;
    if (!strcmp(space->parameters[p].name, "block"))
      c.block = value;
  }
  return c;
}

/* Together, interleaved, in one process. `space` NULL: the defaults, on each API. */
const xb_document *xb_tune_measure_variant(const xb_space *space, const char *backend, const size_t *candidates,
                                           size_t count, uint64_t seed, xb_tried *o)
{
  xb_configuration list[XB_TUNE_FINALISTS];
  xb_options options = *xb_tune.options;
  for (size_t i = 0; i < count; i++)
    list[i] = configuration_of(space, candidates ? candidates[i] : 0, backend);
  options.how.configurations = list;
  options.how.configuration_count = count;
  options.how.no_yardsticks = options.quiet = true;
  options.on.backend = backend ? backend : options.on.backend;
  options.how.seed = seed;
  return call(xb_run_into, &options, o);
}

/* Returns false if the user interrupted it. */
bool xb_tune_measure(const xb_tune_api *a, const size_t *candidates, size_t count, uint64_t seed, xb_tried *outcomes)
{
  if (!xb_tune.manifest) {
    const xb_document *d = xb_tune_measure_variant(&a->space, a->backend, candidates, count, seed, outcomes);
    for (size_t i = count; i-- > 0;) {
      outcomes[i] = outcomes[0];
      outcomes[i].result = xb_tune_result_on(d, a->backend, i);
    }
    return outcomes[0].code != XB_EXIT_INTERRUPTED;
  }
  size_t order[XB_TUNE_FINALISTS];
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  xb_shuffle(&seed, order, count);
  for (size_t i = 0; i < count; i++) {
    xb_tried *o = &outcomes[order[i]];
    o->result = xb_tune_first_side(xb_tune_measure_pair(&a->space, candidates[order[i]], seed, o), a->backend);
    if (o->code == XB_EXIT_INTERRUPTED)
      return false;
  }
  return true;
}
