/* A command line, one word a line. */
#include "commands/options.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_WORDS = 32 };

/* popt prints it and leaves the process. */
static bool asks_for_help(const char *word)
{
  return *word == '-' && (strchr(word, '?') || !strncmp(word, "--help", 6) || !strncmp(word, "--usage", 7));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *words[MAX_WORDS + 1] = {"xbench"};
  int count = 1;
  bool help = false;
  char *text = calloc(1, size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  for (char *word = text, *end; word && count < MAX_WORDS; word = end) {
    end = strchr(word, '\n');
    if (end)
      *end++ = 0;
    help |= asks_for_help(word);
    words[count++] = word;
  }
  xb_options options;
  if (!help)
    xb_parse_options(count, words, &options);
  xb_parse_options(1, words, &options); /* lets go of the text */
  free(text);
  return 0;
}
