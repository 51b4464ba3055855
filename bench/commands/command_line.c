#include "commands/command_line.h"

#include <stdlib.h>
#include <string.h>

/* The copies that popt made for the last command line. */
static void release(xb_command_line *line)
{
  for (const struct poptOption *o = line->options; o->longName || o->arg; o++) {
    const unsigned kind = o->argInfo & POPT_ARG_MASK;
    char **list = kind == POPT_ARG_ARGV ? *(char ***)o->arg : NULL;
    for (char **text = list; text && *text; text++)
      free(*text);
    free(kind == POPT_ARG_STRING ? *(char **)o->arg : (char *)list);
    if (kind == POPT_ARG_STRING)
      *(char **)o->arg = NULL;
    else if (kind == POPT_ARG_ARGV)
      *(char ***)o->arg = NULL;
    else if (kind == POPT_ARG_NONE)
      *(int *)o->arg = 0;
  }
  poptFreeContext(line->context);
}

int xb_read_command_line(xb_command_line *line, int argc, const char **argv)
{
  static const char *none[] = {NULL};
  int rc;
  release(line);
  if (strchr(line->name, ' '))
    argv[0] = line->name; /* what --help calls a command */
  line->context = poptGetContext(line->name, argc, argv, line->options, 0);
  if (!line->context)
    return xb_complain(XB_EXIT_DEVICE, "%sout of host memory", line->where);
  poptSetOtherOptionHelp(line->context, line->usage);
  line->value = 0;
  while ((rc = poptGetNextOpt(line->context)) > 0)
    line->value = rc;
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "%s%s: %s; '%s --help' lists the options", line->where,
                       poptBadOption(line->context, 0), poptStrerror(rc), line->name);
  line->words = poptGetArgs(line->context);
  line->words = line->words ? line->words : none;
  return -1;
}

bool xb_check_file(const char *option, const char *name)
{
  return !name || (*name && strcmp(name, "-") != 0) ||
         xb_mistake("%s: '%s': expected the name of a file (/dev/stdout is one)", option, name);
}
