/* xbench isa: what compilers make of kernels: registers, spills, shared memory, code. No GPU is needed. */
#include "base/fold.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "compile/compile.h"
#include "formats/formats.h"
#include "isa/isa.h"
#include "judge/judge.h"
#include "pair/family.h"
#include "pair/words.h"
#include "result/document.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct isa_command {
  const char *targets, *json, *dtype, *explain;
  uint64_t block;
  bool text, usual;
  xb_trust trust;
  const char *manifest_path; /* NULL: kernels of this program */
  xb_choice what;
  xb_pair pair;
  xb_pair_manifest manifest;
} isa_command;

static const xb_option options[] = {
    {"for", 0, XB_OPT_TEXT, offsetof(isa_command, targets),
     "architectures: gfx1100, sm_90, ..., or 'here' for the devices of this machine (default: all that the installed "
     "compilers know)",
     .value = "ARCHITECTURE,..."},
    {"block", 0, XB_OPT_COUNT, offsetof(isa_command, block), "groups of this size only (default: all)", .value = "N"},
    {"dtype", 0, XB_OPT_TEXT, offsetof(isa_command, dtype), "this element type only (default: all)", .value = "TYPE"},
    {"text", 0, XB_OPT_FLAG, offsetof(isa_command, text), .help = "also print the machine code"},
    {"explain", 0, XB_OPT_TEXT, offsetof(isa_command, explain),
     "explain the ratios beyond their margin in this file of 'xbench compare --json' or 'xbench pair --json', measured "
     "on "
     "this machine: name differences of the machine codes",
     .value = "RESULTS.json"},
    XB_TRUST_OPTIONS(isa_command),
    {"json", 0, XB_OPT_FILE, offsetof(isa_command, json), "also write the rows to this file, for 'xbench diff'",
     .value = "FILE"},
    {0}};
static int take(xb_invocation *in, const char *const *words)
{
  isa_command *given = in->own;
  given->what = (xb_choice){0};
  xb_pair_trust = given->trust;
  given->manifest_path = NULL;
  if (given->explain && given->json)
    return xb_report_error(XB_EXIT_USAGE, "isa: --explain prints no rows, so there is nothing for --json");
  if (xb_is_json_name(words[0])) {
    given->manifest_path = words[0];
    return words[1] ? xb_report_error(XB_EXIT_USAGE, "isa: expected one manifest, not also '%s'", words[1]) : -1;
  }
  for (; *words; words++)
    if (!xb_select(&given->what, *words))
      return XB_EXIT_USAGE;
  for (size_t i = 0, all = !given->what.selected_count; all && xb_benchmark_at(i); i++)
    for (size_t v = 0; v < xb_benchmark_at(i)->variant_count; v++)
      if (given->what.selected_count < XB_MAX_SELECTED)
        given->what.selected[given->what.selected_count++].variant = &xb_benchmark_at(i)->variants[v];
  return -1;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

/* The oldest capability that is asked for: PTX runs on newer ones. */
static uint32_t oldest(const xb_isa_target *targets, size_t count)
{
  uint32_t capability = 0;
  for (size_t i = 0; i < count; i++)
    if (targets[i].capability && (!capability || targets[i].capability < capability))
      capability = targets[i].capability;
  return capability;
}

/* Sides for which there is no compiler are left out, with a line. One that its compiler refuses is kept: its rows say
 * why, and the others keep their names. */
static xb_code compile_sides(xb_pair *p, uint32_t capability, xb_error *err)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->side_count; i++) {
    const bool cuda = strcmp(p->sides[i].format, "spv") != 0;
    if (cuda && !capability)
      continue;
    const xb_code code = xb_pair_compile_side(p, &p->sides[i], cuda ? capability : 0, err);
    if (code && code != XB_INVALID) {
      xb_report_error(0, "isa: %s is left out: %s", p->sides[i].source.path, err->message);
      continue;
    }
    if (code)
      p->sides[i].refused = *err;
    p->sides[kept++] = p->sides[i];
  }
  p->side_count = kept;
  return kept ? XB_OK : xb_fail(err, XB_UNAVAILABLE, "isa", "no side of the pair can be compiled here");
}

/* Reads a manifest, as far as compiling needs it. */
static int open_pair(isa_command *given)
{
  static const xb_pair_words none;
  xb_error error;
  xb_code code = xb_pair_open(given->manifest_path, &given->pair.arena, &given->manifest, &error);
  code = code ? code : xb_pair_add_defines(&none, given->manifest.root, &error);
  code = code ? code : xb_pair_read_sources(&given->manifest, &given->pair, &error);
  return xb_report_refusal(code, &error);
}

static int compile_pair(isa_command *given, xb_pair *p, const xb_pair_manifest *m, const xb_isa_target *targets,
                        size_t count)
{
  xb_error error;
  xb_code code = compile_sides(p, oldest(targets, count), &error);
  if (!code) {
    xb_pair_complete(p, m->root, false);
    code = xb_pair_read(m, p, &error);
  }
  code = code ? code : xb_pair_link_sides(p, &error);
  code = code ? code : xb_pair_add(p, &error);
  if (!code && p->sizes && !given->what.size_count) /* else those of -n */
    code = xb_parse_sizes(p->sizes, given->what.sizes, &given->what.size_count, &error);
  if (code)
    return xb_report_refusal(code, &error);
  return xb_select(&given->what, p->name) ? -1 : XB_EXIT_USAGE;
}

/* Why there is no code of the driver of this machine that runs shaders. */
static void print_missing(const char *why)
{
  if (*why)
    printf("vulkan, this driver: not here: %s\n", why);
}

/* ---- What explains a ratio --------------------------------------------------------------------------------------- */

/* The kernels of this cell alone. */
static bool choose_cell(const xb_result *r, xb_choice *what)
{
  *what = (xb_choice){.selected_count = 1, .size_count = 1};
  what->selected[0].variant = xb_variant_find(r->benchmark, r->variant);
  what->sizes[0] = (xb_size){r->work.rows, r->work.columns ? r->work.columns : r->work.size, r->work.inner};
  for (; what->at_count < r->at.count && what->at_count < XB_MAX_AXES; what->at_count++) {
    xb_axis_choice *axis = &what->at[what->at_count];
    snprintf(axis->axis, sizeof axis->axis, "%s", r->at.values[what->at_count].axis);
    axis->values[0] = (uint32_t)r->at.values[what->at_count].value;
    axis->count = 1;
  }
  return what->selected[0].variant;
}

/* The rows of a cell; none where nothing here makes its code. */
static json_t *compile_cell(const xb_result *r, xb_choice *what, const xb_isa_target *targets, size_t count)
{
  json_t *rows = json_array();
  const xb_isa_target *target = xb_isa_target_of(targets, count, r->backend);
  if (target && choose_cell(r, what))
    xb_isa_compile(&(xb_isa_choice){.what = what, .dtype = r->dtype, .block = (uint32_t)r->work.block, .text = true},
                   target, rows);
  return rows;
}

static void explain_one(const xb_comparison *c, xb_choice *what, const xb_isa_target *targets, size_t count)
{
  const bool slower = !strcmp(c->verdict, xb_verdict_name(XB_SLOWER));
  const xb_result *slow = slower ? c->subject : c->base, *fast = slower ? c->base : c->subject;
  json_t *slow_rows = compile_cell(slow, what, targets, count), *fast_rows = compile_cell(fast, what, targets, count);
  printf("%s/%s %s, n = %" PRIu64 ", groups of %" PRIu64, slow->benchmark,
         slow->variant_name ? slow->variant_name : slow->variant, slow->dtype, slow->work.size, slow->work.block);
  for (size_t i = 0; i < slow->at.count; i++)
    printf(", %s=%" PRIi64, slow->at.values[i].axis, slow->at.values[i].value);
  printf(": %s takes %.3g times as long as %s (margin %.3g %%)\n", slow->backend, slower ? c->ratio : 1 / c->ratio,
         fast->backend, 100 * c->margin);
  xb_isa_print_causes(slow_rows, slow->backend, fast_rows, fast->backend);
  json_decref(slow_rows);
  json_decref(fast_rows);
}

/* Explains the comparisons of the file; of one pair or benchmark, if some were chosen. */
static int explain(const isa_command *given, const xb_isa_target *targets, size_t count)
{
  const xb_document *document;
  xb_error error;
  size_t within = 0, beyond = 0;
  xb_choice *what = calloc(1, sizeof *what);
  const int code = what ? xb_report_refusal(xb_document_load(given->explain, &document, &error), &error)
                        : xb_report_error(XB_EXIT_DEVICE, "isa: out of host memory");
  for (size_t i = 0; code < 0 && i < document->comparison_count; i++) {
    const xb_comparison *c = &document->comparisons[i];
    bool chosen = false;
    for (size_t k = 0; k < given->what.selected_count; k++)
      chosen |= given->what.selected[k].variant == xb_variant_find(c->benchmark, c->subject->variant);
    const bool decided =
        c->base && c->verdict &&
        (!strcmp(c->verdict, xb_verdict_name(XB_SLOWER)) || !strcmp(c->verdict, xb_verdict_name(XB_FASTER)));
    if (chosen && decided)
      explain_one(c, what, targets, count);
    *(decided ? &beyond : &within) += chosen;
  }
  if (code < 0)
    xb_document_free(document);
  free(what);
  if (code >= 0)
    return code;
  print_missing(targets[count - 1].missing);
  printf("%zu ratios beyond their margin, %zu within it or unclear\n", beyond, within);
  return beyond + within
             ? XB_EXIT_OK
             : xb_report_error(XB_EXIT_USAGE, "isa: %s compares none of the chosen kernels", given->explain);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* Where no row has code, the run failed. */
static int check_any(const json_t *rows, bool own)
{
  size_t i, refused = 0, lacking = 0;
  json_t *row;
  json_array_foreach(rows, i, row) xb_isa_count_errors(row, &refused, &lacking);
  return refused + lacking < json_array_size(rows)
             ? XB_EXIT_OK
             : xb_report_error(refused && own ? XB_EXIT_USAGE : XB_EXIT_UNAVAILABLE,
                               "isa: nothing was compiled: %zu refused, %zu need a feature that the architecture lacks",
                               refused, lacking);
}

static int show(isa_command *given, const json_t *rows, bool own, const char *missing)
{
  if (!json_array_size(rows))
    return xb_report_error(XB_EXIT_UNAVAILABLE, "isa: nothing was compiled for the chosen architectures: choose "
                                                "others with --for, or another --block or --dtype");
  json_t *document = json_pack("{s:s, s:O}", "schema", xb_isa_schema, "rows", rows);
  const bool saved = xb_save_json(given->json, XB_OUTPUT_OTHER, document, JSON_INDENT(1));
  xb_fold_stdout();
  xb_isa_print(rows, given->text);
  print_missing(missing);
  return saved ? check_any(rows, own) : XB_EXIT_USAGE;
}

/* `p`: NULL, or the pair whose kernels are compiled. */
static int run_with(isa_command *given, xb_pair *p, const xb_pair_manifest *m)
{
  xb_isa_target targets[XB_ISA_TARGETS];
  int code = XB_EXIT_OK;
  const size_t count = xb_isa_targets(given->targets, targets, &code);
  if (!count)
    return code;
  code = p ? compile_pair(given, p, m, targets, count) : -1;
  if (code >= 0)
    return code;
  if (given->explain)
    return explain(given, targets, count);
  json_t *rows = json_array();
  const xb_isa_choice choice = {.what = &given->what,
                                .dtype = given->dtype,
                                .block = (uint32_t)given->block,
                                .text = given->text,
                                .own = p != NULL,
                                .usual = given->usual};
  for (size_t i = 0; i < count; i++)
    if (!p && targets[i].capability && xb_first_run_needed() && !xb_nvrtc_find())
      xb_report_error(0, "isa: %s is left out: kernels are compiled by NVRTC: %s", targets[i].name, xb_nvrtc_missing());
    else
      xb_isa_compile(&choice, &targets[i], rows);
  code = show(given, rows, p != NULL, targets[count - 1].missing);
  json_decref(rows);
  return code;
}

static int run(xb_invocation *in)
{
  isa_command *given = in->own;
  const int code = given->manifest_path ? open_pair(given) : -1;
  return code < 0 ? run_with(given, given->manifest_path ? &given->pair : NULL, &given->manifest) : code;
}

int xb_command_isa_variant(const xb_variant *variant)
{
  isa_command given = {.text = true, .usual = true, .what = {.selected_count = 1}};
  given.what.selected[0].variant = variant;
  return run_with(&given, NULL, NULL);
}

int xb_command_isa_pair(xb_invocation *in, xb_pair *p, const xb_pair_manifest *m, const char *targets,
                        const char *results)
{
  const int code = xb_complete_values(in);
  if (code >= 0)
    return code;
  isa_command given = {.targets = targets,
                       .json = results ? NULL : in->options.json,
                       .explain = results,
                       .text = true,
                       .what = *in->options.selection};
  return run_with(&given, p, m);
}

const xb_subcommand xb_command_isa = {
    .name = "isa",
    .usage = "[OPTION...] [BENCHMARK[/VARIANT]...]\n       xbench isa [OPTION...] MANIFEST.json",
    .where = "isa: ",
    .options = options,
    .own_bytes = sizeof(isa_command),
    .take = take,
    .run = run};
