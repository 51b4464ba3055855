/* xbench isa: what compilers make of kernels: registers, spills, shared memory, code. No GPU is needed. */
#include "base/fold.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "compile/compile.h"
#include "formats/formats.h"
#include "isa/isa.h"
#include "pair/family.h"
#include "pair/words.h"

#include <stdio.h>
#include <string.h>

typedef struct isa_command {
  const char *targets, *json, *dtype;
  uint64_t block;
  bool text;
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

static int show(isa_command *given, const json_t *rows, bool own)
{
  if (!json_array_size(rows))
    return xb_report_error(XB_EXIT_UNAVAILABLE,
                           "isa: nothing of this was compiled for the chosen architectures: choose "
                           "others with --for, or another --block or --dtype");
  json_t *document = json_pack("{s:s, s:O}", "schema", xb_isa_schema, "rows", rows);
  const bool saved = xb_save_json(given->json, XB_OUTPUT_OTHER, document, JSON_INDENT(1));
  xb_fold_stdout();
  xb_isa_print(rows, given->text);
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
  json_t *rows = json_array();
  const xb_isa_choice choice = {.what = &given->what,
                                .dtype = given->dtype,
                                .block = (uint32_t)given->block,
                                .text = given->text,
                                .own = p != NULL};
  for (size_t i = 0; i < count; i++)
    if (!p && targets[i].capability && xb_first_run_needed() && !xb_nvrtc_find())
      xb_report_error(0, "isa: %s is left out: kernels are compiled by NVRTC: %s", targets[i].name, xb_nvrtc_missing());
    else
      xb_isa_compile(&choice, &targets[i], rows);
  code = show(given, rows, p != NULL);
  json_decref(rows);
  return code;
}

static int run(xb_invocation *in)
{
  isa_command *given = in->own;
  const int code = given->manifest_path ? open_pair(given) : -1;
  return code < 0 ? run_with(given, given->manifest_path ? &given->pair : NULL, &given->manifest) : code;
}

int xb_command_isa_pair(xb_invocation *in, xb_pair *p, const xb_pair_manifest *m, const char *targets)
{
  const int code = xb_complete_values(in);
  if (code >= 0)
    return code;
  isa_command given = {.targets = targets, .json = in->options.json, .text = true, .what = *in->options.what};
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
