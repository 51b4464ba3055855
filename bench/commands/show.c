/* xbench show: the sources of a pair, beside each other. */
#include "commands/show_options.h"
#include "commands/subcommands.h"
#include "exit_codes.h"
#include "report/results.h"
#include "show/html.h"
#include "show/terminal.h"
#include "show/text.h"

#include <signal.h>
#include <stdio.h>

static int print_text(const xb_show_options *o, const xb_show_view *view)
{
  xb_text_style style = {.width = xb_terminal_width(), .colours = xb_terminal_colours()};
  style.stacked = o->columns ? *o->columns == '1' : style.width < XB_TWO_COLUMNS_FROM;
  signal(SIGPIPE, SIG_DFL); /* a reader that has seen enough is no failure, and no file is at stake */
  xb_show_view_text(view, &style, stdout);
  return XB_EXIT_OK;
}

static int write_page(const xb_show_options *o, const xb_show_view *view)
{
  xb_output output;
  if (!xb_output_open(&output, o->html))
    return XB_EXIT_USAGE;
  xb_html_page(view, output.file);
  return xb_output_commit(&output) ? XB_EXIT_OK : XB_EXIT_USAGE;
}

int xb_command_show(int argc, const char **argv)
{
  static xb_show_view view;
  static xb_show_options o;
  int code = xb_parse_show(argc, argv, &o);
  if (code >= 0)
    return code;
  const xb_show_view_options wanted = {.headers = o.headers, .host = o.host, .before = o.diff ? &o.before : NULL};
  if (!xb_show_view_make(&view, &o.pair, &wanted))
    code = xb_complain(XB_EXIT_DEVICE, "out of host memory");
  else if (!view.shown[0] && !view.shown[1])
    code = xb_complain(XB_EXIT_UNAVAILABLE, "%s: nothing on this side: %s", o.pair.name, o.pair.reason);
  else
    code = o.html ? write_page(&o, &view) : print_text(&o, &view);
  xb_show_view_free(&view);
  return code;
}
