#include "commands/run_in_child.h"

#include "base/exit_codes.h"
#include "base/whole_file.h"
#include "commands/subcommands.h"
#include "formats/output.h"
#include "os/child.h"
#include "os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is called, where its document goes, and where its errors go; NULL: they are shown. */
typedef struct call {
  xb_child_fn *fn;
  void *user;
  FILE *file, *errors;
} call;

/* In the other process: measures, and writes the results to the file; its table is not shown. */
static int measure(FILE *to, void *user)
{
  (void)to; /* the document is in a file */
  const call *c = user;
  char path[32];
  snprintf(path, sizeof path, "/dev/fd/%d", fileno(c->file));
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int nothing = open("/dev/null", O_WRONLY); /* stdout may be a stream that folds lines */
  if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || (c->errors && dup2(fileno(c->errors), STDERR_FILENO) < 0))
    return XB_EXIT_DEVICE;
  return c->fn(path, c->user);
}

int xb_run_to_file(const char *path, void *user)
{
  xb_options o = *(const xb_options *)user;
  o.json = path;
  o.in_child = true;
  return xb_command_run(&o);
}

static volatile sig_atomic_t stopped;

static void on_interrupt(int signal_number)
{
  (void)signal_number;
  stopped = 1;
}

/* Ctrl-C goes to both processes, and to compilers. The one that measures ends the run; this one waits for it. */
static int wait_for(xb_copy *copy, char why[XB_WHY])
{
  struct sigaction before;
  stopped = 0;
  sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, &before);
  const int status = xb_copy_end(copy);
  sigaction(SIGINT, &before, NULL);
  if (stopped)
    return XB_EXIT_INTERRUPTED;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  snprintf(why, XB_WHY, "the measurement was ended by signal %d", WTERMSIG(status));
  return XB_EXIT_DEVICE;
}

/* The last error of the other process, without the program's name before it. */
static void take_error(FILE *errors, char why[XB_WHY])
{
  char line[XB_WHY];
  rewind(errors);
  while (fgets(line, sizeof line, errors)) {
    line[strcspn(line, "\n")] = 0;
    const bool own = !strncmp(line, "xbench: ", 8);
    if (*line && (own || !*why))
      snprintf(why, XB_WHY, "%s", own ? line + 8 : line);
  }
}

static int call_apart(const call *c, char why[XB_WHY])
{
  xb_copy copy;
  xb_flush_stdout();
  if (xb_copy_start(&copy, measure, (void *)(uintptr_t)c))
    return wait_for(&copy, why);
  snprintf(why, XB_WHY, "no process can be started to measure in");
  return XB_EXIT_DEVICE;
}

/* Where no process can be copied: in this one, and quietly. A driver that crashes ends the program. The document is in
 * another file than `c->file`, which has no name there. */
static int call_here(const call *c, char path[XB_TEMPORARY_BYTES])
{
  const int file = xb_temporary_file(path, ""), shown_errors = c->errors ? dup(STDERR_FILENO) : -1;
  FILE *const shown = stdout, *hidden = xb_tmpfile();
  if (file < 0 || !hidden)
    return XB_EXIT_DEVICE;
  xb_flush_stdout();
  if (c->errors)
    dup2(fileno(c->errors), STDERR_FILENO);
  stdout = hidden;
  const int code = c->fn(path, c->user);
  stdout = shown;
  fclose(hidden);
  if (c->errors) {
    dup2(shown_errors, STDERR_FILENO);
    close(shown_errors);
  }
  close(file);
  return code;
}

/* As xb_call_in_child; `errors` NULL: they are shown. */
static int call_function(xb_child_fn *fn, void *user, char **bytes, size_t *count, FILE *errors, char why[XB_WHY])
{
  const call c = {fn, user, xb_tmpfile(), errors};
  char path[XB_TEMPORARY_BYTES] = "";
  *bytes = NULL;
  *count = 0;
  *why = 0;
  if (!c.file) {
    snprintf(why, XB_WHY, "%s", xb_temporary_why());
    return XB_EXIT_DEVICE;
  }
  const int code = XB_HAS_FORK ? call_apart(&c, why) : call_here(&c, path);
  const int file = XB_HAS_FORK ? dup(fileno(c.file)) : open(path, O_RDONLY | O_CLOEXEC); /* it may have been replaced */
  fclose(c.file);
  *bytes = file < 0 ? NULL : xb_read_some(file, SIZE_MAX - 1, count);
  if (file >= 0)
    close(file);
  if (*path)
    xb_temporary_remove(path);
  if (!*bytes || (!code && !*count))
    snprintf(why, XB_WHY, "%s", *bytes ? "the measurement wrote no results" : "out of host memory");
  /* A wrong result or a lost device is in the document. */
  return *bytes && *count && code != XB_EXIT_USAGE && code != XB_EXIT_INTERRUPTED ? -1 : code ? code : XB_EXIT_DEVICE;
}

/* The same of a run whose errors are shown; others have been reported. */
static int run_shown(const xb_options *options, char **bytes, size_t *count)
{
  char why[XB_WHY];
  xb_options o = *options;
  const int code = call_function(xb_run_to_file, &o, bytes, count, NULL, why);
  if (code >= 0 && *why)
    return xb_report_error(code, "diff: %s", why);
  if (code > 0)
    xb_exit_set_silent(code); /* by the process that measured */
  return code;
}

int xb_call_in_child(xb_child_fn *fn, void *user, char **bytes, size_t *count, char why[XB_WHY])
{
  FILE *errors = xb_tmpfile();
  const int code = call_function(fn, user, bytes, count, errors, why);
  if (errors) {
    take_error(errors, why);
    fclose(errors);
  }
  return code;
}

/* ---- The runs of xbench diff --again ----------------------------------------------------------------------------- */

int xb_parse_run_words(const char *const *words, xb_again *run)
{
  if (!words[0] || !words[1])
    return xb_report_error(XB_EXIT_USAGE, "diff: --again: expected a file and what to measure: xbench diff BASE.json "
                                          "--again -- reduce");
  *run = (xb_again){calloc(1, sizeof *run->in), !strcmp(words[1], "pair")};
  if (!run->in)
    return xb_report_error(XB_EXIT_DEVICE, "diff: --again: out of host memory");
  if (run->pair)
    return xb_read_words(run->in, &xb_command_pair, words + 2);
  const char *commands[XB_MOST_COMMANDS];
  for (size_t i = xb_command_names(commands); i-- > 0;)
    if (!strcmp(commands[i], words[1]))
      return xb_report_error(XB_EXIT_USAGE, "diff: --again: '%s': expected benchmarks to run, or pair", words[1]);
  return xb_read_words(run->in, &xb_command_main, words + 1);
}

/* ---- What is measured again ------------------------------------------------------------------------------------- */

/* True if an open cell is of this variant, of this type if it is not NULL, and has this many elements if not 0. */
static bool is_open(const xb_diff *diff, const xb_variant *v, const char *dtype, uint64_t size)
{
  for (size_t i = 0; i < diff->cell_count; i++) {
    const xb_result *r = diff->cells[i].now;
    if (xb_diff_is_open(&diff->cells[i]) && r->variant_number == v->number && !strcmp(r->variant_name, v->name) &&
        !strcmp(r->benchmark, v->benchmark->name) && (!dtype || !strcmp(r->dtype, dtype)) &&
        (!size || r->work.size == size))
      return true;
  }
  return false;
}

/* Leaves the variants, element types and sizes of the open cells. */
static void narrow(xb_choice *what, const xb_diff *diff)
{
  size_t variants = 0, dtypes = 0, sizes = 0;
  for (size_t i = 0; i < what->selected_count; i++)
    if (is_open(diff, what->selected[i].variant, NULL, 0))
      what->selected[variants++] = what->selected[i];
  what->selected_count = variants;
  for (size_t d = 0; d < what->dtype_count; d++)
    for (size_t i = 0; i < variants; i++)
      if (is_open(diff, what->selected[i].variant, xb_dtype_name(what->dtypes[d]), 0)) {
        what->dtypes[dtypes++] = what->dtypes[d];
        break;
      }
  what->dtype_count = dtypes;
  for (size_t s = 0; s < what->size_count; s++)
    for (size_t i = 0; i < variants; i++) {
      const xb_variant *v = what->selected[i].variant;
      const xb_size size = xb_size_for(what, v->benchmark, 0, s);
      if (is_open(diff, v, NULL, size.rows * size.columns)) {
        what->sizes[sizes++] = what->sizes[s];
        break;
      }
    }
  what->size_count = sizes;
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

static int load(const char *name, const char *bytes, size_t count, const xb_document **document)
{
  xb_error error;
  const xb_code code = xb_document_parse(name, bytes, count, document, &error);
  return xb_report_refusal(code, &error);
}

static int run_apart(const xb_again *run, const xb_options *options, uint64_t more_seed, char **bytes, size_t *count)
{
  char why[XB_WHY] = "";
  if (!run->pair)
    return run_shown(options, bytes, count);
  xb_pair_again again = {run->in, more_seed};
  const int code = xb_call_in_child(xb_command_pair_into, &again, bytes, count, why);
  return code >= 0 ? xb_report_error(code, "diff: %s", *why ? why : "the pair was not measured") : code;
}

int xb_measure_first(const xb_again *run, const xb_document **document)
{
  const xb_options *options = &run->in->options;
  xb_output json;
  char *bytes;
  size_t count;
  if (!xb_output_open(&json, options->json, XB_OUTPUT_RESULTS))
    return XB_EXIT_USAGE;
  int code = run_apart(run, options, 0, &bytes, &count);
  if (code < 0)
    code = load(options->json ? options->json : "measured now", bytes, count, document);
  if (code < 0 && json.file) {
    fwrite(bytes, 1, count, json.file);
    code = xb_output_save(&json) && xb_output_commit(&json) ? -1 : XB_EXIT_USAGE;
  }
  xb_output_abandon(&json);
  free(bytes);
  return code;
}

int xb_measure_again(const xb_again *run, xb_diff *diff)
{
  char *bytes, name[32];
  size_t count;
  xb_choice narrowed = run->pair ? (xb_choice){0} : *run->in->options.selection;
  xb_options o = run->in->options;
  narrow(&narrowed, diff);
  o.selection = &narrowed;
  o.csv = NULL;
  o.conditions.seed += 1 + diff->again_count;
  if (!o.quiet)
    fprintf(stderr, "%zu of %zu cells are slower, faster or unclear: remeasuring them (attempt %zu/%d)\n",
            diff->undecided, diff->cell_count, diff->again_count + 1, XB_MOST_AGAIN);
  int code = run_apart(run, &o, 1 + diff->again_count, &bytes, &count);
  snprintf(name, sizeof name, "run %zu", diff->again_count + 2);
  if (code < 0)
    code = load(name, bytes, count, &diff->again[diff->again_count]);
  diff->again_count += code < 0;
  free(bytes);
  return code;
}
