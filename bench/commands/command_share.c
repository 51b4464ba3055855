/* xbench share: what others may see of a result file. */
#include "base/safe_text.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "formats/formats.h"
#include "formats/output.h"
#include "result/document.h"
#include "share/share.h"

#include <stdlib.h>
#include <string.h>

typedef struct share_words {
  const char *file, *output;
  size_t format;
  bool dry_run;
  char name[PATH_MAX]; /* of the output if none is given: FILE.shared.json, in this folder */
} share_words;

static const xb_option options[] = {{"dry-run", 0, XB_OPT_FLAG, offsetof(share_words, dry_run),
                                     .help = "list what the shared file would contain, and write no file"},
                                    {"format", 0, XB_OPT_WORD, offsetof(share_words, format),
                                     "print ten lines of Markdown (default), or all rows as CSV",
                                     .value = "markdown|csv"},
                                    {"output", 'o', XB_OPT_FILE, offsetof(share_words, output),
                                     "the file to share (default: FILE.shared.json)", .value = "FILE"},
                                    {0}};

static int take(xb_invocation *in, const char *const *words)
{
  share_words *given = in->own;
  if (!words[0] || words[1])
    return xb_report_error(XB_EXIT_USAGE, "share: name one file that 'xbench --json FILE' wrote");
  const char *slash = strrchr(words[0], '/'), *name = slash ? slash + 1 : words[0], *dot = strrchr(name, '.');
  given->file = words[0];
  snprintf(given->name, sizeof given->name, "%.*s.shared.json", dot ? (int)(dot - name) : (int)strlen(name), name);
  if (!given->output)
    given->output = given->name;
  if (xb_same_file(given->file, given->output))
    return xb_report_error(XB_EXIT_USAGE, "share: the shared file would overwrite its source: give -o another name");
  return -1;
}

/* What is in the file, before it is written. */
static void print_contents(share_words *given, const xb_document *d, size_t replaced)
{
  fprintf(
      stderr,
      "The shared file %s: the names, drivers, limits and clocks of %zu device%s; the CPU's model, the system "
      "and the numbers of its kernel;\nversion, commit, compilers and their flags, and the date; %zu result%s with all "
      "samples%s",
      given->dry_run ? "would have" : "has", d->device_count, d->device_count == 1 ? "" : "s", d->result_count,
      d->result_count == 1 ? "" : "s", d->result_count ? ", of" : "");
  for (size_t i = 0; i < d->result_count; i++) {
    size_t first = 0; /* with this benchmark: older files have no list of benchmarks */
    while (strcmp(d->results[first].benchmark, d->results[i].benchmark) != 0)
      first++;
    if (first < i)
      continue;
    fputs(i ? ", " : " ", stderr);
    xb_print_safe(stderr, d->results[i].benchmark);
  }
  fprintf(stderr,
          ".\nIt has no UUIDs and no PCI addresses. Replaced in its texts: %zu paths and names of this machine and "
          "user.\n",
          replaced);
}

static int write_file(share_words *given, json_t *root)
{
  if (!xb_save_json(given->output, XB_OUTPUT_RESULTS, json_incref(root), 0))
    return XB_EXIT_USAGE;
  xb_print_safe(stderr, given->output);
  fputs(" is written: docs/results/README.md says where to send it.\n", stderr);
  return XB_EXIT_OK;
}

static int run(xb_invocation *in)
{
  share_words *given = in->own;
  const xb_document *document;
  xb_error error;
  size_t replaced;
  const int refused = xb_report_refusal(xb_document_load(given->file, &document, &error), &error);
  if (refused >= 0)
    return refused;
  json_t *root = xb_share_anonymous(document, &replaced);
  int code = root ? XB_EXIT_OK : xb_report_error(XB_EXIT_DEVICE, "share: out of host memory");
  if (!code) {
    print_contents(given, document, replaced);
    code = xb_share_print(document, given->format == 1) ? XB_EXIT_OK
                                                        : xb_report_error(XB_EXIT_DEVICE, "share: out of host memory");
  }
  if (!code && !given->dry_run)
    code = write_file(given, root);
  json_decref(root);
  xb_document_free(document);
  return code;
}

const xb_subcommand xb_command_share = {.name = "share",
                                        .usage = "[OPTION...] FILE.json",
                                        .where = "share: ",
                                        .options = options,
                                        .own_bytes = sizeof(share_words),
                                        .take = take,
                                        .run = run};
