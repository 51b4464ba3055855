#include "commands/subcommands.h"

#include "result/json_file.h"

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

int xb_parse_command(int argc, const char **argv, int (**run)(void))
{
  xb_json_watch_memory();
  take_usual_words(argc, argv);
  const xb_subcommand *named = find(argc > 1 ? argv[1] : NULL), *command = named ? named : &xb_command_main;
  *run = command->run;
  const int code = xb_read_command_line(command->line, argc - !!named, argv + !!named);
  return code < 0 ? command->take(command->line->words) : code;
}
