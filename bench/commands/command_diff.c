/* xbench diff BASE.json NEW.json finds regressions, for example in CI. With --again, it measures NEW itself. */
#include "base/fold.h"
#include "base/safe_text.h"
#include "base/terminal.h"
#include "commands/run_in_child.h"
#include "commands/subcommands.h"
#include "diff/diff.h"
#include "formats/output.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct diff_command {
  xb_text_list bases; /* --base */
  const char **words; /* with --base: the first one and the words */
  const char *base, *now, *json, *may_go;
  double threshold; /* < 0: depends on the device type */
  uint64_t seed;
  bool markdown, force, again;
  size_t across;
  double min_decided;
  size_t fail_on; /* 1: unclear cells */
  xb_again run;   /* with --again: what to measure */
  xb_diff diff;
} diff_command;

/* ---- Command line ----------------------------------------------------------------------------------------------- */

static const xb_option options[] = {
    {"threshold", 0, XB_OPT_PERCENT, offsetof(diff_command, threshold),
     "report a regression if the whole interval is slower by more than this (default 3%, on a CPU 10%)",
     .value = "PERCENT", .otherwise = -1},
    {"base", 0, XB_OPT_TEXTS, offsetof(diff_command, bases),
     "a run of BASE, instead of the first file; up to 4 runs, to learn how much runs of one program differ",
     .value = "BASE.json"},
    {"again", 0, XB_OPT_FLAG, offsetof(diff_command, again),
     .help = "measure now, as 'xbench ARGS' does; repeat cells that are not settled up to 3 times"},
    {"min-decided", 0, XB_OPT_PERCENT, offsetof(diff_command, min_decided),
     "exit with 6 if fewer cells are decided (default 0%)", .value = "PERCENT"},
    {"fail-on", 0, XB_OPT_WORD, offsetof(diff_command, fail_on),
     "also exit with 6 if a cell is unclear (default: regression)", .value = "regression|unclear"},
    {"may-go", 0, XB_OPT_TEXT, offsetof(diff_command, may_go),
     "cells that may be missing in NEW: a list of benchmarks or variants (default: none; a missing cell exits with 6)",
     .value = "BENCHMARK[/VARIANT],..."},
    {"force", 0, XB_OPT_FLAG, offsetof(diff_command, force),
     .help = "compare the common cells, even if devices, sizes or settings differ"},
    {"across", 0, XB_OPT_WORD, offsetof(diff_command, across),
     "compare files whose kernels come from different compilers", .value = "nothing|compiler"},
    {"markdown", 0, XB_OPT_FLAG, offsetof(diff_command, markdown), .help = "print Markdown instead of the table"},
    {"json", 0, XB_OPT_FILE, offsetof(diff_command, json), "write the comparison to this file", .value = "FILE"},
    {"seed", 0, XB_OPT_COUNT, offsetof(diff_command, seed), "seed of the resampling (default 1)", .value = "N",
     .otherwise = 1},
    {0}};

static bool names_variant(const char *word)
{
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "/"), word);
  return strchr(word, '/') && xb_benchmark_find(name) && access(word, F_OK) != 0;
}

static int take_files(diff_command *given, const char *const *words)
{
  const size_t count = !words[0] ? 0 : !words[1] ? 1 : !words[2] ? 2 : 3;
  if (count != 2)
    return xb_report_error(XB_EXIT_USAGE,
                           "diff: %s: expected two files that 'xbench --json' wrote: xbench diff BASE.json NEW.json",
                           count > 2 ? "more than two files"
                           : count   ? "one file"
                                     : "no files");
  if (names_variant(words[0]) && names_variant(words[1]))
    return xb_report_error(XB_EXIT_USAGE,
                           "diff: %s is a variant, not a file: 'xbench compare %s --against %s' measures and "
                           "compares them",
                           words[0], words[1], words[0]);
  given->now = words[1];
  return -1;
}

/* With --base, the words are those behind BASE.json. */
static int take_words(diff_command *given, const char *const *words)
{
  if (given->bases.count) {
    size_t count = 0;
    while (words[count])
      count++;
    free(given->words); /* the words are read until the program ends */
    given->words = calloc(count + 2, sizeof *given->words);
    if (!given->words)
      return xb_report_error(XB_EXIT_DEVICE, "diff: out of host memory");
    given->words[0] = given->bases.texts[0];
    memcpy(given->words + 1, words, count * sizeof *words);
    words = given->words;
  }
  given->base = words[0];
  return given->again ? xb_parse_run_words(words, &given->run) : take_files(given, words);
}

static int take(xb_invocation *in, const char *const *words)
{
  diff_command *given = in->own;
  if (given->bases.count > XB_MOST_RUNS)
    return xb_report_error(XB_EXIT_USAGE, "diff: --base: %zu files, at most %d", given->bases.count, (int)XB_MOST_RUNS);
  const int code = take_words(given, words);
  if (code >= 0)
    return code;
  if (given->again)
    given->now = given->run.in->options.json;
  const char *const *bases = given->bases.count ? (const char *const *)given->bases.texts : &given->base;
  for (size_t i = 0; i == 0 || i < given->bases.count; i++) {
    if (given->again && given->now && xb_same_file(given->now, bases[i]))
      return xb_report_error(XB_EXIT_USAGE, "--json: '%s' is the base: name another file", given->now);
    if (given->json && (xb_same_file(given->json, bases[i]) || (given->now && xb_same_file(given->json, given->now))))
      return xb_report_error(XB_EXIT_USAGE, "--json: '%s' is one of the compared files: name another file",
                             given->json);
    for (size_t k = 0; k < i; k++)
      if (xb_same_file(bases[i], bases[k]))
        return xb_report_error(XB_EXIT_USAGE, "--base: '%s' is given twice: name another run", bases[i]);
  }
  given->diff = (xb_diff){.threshold = given->threshold,
                          .seed = given->seed,
                          .min_decided = given->min_decided,
                          .fail_on_unclear = given->fail_on == 1,
                          .may_go = given->may_go,
                          .any_may_go = given->force};
  return -1;
}

static const char USAGE[] = "[OPTION...] BASE.json NEW.json\n"
                            "       xbench diff [OPTION...] BASE.json --again -- ARGS...\n"
                            "       xbench diff [OPTION...] --base A.json --base B.json NEW.json";
/* ---- Conditions ------------------------------------------------------------------------------------------------- */

/* The number of differences that the command line does not allow. */
static size_t refused(diff_command *given)
{
  return given->force ? 0 : given->diff.difference_count - (given->across ? given->diff.of_compilers : 0);
}

/* Reports different conditions in one line, the first ones in full. */
static int refuse_differences(diff_command *given)
{
  const size_t count = refused(given);
  const bool only_compilers = !given->across && count == given->diff.of_compilers;
  enum { TOLD = 3 };
  char text[1600] = "", benchmark[64];
  size_t at = 0;
  for (size_t i = 0; i < count && i < TOLD; i++) {
    const xb_difference *d = &given->diff.differences[i];
    at += (size_t)snprintf(text + at, sizeof text - at, "%sother %s of %s (base: %s; new: %s)", i ? ", " : "", d->what,
                           xb_safe_text(d->benchmark, benchmark, sizeof benchmark), d->base, d->now);
  }
  if (count > TOLD)
    snprintf(text + at, sizeof text - at, ", and %zu more", count - TOLD);
  return xb_report_error(XB_EXIT_USAGE, "diff: not measured alike: %s; %s", text,
                         only_compilers ? "build both with the same compiler, or compare with --across compiler"
                                        : "measure both with the same options on the same device, or compare the "
                                          "common cells with --force");
}

/* All functions from here on return -1 on success; otherwise the error has been reported and this is the exit code. */
static int load_document(const char *path, const xb_document **document)
{
  xb_error error;
  return xb_report_refusal(xb_document_load(path, document, &error), &error);
}

static int check_conditions(diff_command *given)
{
  xb_error error;
  const int code = xb_report_refusal(xb_diff_conditions(&given->diff, &error), &error);
  return code < 0 && refused(given) ? refuse_differences(given) : code;
}

/* All runs of BASE have to be measured alike; else nothing is measured. */
static int load(diff_command *given)
{
  int code = load_document(given->base, &given->diff.base);
  for (size_t i = 1; i < given->bases.count && code < 0; i++) {
    code = load_document(given->bases.texts[i], &given->diff.more_bases[given->diff.more_base_count]);
    if (code < 0) {
      given->diff.now = given->diff.more_bases[given->diff.more_base_count++];
      code = check_conditions(given);
    }
    given->diff.now = NULL;
  }
  if (code >= 0)
    return code;
  return given->again ? xb_measure_first(&given->run, &given->diff.now) : load_document(given->now, &given->diff.now);
}

static int judge(diff_command *given)
{
  xb_error error;
  xb_diff_free(&given->diff);
  xb_code code = xb_diff_match(&given->diff, &error);
  if (!code)
    code = xb_diff_add_runs(&given->diff, &error);
  if (!code)
    code = xb_diff_judge(&given->diff, &error);
  return xb_report_refusal(code, &error);
}

static int compare(diff_command *given)
{
  int code = load(given);
  if (code < 0)
    code = check_conditions(given);
  if (code < 0)
    code = judge(given);
  while (code < 0 && given->again && given->diff.again_count < XB_MOST_AGAIN && given->diff.undecided) {
    code = xb_measure_again(&given->run, &given->diff);
    if (code < 0)
      code = judge(given);
  }
  if (code >= 0)
    return code;
  if (!given->diff.mean_count && !given->diff.counts[XB_CHANGE_FAILING] && !given->diff.counts[XB_CHANGE_UNCHANGED])
    return xb_report_error(XB_EXIT_USAGE, "diff: no cell has a time in both %s and %s: nothing was compared",
                           given->base, given->now ? given->now : "the run");
  return -1;
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static int show(diff_command *given, xb_output *json)
{
  char text[XB_DIFF_TEXT];
  const int code = xb_diff_exit_code(&given->diff);
  if (json->file) {
    json->out_of_memory |= !xb_diff_json(&given->diff, json->file);
    if (!xb_output_save(json) || !xb_output_commit(json))
      return XB_EXIT_USAGE;
  }
  if (!given->markdown)
    xb_fold_stdout();
  for (size_t i = 0; i < given->diff.more_base_count; i++)
    printf("base, too: %s%s", xb_diff_file(given->diff.more_bases[i], text), given->markdown ? "\n\n" : "\n");
  if (given->markdown)
    xb_diff_markdown(&given->diff);
  else
    xb_diff_table(&given->diff, xb_terminal_colours());
  if (code == XB_EXIT_WRONG || code == XB_EXIT_REGRESSION) {
    const size_t count = given->diff.counts[code == XB_EXIT_WRONG ? XB_CHANGE_FAILING : XB_CHANGE_REGRESSION];
    xb_report_error(code, "diff: %zu of %zu cells %s", count, given->diff.cell_count,
                    code == XB_EXIT_REGRESSION ? count == 1 ? "is slower" : "are slower"
                    : count == 1               ? "fails"
                                               : "fail");
  } else if (code == XB_EXIT_UNDECIDED && given->diff.gone && !given->diff.any_may_go) {
    char benchmark[64], variant[64];
    xb_report_error(
        code, "diff: %zu of %zu cells of the base %s missing: if that is meant, allow it with --may-go %s/%s%s",
        given->diff.gone, given->diff.timed, given->diff.gone == 1 ? "is" : "are",
        xb_safe_text(given->diff.first_gone->benchmark, benchmark, sizeof benchmark),
        xb_safe_text(given->diff.first_gone->variant, variant, sizeof variant), given->diff.gone > 1 ? ",..." : "");
  } else if (code == XB_EXIT_UNDECIDED && given->diff.fail_on_unclear && given->diff.counts[XB_CHANGE_UNCLEAR])
    xb_report_error(code, "diff: %zu of %zu cells are unclear, and --fail-on unclear allows none",
                    given->diff.counts[XB_CHANGE_UNCLEAR], given->diff.timed);
  else if (code == XB_EXIT_UNDECIDED)
    xb_report_error(code, "diff: %zu of %zu cells are decided, and --min-decided asks for %.3g %%", given->diff.decided,
                    given->diff.timed, 100 * given->diff.min_decided);
  return code;
}

/* Files of 'xbench isa' have no times: they are compared exactly. */
static int compare_code(diff_command *given)
{
  xb_output json;
  if (given->again || given->markdown || given->bases.count > 1)
    return xb_report_error(XB_EXIT_USAGE, "diff: %s was written by 'xbench isa', which has no %s", given->base,
                           given->again      ? "--again"
                           : given->markdown ? "--markdown"
                                             : "second --base");
  if (!xb_output_open(&json, given->json, XB_OUTPUT_OTHER))
    return XB_EXIT_USAGE;
  int code = xb_isa_diff(given->base, given->now, given->force || given->across, &json);
  if (code != XB_EXIT_USAGE && !xb_output_commit(&json))
    code = XB_EXIT_USAGE;
  xb_output_abandon(&json);
  return code;
}

static int run(xb_invocation *in)
{
  diff_command *given = in->own;
  if (xb_isa_is_document(given->base))
    return compare_code(given);
  xb_output json;
  int code = xb_output_open(&json, given->json, XB_OUTPUT_OTHER) ? compare(given) : XB_EXIT_USAGE;
  if (code < 0)
    code = show(given, &json);
  xb_output_abandon(&json);
  xb_document_free(given->diff.base);
  xb_document_free(given->diff.now);
  for (size_t i = 0; i < given->diff.again_count; i++)
    xb_document_free(given->diff.again[i]);
  for (size_t i = 0; i < given->diff.more_base_count; i++)
    xb_document_free(given->diff.more_bases[i]);
  xb_diff_free(&given->diff);
  return code;
}

static void end(void *own)
{
  diff_command *given = own;
  free(given->words);
}

const xb_subcommand xb_command_diff = {.name = "diff",
                                       .usage = USAGE,
                                       .options = options,
                                       .own_bytes = sizeof(diff_command),
                                       .take = take,
                                       .run = run,
                                       .end = end};
