/* Parses a command line, with one word per line, and does not run it. An error message must have one line, without
 * control characters for a terminal. */
#include "base/exit_codes.h"
#include "commands/subcommands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_WORDS = 300 }; /* more than report accepts */

typedef struct command_line {
  const char *words[MAX_WORDS + 1];
  int count;
  bool help; /* popt prints it and leaves the process */
} command_line;

static bool asks_for_help(const char *word)
{
  return !strcmp(word, "help") || !strcmp(word, "-h") ||
         (*word == '-' && (strchr(word, '?') || !strncmp(word, "--help", 6) || !strncmp(word, "--usage", 7)));
}

/* Splits `text` into words. */
static void read_words(char *text, command_line *line)
{
  *line = (command_line){.words = {"xbench"}, .count = 1};
  for (char *word = text, *end; word && line->count < MAX_WORDS; word = end) {
    end = strchr(word, '\n');
    if (end)
      *end++ = 0;
    line->help |= asks_for_help(word);
    line->words[line->count++] = word;
  }
}

/* Code -1 prints nothing; an error prints one line. */
static void check_told(int code, const char *told, size_t length)
{
  const bool mistake = code == XB_EXIT_USAGE;
  if ((code != -1 && code != XB_EXIT_OK && !mistake) || strlen(told) != length || (length > 0) != mistake)
    abort();
  for (size_t i = 0; i < length; i++)
    if (((unsigned char)told[i] < 0x20 || told[i] == 0x7F) && !(told[i] == '\n' && i + 1 == length))
      abort();
  if (mistake && told[length - 1] != '\n')
    abort();
}

static void parse_and_check(command_line *line)
{
  FILE *const terminal = stderr;
  static xb_invocation in;
  char *told = NULL;
  size_t length;
  FILE *file = open_memstream(&told, &length);
  if (!file)
    return;
  stderr = file;
  const int code = xb_parse_command(&in, line->count, line->words);
  stderr = terminal;
  fclose(file);
  check_told(code, told, length);
  free(told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static command_line line;
  char *text = calloc(1, size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  read_words(text, &line);
  if (!line.help)
    parse_and_check(&line);
  free(text);
  return 0;
}
