#include "formats/output.h"

#include "base/exit_codes.h"
#include "os/memory_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a file has, by its first bytes. */
typedef enum contents {
  CONTENTS_NONE, /* or it is no regular file */
  CONTENTS_RESULTS,
  CONTENTS_OWN,     /* another document of xbench's, a table, a page */
  CONTENTS_FOREIGN, /* such as a source or a manifest */
} contents;

static contents contents_of(const char *path)
{
  char text[128] = "";
  int from = 0, version;
  struct stat status;
  FILE *file = !stat(path, &status) && S_ISREG(status.st_mode) ? fopen(path, "r") : NULL;
  if (!file)
    return CONTENTS_NONE;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  sscanf(text, " { \"schema\" : \"xbench%n", &from);
  if (from)
    return sscanf(text + from, "/%d", &version) == 1 ? CONTENTS_RESULTS : CONTENTS_OWN;
  const bool own = *text == '<' || !strncmp(text, "benchmark,variant,", 18);
  return !*text ? CONTENTS_NONE : own ? CONTENTS_OWN : CONTENTS_FOREIGN;
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

bool xb_output_open(xb_output *output, const char *path, xb_output_kind kind)
{
  struct stat st;
  *output = (xb_output){.path = path, .to = XB_NOT_WRITTEN};
  if (!path)
    return true;
  if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
    xb_report_error(XB_EXIT_USAGE, "%s: is a directory; give the name of a file", path);
    return false;
  }
  const contents there = contents_of(path);
  if (there == CONTENTS_FOREIGN || (there == CONTENTS_RESULTS && kind != XB_OUTPUT_RESULTS)) {
    xb_report_error(XB_EXIT_USAGE, "%s: %s: give another name, or remove it first", path,
                    there == CONTENTS_FOREIGN ? "was not written by xbench" : "has results of 'xbench --json'");
    return false;
  }
  int error = xb_written_open(&output->to, path);
  if (!error) {
    output->file = xb_memory_open(&output->text, &output->length);
    error = output->file ? 0 : errno;
  }
  if (!error)
    return true;
  xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s; nothing was done", path, strerror(error));
  xb_output_abandon(output);
  return false;
}

/* ---- Saving ----------------------------------------------------------------------------------------------------- */

/* Updates `text`. */
static int flush(xb_output *output)
{
  if (fflush(output->file) || ferror(output->file))
    output->out_of_memory = true;
  return output->out_of_memory ? ENOMEM : output->length ? 0 : ENODATA; /* nothing would replace what is there */
}

static void tell(xb_output *output, int error, const char *and_then)
{
  const bool saved = output->to.in_part >= 0;
  if (!output->reported)
    xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s%s%s%s", output->path, strerror(error),
                    saved ? "; the last good save is in " : "", saved ? output->to.part : "", and_then);
  output->reported = true;
}

bool xb_output_save(xb_output *output)
{
  if (!output->file || !*output->to.place)
    return true;
  int error = flush(output);
  if (!error)
    error = xb_written_save(&output->to, output->text, output->length);
  if (error)
    tell(output, error, "; later results are not saved until a save succeeds");
  else
    output->reported = false;
  return !error;
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

static void release(xb_output *output)
{
  if (output->file)
    fclose(output->file);
  free(output->text);
  output->file = NULL;
  output->text = NULL;
}

bool xb_output_commit(xb_output *output)
{
  if (!output->file)
    return true;
  int error = flush(output);
  xb_flush_stdout(); /* stdout may be the same file */
  if (!error)
    error = xb_written_commit(&output->to, output->text, output->length);
  if (error == EPIPE) /* as on stdout: the reader has read what it wanted */
    error = 0;
  if (error)
    tell(output, error, "");
  xb_written_close(&output->to);
  release(output);
  return !error;
}

void xb_output_abandon(xb_output *output)
{
  release(output);
  xb_written_abandon(&output->to);
}
