#include "commands/subcommands.h"

#include "commands/help.h"
#include "result/json_file.h"

#include <stdio.h>
#include <string.h>

static const xb_subcommand *const all[] = {
    &xb_command_compare, &xb_command_diff,  &xb_command_doctor,    &xb_command_glossary, &xb_command_guide,
    &xb_command_isa,     &xb_command_list,  &xb_command_occupancy, &xb_command_pair,     &xb_command_peaks,
    &xb_command_report,  &xb_command_scale, &xb_command_share,     &xb_command_show,     &xb_command_tune};
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

/* Sets `rest` to the words that are not options. */
static int read_as(const xb_subcommand *c, bool within, int argc, const char **argv, const char *const **rest)
{
  static xb_command_line lines[2]; /* popt keeps a pointer; the second is within the first */
  static char names[2][32];
  xb_command_line *line = &lines[within];
  snprintf(names[within], sizeof names[within], "xbench%s%s", *c->name ? " " : "", c->name);
  line->name = names[within];
  line->usage = c->usage;
  line->where = c->where ? c->where : "";
  line->options = c->options;
  line->more = c->more;
  line->bit = c->bit;
  const int code = xb_read_command_line(line, argc, argv);
  *rest = line->words;
  return code;
}

int xb_read_words(const xb_subcommand *command, const char *const *words, const char *const **rest)
{
  enum { MOST_WORDS = 256 };
  const char *argv[MOST_WORDS + 1] = {"xbench"};
  int argc = 1;
  for (; *words && argc < MOST_WORDS; words++)
    argv[argc++] = *words;
  return *words ? xb_report_error(XB_EXIT_USAGE, "more than %d words after --", MOST_WORDS - 1)
                : read_as(command, true, argc, argv, rest);
}

int xb_parse_command(int argc, const char **argv, int (**run)(void))
{
  const char *const *rest;
  xb_json_watch_memory();
  if (argc == 3 && !strcmp(argv[1], "help") && !strcmp(argv[2], "measuring")) {
    xb_print_measuring();
    return XB_EXIT_OK;
  }
  take_usual_words(argc, argv);
  const xb_subcommand *named = find(argc > 1 ? argv[1] : NULL), *command = named ? named : &xb_command_main;
  *run = command->run;
  const int code = read_as(command, false, argc - !!named, argv + !!named, &rest);
  return code < 0 ? command->take(rest) : code;
}
