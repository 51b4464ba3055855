#include "commands/subcommands.h"

#include "commands/help.h"
#include "result/json_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const xb_subcommand *const all[] = {
    &xb_command_calc,      &xb_command_compare, &xb_command_diff,  &xb_command_doctor,
    &xb_command_glossary,  &xb_command_guide,   &xb_command_isa,   &xb_command_list,
    &xb_command_occupancy, &xb_command_pair,    &xb_command_peaks, &xb_command_report,
    &xb_command_scale,     &xb_command_share,   &xb_command_show,  &xb_command_tune};
enum { COMMANDS = sizeof all / sizeof *all };
_Static_assert((int)COMMANDS <= (int)XB_MOST_COMMANDS, "each command has a place");

size_t xb_command_names(const char *names[XB_MOST_COMMANDS])
{
  for (size_t i = 0; i < COMMANDS; i++)
    names[i] = all[i]->name;
  return COMMANDS;
}

static const xb_subcommand *find(const char *name)
{
  for (size_t i = 0; name && i < COMMANDS; i++)
    if (!strcmp(all[i]->name, name))
      return all[i];
  return NULL;
}

/* Other programs have "help", "help COMMAND", "version", -h and -v. */
static void take_usual_words(int argc, const char **argv)
{
  const char *first = argc > 1 ? argv[1] : "";
  if (!strcmp(first, "version") || !strcmp(first, "-v"))
    argv[1] = "--version";
  if (!strcmp(first, "help") && argc > 2)
    argv[1] = argv[2];
  if (!strcmp(first, "help"))
    argv[argc > 2 ? 2 : 1] = "--help";
  for (int i = 1; i < argc && i < 3; i++)
    if (!strcmp(argv[i], "-h"))
      argv[i] = "--help";
}

/* Reads the options, and lets the command take the words that are none. */
static int read_as(xb_invocation *in, const xb_subcommand *c, int argc, const char **argv)
{
  xb_command_line *line = &in->line;
  if (in->command != c) {
    if (in->command && in->command->end)
      in->command->end(in->own);
    free(in->own);
    in->own = calloc(1, c->own_bytes + 1);
  }
  in->command = c;
  in->options.selection = &in->choice;
  snprintf(in->name, sizeof in->name, "xbench%s%s", *c->name ? " " : "", c->name);
  line->name = in->name;
  line->usage = c->usage;
  line->where = c->where ? c->where : "";
  line->own = (xb_option_table){c->options, in->own};
  line->run = (xb_option_table){c->runs ? xb_run_options : NULL, in};
  line->bit = c->bit;
  if (!in->own)
    return xb_report_error(XB_EXIT_DEVICE, "%sout of host memory", line->where);
  const int code = xb_read_command_line(line, argc, argv);
  return code < 0 ? c->take(in, line->words) : code;
}

int xb_read_words(xb_invocation *in, const xb_subcommand *command, const char *const *words)
{
  enum { MOST_WORDS = 256 };
  const char *argv[MOST_WORDS + 1] = {"xbench"};
  int argc = 1;
  for (; *words && argc < MOST_WORDS; words++)
    argv[argc++] = *words;
  return *words ? xb_report_error(XB_EXIT_USAGE, "more than %d words after --", MOST_WORDS - 1)
                : read_as(in, command, argc, argv);
}

int xb_parse_command(xb_invocation *in, int argc, const char **argv)
{
  xb_json_watch_memory();
  if (argc == 3 && !strcmp(argv[1], "help") && !strcmp(argv[2], "measuring")) {
    xb_print_measuring();
    return XB_EXIT_OK;
  }
  take_usual_words(argc, argv);
  const xb_subcommand *named = find(argc > 1 ? argv[1] : NULL);
  return read_as(in, named ? named : &xb_command_main, argc - !!named, argv + !!named);
}

int xb_run_command(xb_invocation *in)
{
  return in->command->run(in);
}
