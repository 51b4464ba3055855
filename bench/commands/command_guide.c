/* xbench guide [CASE]... runs the pairs of kernels of the porting guide, on every API that reaches the device.
 * xbench guide WORD... prints rows of the guide; xbench guide --scan FILE... lists those of sources. */
#include "guide/guide.h"
#include "guide/rows.h"
#include "guide/scan/scan.h"

#include "base/fold.h"
#include "base/word_list.h"
#include "benchmarks/registry.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "formats/formats.h"
#include "machine/choose.h"
#include "measure/cell_groups.h"
#include "result/fields.h"
#include "result/result.h"
#include "show/languages.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CASES = 64, MAX_PATHS = 1000, MOST_WORDS = 32, MOST_TEXT = 512 };

typedef struct guide_command {
  const char *backend, *device, *json, *scan;
  const char *const *words; /* to look up; NULL: run cases */
  const char *typed;        /* the first of them, as it was typed */
  const char *scanned[MAX_PATHS + 2];
  bool lists, cost, run, explain;
  const xb_guide_case *cases[MAX_CASES];
  size_t count;
  /* The words, one by one; the name near to a mistyped one. */
  char text[MOST_TEXT], name[80];
  const char *list[MOST_WORDS + 1], *near[2];
} guide_command;

/* ---- Command line ----------------------------------------------------------------------------------------------- */

static const xb_option options[] = {
    {"backend", 'b', XB_OPT_BACKEND, offsetof(guide_command, backend),
     "API to run on, or all (default: all that reach the device)", .value = "NAME"},
    {"device", 'd', XB_OPT_TEXT, offsetof(guide_command, device), "device to run on (default: the fastest kind)",
     .value = "INDEX|UUID|NAME"},
    {"json", 0, XB_OPT_FILE, offsetof(guide_command, json),
     "write the observations and assertions of --run, or the rows of --scan", .value = "FILE"},
    {"cost", 0, XB_OPT_FLAG, offsetof(guide_command, cost),
     .help = "with --run: also time the alternatives that cases have"},
    {"scan", 0, XB_OPT_TEXT, offsetof(guide_command, scan),
     "list the rows and traps of the guide for CUDA files and folders", .value = "FILE"},
    {"run", 0, XB_OPT_FLAG, offsetof(guide_command, run),
     .help = "run the guide's assertions on each API: all cases, or those named"},
    {"list", 'l', XB_OPT_FLAG, offsetof(guide_command, lists), .help = "list the cases"},
    {0}};

/* All words are cases. */
static bool choose_cases(guide_command *given, const char *const *words)
{
  for (; *words; words++) {
    const xb_guide_case *named = xb_guide_case_find(*words);
    for (size_t i = 0; i < given->count; i++)
      if (given->cases[i] == named)
        return xb_usage_error("guide: '%s' is named twice", named->name);
    given->cases[given->count++] = named;
  }
  for (size_t i = 0; !given->count && i < xb_guide_case_count; i++)
    given->cases[i] = &xb_guide_cases[i];
  given->count = given->count ? given->count : xb_guide_case_count;
  return true;
}

/* Words that are not all cases are looked up, if a row has them; a mistyped one by the name that is near; names that no
 * row has by their parts. */
static bool are_looked_up(guide_command *given, const char *const *words)
{
  const char *const *word = words;
  while (*word && xb_guide_case_find(*word))
    word++;
  if (!*word)
    return false;
  given->words = words;
  if (xb_guide_fits_best(words))
    return true;
  given->near[0] = given->name;
  given->words = given->near;
  if (!words[1] && xb_guide_near_name(*words, given->name, sizeof given->name))
    return true;
  given->words = words;
  return xb_guide_finds(words);
}

/* The words behind --scan are more paths. */
static int take_scanned(guide_command *given, const char *const *words)
{
  size_t count = 0;
  if (given->lists || given->cost || given->run || given->backend || given->device)
    return xb_report_error(XB_EXIT_USAGE, "--scan: expected no other option than --json");
  given->scanned[count++] = given->scan;
  for (; *words; words++) {
    if (count > MAX_PATHS)
      return xb_report_error(XB_EXIT_USAGE, "--scan: expected at most %d paths: name a folder", MAX_PATHS);
    given->scanned[count++] = *words;
  }
  given->scanned[count] = NULL;
  return -1;
}

/* The words of quoted phrases, each for itself. */
static const char *const *split(guide_command *given, const char *const *words)
{
  size_t used = 0, count = 0;
  for (; *words; words++)
    for (const char *at = *words + strspn(*words, " \t"); *at; at += strspn(at, " \t")) {
      const size_t length = strcspn(at, " \t");
      if (used + length >= MOST_TEXT || count == MOST_WORDS)
        break;
      given->list[count++] = given->text + used;
      used += (size_t)snprintf(given->text + used, MOST_TEXT - used, "%.*s", (int)length, at) + 1;
      at += length;
    }
  given->list[count] = NULL;
  return given->list;
}

/* Neither a row nor a case. */
static int report_unknown(const char *const *words)
{
  char typed[160] = "", near[160];
  const char *names[MAX_CASES];
  for (size_t i = 0; i < xb_guide_case_count; i++)
    names[i] = xb_guide_cases[i].name;
  const char *meant = words[1] ? NULL : xb_nearest(words[0], names, xb_guide_case_count);
  if (meant)
    return xb_report_error(XB_EXIT_USAGE, "guide: no row and no case has '%s': did you mean the case '%s'?", *words,
                           meant);
  xb_guide_nearest(words, near, sizeof near);
  for (; *words; words++)
    snprintf(typed + strlen(typed), sizeof typed - strlen(typed), "%s%s", *typed ? " " : "", *words);
  return xb_report_error(
      XB_EXIT_USAGE,
      "guide: no row has '%s'%s%s; docs/porting-guide.md lists the chapters, 'xbench guide --list' the cases", typed,
      *near ? ": the nearest are " : "", near);
}

static int take(xb_invocation *in, const char *const *words)
{
  guide_command *given = in->own;
  given->count = 0;
  given->words = NULL;
  if (given->scan)
    return take_scanned(given, words);
  /* Options that only assertions have ask for these, too. */
  given->explain =
      !*words && !given->run && !given->lists && !given->cost && !given->backend && !given->device && !given->json;
  words = split(given, words);
  if (!given->run && are_looked_up(given, words)) {
    given->typed = *words;
    return -1;
  }
  given->words = NULL;
  for (const char *const *word = words; *word; word++)
    if (!xb_guide_case_find(*word))
      return report_unknown(words);
  return choose_cases(given, words) ? -1 : XB_EXIT_USAGE;
}

/* ---- Running ---------------------------------------------------------------------------------------------------- */

typedef struct guide_run {
  xb_target targets[XB_MAX_TARGETS];
  size_t target_count;
  size_t of_kind[XB_GUIDE_KINDS];
  char failed[256]; /* names of the failed cases */
  int code;         /* -1: no failure */
  json_t *cases;    /* NULL: not requested */
} guide_run;

static void add_to_document(guide_run *run, const xb_guide *g)
{
  static const char *const words[] = {"seen", "holds", "fails"};
  if (!run->cases)
    return;
  json_t *lines = json_array();
  for (size_t i = 0; i < g->said.count; i++)
    json_array_append_new(lines, json_pack("{ss ss ss}", "api", g->said.lines[i].api, "kind",
                                           words[g->said.lines[i].kind], "text", g->said.lines[i].text));
  json_array_append_new(run->cases,
                        json_pack("{ss ss so}", "case", g->of->name, "title", g->of->title, "lines", lines));
}

/* Runs the case on one API. An error of the device ends the case on this API, and is reported. */
static void run_on(xb_guide *g, const xb_target *target, size_t api, guide_run *run)
{
  g->api = api;
  g->device = target->device;
  g->info = &target->info;
  const xb_language *language = xb_language_of(xb_api_of(&target->info));
  g->cuda = language && !strcmp(language->code, "fatbin");
  g->glslc = !strcmp(target->info.code, "spv") && !strncmp(XB_SHADER_COMPILER, "glslc", 5);
  g->code = xb_device_status(target->device);
  if (g->code)
    xb_fail(&g->error, g->code, target->info.backend, "the device failed in an earlier case");
  else
    g->of->run(g);
  if (!g->code)
    return;
  xb_guide_assert(g, false, "did not run: %s", g->error.message);
  const int code = xb_exit_code(g->code);
  if (run->code < 0 || run->code == XB_EXIT_WRONG)
    run->code = code;
}

static void run_case(guide_command *given, const xb_guide_case *c, guide_run *run)
{
  xb_guide g = {.of = c, .api_count = run->target_count, .cost = given->cost};
  for (size_t i = 0; i < run->target_count; i++)
    g.apis[i] = run->targets[i].info.backend;
  for (size_t i = 0; i < run->target_count; i++)
    run_on(&g, &run->targets[i], i, run);
  xb_guide_agree(&g);
  xb_guide_print(&g);
  for (size_t k = 0; k < XB_GUIDE_KINDS; k++)
    run->of_kind[k] += g.said.of_kind[k];
  if (g.said.of_kind[XB_GUIDE_FAILS]) {
    const size_t at = strlen(run->failed);
    snprintf(run->failed + at, sizeof run->failed - at, "%s%s", at ? ", " : "", c->name);
    run->code = run->code < 0 ? XB_EXIT_WRONG : run->code;
  }
  add_to_document(run, &g);
  xb_guide_end(&g);
}

static void print_summary(const guide_run *run, size_t cases)
{
  printf("%zu case%s on", cases, cases == 1 ? "" : "s");
  for (size_t i = 0; i < run->target_count; i++)
    printf("%s %s (%s)", i ? " and" : "", run->targets[i].info.backend, run->targets[i].info.name);
  printf(": %zu assertions hold, %zu fail; %zu observations are not guaranteed by any specification\n",
         run->of_kind[XB_GUIDE_HOLDS], run->of_kind[XB_GUIDE_FAILS], run->of_kind[XB_GUIDE_SEEN]);
}

static bool write_document(guide_run *run, xb_output *output)
{
  json_t *devices = json_array();
  xb_arena arena = {0};
  xb_result_device device;
  for (size_t i = 0; i < run->target_count; i++)
    if (xb_result_device_of(&run->targets[i].info, &arena, &device))
      json_array_append_new(devices, xb_write_fields(&xb_device_fields, &device));
  json_t *document =
      json_pack("{ss so so sO}", "schema", "xbench-guide/1", "host", xb_write_fields(&xb_host_fields, xb_this_host()),
                "devices", devices, "cases", run->cases);
  xb_output_json(output, document, JSON_INDENT(1));
  xb_arena_free(&arena);
  return xb_output_save(output) && xb_output_commit(output);
}

static int scan(guide_command *given)
{
  xb_output output;
  if (!given->json)
    return xb_guide_scan(given->scanned, NULL);
  if (!xb_output_open(&output, given->json, XB_OUTPUT_OTHER))
    return XB_EXIT_USAGE;
  json_t *files = json_array();
  const int code = xb_guide_scan(given->scanned, files);
  xb_output_json(&output, json_pack("{ss so}", "schema", "xbench-scan/1", "files", files), JSON_INDENT(1));
  return xb_output_save(&output) && xb_output_commit(&output) ? code : XB_EXIT_USAGE;
}

static int explain(void)
{
  printf("The porting guide says how to write each part of CUDA in HLSL for Vulkan and Direct3D 12.\n\n"
         "  xbench guide __shfl_sync          print the rows for a CUDA name or a topic\n"
         "  xbench guide --scan softmax.cu    print the rows and traps for a source, with line numbers\n"
         "  xbench guide --run                run the guide's %zu cases on each API and check its assertions\n"
         "  xbench guide --run wave atomics   run some of the cases\n"
         "  xbench guide --list               list the cases\n\n"
         "The guide to read: docs/porting-guide.md. Options: xbench help guide\n",
         xb_guide_case_count);
  return XB_EXIT_OK;
}

static int run_all(xb_invocation *in)
{
  guide_command *given = in->own;
  guide_run run = {.code = -1};
  xb_output output;
  xb_fold_stdout();
  if (given->scan)
    return scan(given);
  if (given->explain)
    return explain();
  if (given->words) {
    if (!given->words[1] && strcmp(*given->words, given->typed) != 0)
      printf("No row has '%s'. Rows of '%s':\n\n", given->typed, *given->words);
    xb_guide_look_up(given->words);
    return XB_EXIT_OK;
  }
  if (given->lists) {
    for (size_t i = 0; i < xb_guide_case_count; i++)
      printf("%-12s %s%s\n", xb_guide_cases[i].name, xb_guide_cases[i].title,
             xb_guide_lacks(&xb_guide_cases[i]) ? " (in part: this program was built without DXC)" : "");
    return XB_EXIT_OK;
  }
  if (!xb_output_open(&output, given->json, XB_OUTPUT_OTHER))
    return XB_EXIT_USAGE;
  const xb_device_choice wanted = {.backend = given->backend, .device = given->device};
  const int code = xb_open_targets(&wanted, run.targets, &run.target_count);
  if (code >= 0) {
    xb_output_abandon(&output);
    return code;
  }
  run.cases = given->json ? json_array() : NULL;
  for (size_t i = 0; i < given->count; i++)
    run_case(given, given->cases[i], &run);
  print_summary(&run, given->count);
  if (run.code >= 0)
    xb_report_error(run.code, "guide: assertions fail in: %s", run.failed);
  if (given->json && !write_document(&run, &output) && run.code < 0)
    run.code = XB_EXIT_USAGE;
  json_decref(run.cases);
  if (!xb_leave_targets(run.targets, run.target_count, run.code) && run.code < 0)
    run.code = XB_EXIT_DEVICE;
  return run.code < 0 ? XB_EXIT_OK : run.code;
}

const xb_subcommand xb_command_guide = {.name = "guide",
                                        .usage = "[OPTION...] [WORD... | CASE...]",
                                        .options = options,
                                        .own_bytes = sizeof(guide_command),
                                        .take = take,
                                        .run = run_all};
