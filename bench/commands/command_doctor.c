/* xbench doctor: what this machine has, lacks and holds back, and what to do about it. */
#include "base/fold.h"
#include "base/safe_text.h"
#include "commands/subcommands.h"
#include "doctor/doctor.h"
#include "table/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of the table of a topic. */
typedef struct line_row {
  const char *state, *arrow, *text;
} line_row;

XB_COLUMN_TEXT(said)
{
  char safe[XB_TABLE_TEXT - 8];
  const line_row *r = row;
  snprintf(out, XB_TABLE_TEXT, "%s%s", r->arrow, xb_safe_text(r->text, safe, sizeof safe));
}

/* At once: some findings take long. */
static void print_row(const char *state, const char *arrow, const char *text)
{
  xb_table s = {.indent = 2};
  xb_table_add(&s, (xb_column){"", 8, .left = true, .kind = XB_FIELD_TEXT});
  xb_table_add(&s, (xb_column){"", 1, .left = true, .text = said});
  xb_table_fit(&s);
  xb_table_print_row(&s, &(line_row){state, arrow, text});
}

void xb_doctor_say(xb_doctor *d, xb_finding finding, const char *topic, const char *advice, const char *format, ...)
{
  static const char *const states[] = {"ok", "remark", "MISSING", "BROKEN"};
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!d->topic || strcmp(d->topic, topic) != 0)
    printf("%s\n", topic);
  d->topic = topic;
  print_row(states[finding], "", text);
  if (advice && finding != XB_FOUND)
    print_row("", "-> ", advice);
  d->worst = finding > d->worst ? finding : d->worst;
}

typedef struct doctor_command {
  const char *const *other; /* the words of `doctor try API FIRST` */
  xb_doctor found;
} doctor_command;

static int take(xb_invocation *in, const char *const *given)
{
  const char *const **other = &((doctor_command *)in->own)->other;
  if (given[0] && !strcmp(given[0], "try") && given[1] && given[2] && !given[3]) {
    *other = given + 1;
    return -1;
  }
  return given[0] ? xb_report_error(XB_EXIT_USAGE, "doctor: '%s': it takes no names", given[0]) : -1;
}

static int run(xb_invocation *in)
{
  doctor_command *given = in->own;
  xb_doctor *d = &given->found;
  const char *root = getenv("XB_DOCTOR_ROOT");
  if (given->other) {
    xb_doctor_try_for_other(given->other[0], given->other[1]);
    return XB_EXIT_OK;
  }
  xb_fold_stdout();
  d->root = root ? root : "";
  xb_doctor_try(d);
  xb_take_inventory_without(d->crashed, &d->inventory);
  xb_doctor_machine(d);
  xb_doctor_gpus(d);
  xb_doctor_backends(d);
  xb_doctor_vulkan(d);
  xb_doctor_tools(d);
  xb_arena_free(&d->arena);
  printf("\n%s\n", d->worst == XB_BROKEN ? "Something is broken: do not trust results before it is repaired."
                   : d->worst == XB_MISSING
                       ? "Something is missing: a device or an API cannot be used without the parts marked MISSING."
                       : "No problem was found.");
  return d->worst == XB_BROKEN ? xb_report_error(XB_EXIT_DEVICE, "doctor: something is broken: see BROKEN above")
         : d->worst == XB_MISSING
             ? xb_report_error(XB_EXIT_UNAVAILABLE, "doctor: something is missing: see MISSING above")
             : XB_EXIT_OK;
}

static const xb_option none[] = {{0}};
const xb_subcommand xb_command_doctor = {.name = "doctor",
                                         .usage = "",
                                         .where = "doctor: ",
                                         .options = none,
                                         .own_bytes = sizeof(doctor_command),
                                         .take = take,
                                         .run = run};
