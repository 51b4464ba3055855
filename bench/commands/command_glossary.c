/* xbench glossary: the words of tables and remarks, from the tables of docs/glossary.md and docs/using.md. */
#include "base/fold.h"
#include "base/word_list.h"
#include "blob.h"
#include "commands/subcommands.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_ENTRIES = 192 };

/* Of a table in Markdown. */
typedef struct entry {
  char word[96];
  const char *meaning;
  int length;
} entry;
typedef struct glossary {
  entry entries[MOST_ENTRIES];
  size_t count;
} glossary;

/* The columns of a row: "| word | meaning |". */
typedef struct glossary_words {
  char wanted[96]; /* "": all */
} glossary_words;

static void add(glossary *g, const char *row)
{
  const char *between = strstr(row, " | "), *end = strchr(row, '\n');
  entry *e = &g->entries[g->count];
  if (!between || !end || between > end || g->count == MOST_ENTRIES)
    return;
  *e = (entry){.meaning = between + 3, .length = (int)(end - between - 5)};
  for (const char *c = row + 2; c < between && strlen(e->word) + 1 < sizeof e->word; c++)
    if (*c != '`')
      e->word[strlen(e->word)] = *c;
  g->count++;
}

/* Those of the tables with this head. */
static void read_tables(glossary *g, const char *file, const char *head)
{
  const xb_blob *blob = xb_blob_find(file);
  const char *p = blob ? strstr((const char *)blob->data, head) : NULL;
  for (p = p ? p + strlen(head) : ""; *p == '|'; p = strchr(p, '\n') + 1)
    if (p[1] != '-')
      add(g, p);
}

/* True if the wanted words begin a word of the entry: "rung" in "ladder, rung", "settled" in "not settled". */
static bool fits(const glossary_words *given, const entry *e)
{
  const char *wanted = given->wanted;
  const size_t length = strlen(wanted);
  for (const char *at = e->word; *at; at++)
    if ((at == e->word || !isalnum((unsigned char)at[-1])) && !strncasecmp(at, wanted, length) &&
        (!length || !isalnum((unsigned char)at[length])))
      return true;
  return false;
}

static void print(const entry *e)
{
  printf("%s: ", e->word);
  for (int i = 0; i < e->length; i++)
    if (e->meaning[i] != '`')
      putchar(e->meaning[i]);
  printf("\n");
}

static int take(xb_invocation *in, const char *const *words)
{
  glossary_words *given = in->own;
  *given->wanted = 0;
  for (size_t at = 0; *words && at < sizeof given->wanted; words++)
    at += (size_t)snprintf(given->wanted + at, sizeof given->wanted - at, "%s%s", at ? " " : "", *words);
  return -1;
}

static int run(xb_invocation *in)
{
  glossary_words *given = in->own;
  glossary g = {.count = 0};
  const char *names[MOST_ENTRIES];
  size_t found = 0;
  read_tables(&g, "docs/glossary.md", "| word | meaning |\n");
  read_tables(&g, "docs/using.md", "| remark | meaning |\n");
  read_tables(&g, "docs/using.md", "| column | meaning |\n");
  read_tables(&g, "docs/using.md", "| column of other tables | meaning |\n");
  xb_fold_stdout();
  for (size_t i = 0; i < g.count; i++) {
    names[i] = g.entries[i].word;
    if (fits(given, &g.entries[i])) {
      print(&g.entries[i]);
      found++;
    }
  }
  if (found)
    return XB_EXIT_OK;
  const char *near = xb_nearest(given->wanted, names, g.count);
  return xb_report_error(XB_EXIT_USAGE,
                         "glossary: no table or remark has '%s'%s%s%s; 'xbench glossary' lists the words",
                         given->wanted, near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static const xb_option none[] = {{0}};
const xb_subcommand xb_command_glossary = {.name = "glossary",
                                           .usage = "[WORD...]",
                                           .where = "glossary: ",
                                           .options = none,
                                           .own_bytes = sizeof(glossary_words),
                                           .take = take,
                                           .run = run};
