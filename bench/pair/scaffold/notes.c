/* What the porting guide says about lines of the source. */
#include "pair/scaffold/carry.h"
#include "pair/scaffold/scaffold.h"

#include "guide/rows.h"

#include <stdio.h>
#include <string.h>

/* Phrases of a scan whose construct HLSL does not have, or has with another meaning. */
static bool is_refused(const char *finding)
{
  static const char *const phrases[] = {"extern __shared__", "pointer to a pointer", "function pointer",
                                        "volatile shared",   "launch in a kernel",   "__device__ variable",
                                        "/ warpSize",        "% warpSize",           "call of the runtime in a kernel"};
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
    if (!strcmp(finding, phrases[i]))
      return true;
  return false;
}

static void add(xb_scaffold *s, size_t line, const xb_guide_row *row, const char *word, bool error)
{
  static const xb_row_field fields[] = {XB_ROW_WRONG, XB_ROW_HLSL, XB_ROW_VULKAN};
  const char *text = row ? NULL : word;
  for (size_t i = 0; !text && i < sizeof fields / sizeof *fields; i++)
    text = row->field[fields[i]];
  text = text ? text : "";
  const char *name = row ? row->id : NULL;
  for (size_t i = 0; i < s->note_count; i++) {
    xb_scaffold_note *n = &s->notes[i];
    const bool same = name && n->row ? !strcmp(n->row, name) : name == n->row && !strcmp(n->text, text);
    if (!same || (n->line != line && (error || n->error))) /* a remark once, an error in each line */
      continue;
    n->error |= error;
    return;
  }
  if (s->note_count < XB_SCAFFOLD_NOTES)
    s->notes[s->note_count++] = (xb_scaffold_note){line, name, text, error};
}

/* The first row that a finding leads to, or that has this name. */
static const xb_guide_row *row_of(const char *word)
{
  size_t count;
  const xb_guide_row *rows = xb_guide_rows(&count);
  for (size_t i = 0; rows && i < count; i++)
    if (!rows[i].field[XB_ROW_WRONG] && (!strcmp(rows[i].id, word) || xb_guide_row_scans(&rows[i], word, true)))
      return &rows[i];
  return NULL;
}

bool xb_scaffold_has_row(const char *word)
{
  return row_of(word);
}

void xb_scaffold_refuse(xb_scaffold *s, size_t at, const char *word)
{
  const char *kept = xb_arena_text(s->arena, "%s", word);
  add(s, s->tokens.list[at].line, row_of(word), kept ? kept : "", true);
}

void xb_scaffold_doubt(xb_scaffold *s, size_t at, const char *text)
{
  const size_t line = s->tokens.list[at].line;
  for (size_t i = 0; i < s->note_count; i++)
    if (s->notes[i].line == line && !strcmp(s->notes[i].text, text))
      return;
  if (s->note_count < XB_SCAFFOLD_NOTES)
    s->notes[s->note_count++] = (xb_scaffold_note){line, "unsure", text, true};
}

/* A word that is not carried over was refused where it stands. */
void xb_scaffold_find_rows(xb_scaffold *s)
{
  size_t count;
  const xb_guide_row *rows = xb_guide_rows(&count);
  bool *wanted = xb_arena_take(s->arena, s->tokens.lines + 2, sizeof *wanted); /* of each line */
  for (size_t i = 0; wanted && i < s->tokens.count; i++)
    wanted[s->tokens.list[i].line] |= s->wanted[i];
  for (size_t r = 0; rows && wanted && r < count; r++)
    for (size_t i = 0; i < s->findings.count; i++) {
      const xb_finding *f = &s->findings.list[i];
      const bool error = is_refused(f->text) && !rows[r].field[XB_ROW_WRONG];
      if (!f->on_device || !xb_guide_row_scans(&rows[r], f->text, true))
        continue;
      for (size_t k = 0; k < f->count; k++)
        if (wanted[f->lines[k]])
          add(s, f->lines[k], &rows[r], f->text, error);
    }
}

/* The length of " [source]"; 0: it is none. */
static size_t source_at(const char *text)
{
  const size_t name = strncmp(text, " [", 2) ? 0 : strspn(text + 2, "abcdefghijklmnopqrstuvwxyz0123456789");
  return name && text[2 + name] == ']' ? name + 3 : 0;
}

/* Without marks of code and sources, and cut after some words: `xbench guide ROW` has the rest. */
static void print_plain(const char *text, FILE *out)
{
  enum { MOST = 150 };
  for (int written = 0; *text && (written < MOST || *text != ' '); text++) {
    const size_t source = source_at(text);
    if (source)
      text += source - 1;
    else if (*text != '`')
      written += fputc(*text, out) != EOF;
  }
  fputs(*text ? " ...\n" : "\n", out);
}

static void print_notes(xb_scaffold *s, size_t line, bool errors, FILE *out)
{
  for (size_t i = 0; i < s->note_count; i++) {
    xb_scaffold_note *n = &s->notes[i];
    if (n->line != line || n->error != errors)
      continue;
    n->line = 0;
    if (n->row)
      fprintf(out, "%s %s: ", n->error ? "#error" : "//", n->row);
    else
      fprintf(out, "#error not carried over, and the guide has no row for it: ");
    print_plain(n->text, out);
  }
}

void xb_scaffold_print_notes(xb_scaffold *s, size_t line, FILE *out)
{
  print_notes(s, line, true, out);
  print_notes(s, line, false, out);
}
