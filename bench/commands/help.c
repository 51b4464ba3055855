#include "commands/help.h"

#include "base/fold.h"
#include "base/terminal.h"
#include "commands/subcommands.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *group; /* NULL: that of the command before */
  const char *name, *purpose, *examples[2];
} commands[] = {
#define XB_COMMAND_HELP(group, name, purpose, first, second) {group, name, purpose, {first, second}},
#include "commands/help.def"
};
enum { COMMANDS = sizeof commands / sizeof *commands, NAME_WIDTH = 30, NARROW = 60, MOST_WIDTH = 100 };

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
  for (size_t i = 0; i < COMMANDS; i++) {
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
