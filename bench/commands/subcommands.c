#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fold.h"
#include "base/terminal.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "result/json_file.h"

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

static const struct {
  const char *group; /* NULL: that of the command before */
  const char *name, *purpose, *examples[2];
} commands[] = {
#define XB_COMMAND_HELP(group, name, purpose, first, second) {group, name, purpose, {first, second}},
#include "commands/help.def"
};
enum { HELPS = sizeof commands / sizeof *commands, NAME_WIDTH = 30, NARROW = 60, MOST_WIDTH = 100 };

static size_t width(void)
{
  const size_t most = xb_terminal_is_wide() ? SIZE_MAX : MOST_WIDTH;
  return xb_terminal_width() < most ? xb_terminal_width() : most;
}

/* Prints words from column `at` on; further rows begin at column `indent`. */
static void print_wrapped(const char *text, size_t at, size_t indent)
{
  for (const char *word = text; *word; word += strspn(word, " ")) {
    const size_t length = strcspn(word, " ");
    if (word > text && at + 1 + length > width()) {
      printf("\n%*s", (int)indent, "");
      at = indent;
    } else if (word > text) {
      putchar(' ');
      at++;
    }
    printf("%.*s", (int)length, word);
    at += length;
    word += length;
  }
  printf("\n");
}

static void print_option(const xb_option *o)
{
  char name[96];
  const char letter[] = {'-', o->letter, ',', ' ', 0};
  const char *before = !o->value ? "" : o->kind == XB_OPT_TEXTS || o->kind == XB_OPT_ORDERED ? " " : "=";
  const int indent = width() < NARROW ? 6 : NAME_WIDTH, gap = xb_terminal_is_wide() ? 2 : 0;
  const int length = snprintf(name, sizeof name, "  %s--%s%s%s", o->letter ? letter : "    ", o->name, before,
                              o->value ? o->value : "");
  if (length + 2 > indent && !gap)
    printf("%s\n%*s", name, indent, "");
  else
    printf("%-*s%*s", indent, name, length + 2 > indent ? gap : 0, "");
  print_wrapped(o->help, (size_t)indent, (size_t)indent);
}

/* Those of a run, by name or in full. */
static void print_shared(const xb_command_line *line)
{
  char names[1024] = "";
  printf("\nOptions of measuring (xbench help measuring):\n");
  for (const xb_option *o = xb_run_options; o->name; o++)
    if (!(o->not_for & line->bit) && !o->only_for && xb_terminal_is_wide())
      print_option(o);
    else if (!(o->not_for & line->bit) && !o->only_for)
      snprintf(names + strlen(names), sizeof names - strlen(names), "%s--%s", *names ? " " : "", o->name);
  if (*names) {
    printf("  ");
    print_wrapped(names, 2, 2);
  }
}

static void print_commands(void)
{
  for (size_t i = 0; i < HELPS; i++) {
    if (commands[i].group)
      printf("\nCommands to %s:\n", commands[i].group);
    if (*commands[i].name) {
      printf("  %-9s  ", commands[i].name);
      print_wrapped(commands[i].purpose, 13, 13);
    }
  }
  printf("\n'xbench help COMMAND' has the examples and options of a command; 'man xbench' has all.\n");
}

void xb_print_help(const xb_command_line *line, const xb_option *general)
{
  const char *command = line->name + strcspn(line->name, " "), *name = command + (*command == ' ');
  const bool only_run = !line->own.options, runs = line->run.options;
  size_t i = 0;
  xb_fold_stdout();
  while (strcmp(commands[i].name, name) != 0)
    i++;
  printf("%s: %s\n\nUsage: %s %s\n", line->name, commands[i].purpose, line->name, line->usage);
  if (!*name)
    printf("       xbench COMMAND [OPTION...] [ARGUMENT...]\n");
  printf("\nExamples:\n  %s\n  %s\n", commands[i].examples[0], commands[i].examples[1]);
  if (!*name)
    print_commands();
  if (!only_run || line->bit)
    printf("\nOptions:\n");
  for (const xb_option *o = line->own.options; !only_run && o->name; o++)
    print_option(o);
  for (const xb_option *o = xb_run_options; runs && o->name; o++)
    if (o->only_for & line->bit)
      print_option(o);
  if (runs)
    print_shared(line);
  printf("\nOptions of each command:\n");
  for (const xb_option *o = general; o->name; o++)
    print_option(o);
}

void xb_print_measuring(void)
{
  xb_fold_stdout();
  printf("Options of commands that measure. The help of a command names those that it takes.\n\n");
  for (const xb_option *o = xb_run_options; o->name; o++)
    print_option(o);
}
