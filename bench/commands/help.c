#include "commands/help.h"

#include "base/fold.h"
#include "base/terminal.h"
#include "commands/subcommands.h"

#include <stdio.h>
#include <string.h>

/* docs/using.md has the same texts: a test compares them. */
static const struct {
  const char *group; /* NULL: that of the command before */
  const char *name, *purpose, *examples[2];
} commands[] = {
    {"measure",
     "",
     "run GPU algorithms through CUDA, Vulkan and Direct3D 12, check the results, and time them",
     {"xbench reduce copy/2", "xbench --backend vulkan -n 2^16..2^24 transpose/5 --json new.json"}},
    {NULL,
     "compare",
     "measure, and print ratios with 95 % intervals and verdicts",
     {"xbench compare reduce/9", "xbench compare reduce/9 --against reduce/cub"}},
    {NULL,
     "tune",
     "find the fastest configuration on each API",
     {"xbench tune matmul/5", "xbench tune --strategy random --time-limit 60 saxpy.json"}},
    {NULL,
     "peaks",
     "measure the limits of a device: memory, latency, instructions",
     {"xbench peaks", "xbench peaks --backend vulkan --json peaks.json"}},
    {NULL,
     "occupancy",
     "show how many groups a multiprocessor holds",
     {"xbench occupancy reduce/9", "xbench occupancy --for sm_90 --registers 32 --shared 8Ki --block 256"}},
    {NULL,
     "scale",
     "measure on a growing number of devices or MPI ranks",
     {"xbench scale triad/2", "xbench scale --kind weak --members 1,2,4 -n 2^24 allreduce/1"}},
    {NULL,
     "list",
     "list devices and benchmarks, or the variants of a benchmark",
     {"xbench list reduce", "xbench list devices --long"}},
    {NULL,
     "doctor",
     "check drivers, compilers and clocks; print what to change",
     {"xbench doctor", "xbench doctor --color never"}},
    {"port CUDA to HLSL",
     "guide",
     "look up the porting guide; scan CUDA sources for traps",
     {"xbench guide --scan softmax.cu", "xbench guide __shfl_sync"}},
    {NULL,
     "show",
     "print the CUDA and HLSL sources of a variant side by side",
     {"xbench show reduce/7", "xbench show reduce/7 --host"}},
    {"check your own kernels",
     "pair",
     "check a CUDA kernel against its HLSL port, and time both",
     {"xbench pair saxpy.cu saxpy.hlsl --in x --inout y --arg n --arg a=0.5f",
      "xbench pair --init saxpy.cu saxpy.hlsl"}},
    {NULL,
     "isa",
     "print registers, spills and machine code, without the GPU",
     {"xbench isa --for gfx1100,sm_90 reduce/9", "xbench isa --text --for here reduce/9"}},
    {"use results",
     "diff",
     "find what became slower between two result files",
     {"xbench diff base.json new.json", "xbench diff base.json --again -- reduce/9"}},
    {NULL,
     "report",
     "turn result files into an HTML file with charts and tables",
     {"xbench report new.json -o report.html", "xbench report --base old.json new.json -o report.html"}},
    {NULL,
     "share",
     "print a summary to paste, and write an anonymous copy",
     {"xbench share new.json", "xbench share --dry-run new.json"}},
    {NULL, "glossary", "explain the terms of tables and remarks", {"xbench glossary", "xbench glossary outlier"}},
};
enum { COMMANDS = sizeof commands / sizeof *commands, NAME_WIDTH = 29, NARROW = 60, MOST_WIDTH = 100 };

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
  const bool repeats = o->kind == XB_OPT_TEXTS || o->kind == XB_OPT_ORDERED;
  const int length = snprintf(name, sizeof name, "  %s--%s%s%s", o->letter ? letter : "    ", o->name,
                              !o->value ? ""
                              : repeats ? " "
                                        : "=",
                              o->value ? o->value : "");
  const size_t indent = width() < NARROW ? 6 : NAME_WIDTH + 1;
  const bool apart = length + 2 > (int)indent && width() < SIZE_MAX && !xb_terminal_is_wide();
  printf("%s", name);
  printf(apart ? "\n%*s" : "%*s", (int)(apart ? indent : length < NAME_WIDTH ? indent - (size_t)length : 2), "");
  print_wrapped(o->help, indent, indent);
}

/* Two tables: a command without options of its own has those of a run only. */
static const xb_option *own_of(const xb_command_line *line)
{
  static const xb_option none[] = {{0}};
  return line->options == xb_run_options ? none : line->options;
}

static bool measures(const xb_command_line *line)
{
  return line->options == xb_run_options || line->more == xb_run_options;
}

static void print_own(const xb_command_line *line)
{
  printf("\nOptions:\n");
  for (const xb_option *o = own_of(line); o->name; o++)
    print_option(o);
  for (const xb_option *o = xb_run_options; measures(line) && o->name; o++)
    if (o->only_for & line->bit)
      print_option(o);
}

/* Those of a run, by name or in full. */
static void print_shared(const xb_command_line *line)
{
  char names[1024] = "";
  printf("\nOptions of measuring (xbench help measuring):\n");
  for (const xb_option *o = xb_run_options; o->name; o++) {
    const size_t length = strlen(names);
    if ((o->not_for & line->bit) || o->only_for)
      continue;
    if (xb_terminal_is_wide())
      print_option(o);
    else
      snprintf(names + length, sizeof names - length, "%s--%s", length ? " " : "", o->name);
  }
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
  if (own_of(line)->name || (line->bit & XB_FOR_COMPARE))
    print_own(line);
  if (measures(line))
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
