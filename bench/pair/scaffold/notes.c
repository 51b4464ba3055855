/* What stands above lines of the output: what the porting guide says about them, and what a reader of tokens cannot be
 * sure of. */
#include "guide/rows.h"
#include "pair/scaffold/scaffold.h"

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
      fprintf(out, "#error not translated, and the guide has no row for it: ");
    print_plain(n->text, out);
  }
}

void xb_scaffold_print_notes(xb_scaffold *s, size_t line, FILE *out)
{
  print_notes(s, line, true, out);
  print_notes(s, line, false, out);
}

/* ---- Doubts: a mask whose value is unknown, a barrier that perhaps not all threads reach ------------------------ */

enum { MOST_VARYING = 128 };

typedef struct varying {
  const xb_scaffold *s;
  const xb_token *names[MOST_VARYING]; /* variables that differ between the threads of a group */
  size_t count;
} varying;

static bool is(const xb_scaffold *s, size_t at, const char *words)
{
  return xb_token_in(xb_token_at(&s->tokens, at), words);
}

static bool varies(const varying *v, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++) {
    const xb_token *t = &v->s->tokens.list[i];
    if (is(v->s, i, "threadIdx") || (t->kind == XB_TOKEN_NAME && !strncmp(t->text, "atomic", 6)))
      return true;
    for (size_t k = 0; k < v->count; k++)
      if (xb_token_equals(t, v->names[k]))
        return true;
  }
  return false;
}

/* One behind the statement at `at`. */
static size_t end_of_statement(const xb_scaffold *s, size_t at, size_t end)
{
  if (is(s, at, "{"))
    return xb_token_close(&s->tokens, at) + 1;
  for (const size_t reach = xb_token_reach(&s->tokens, at); at < end && at < reach && !is(s, at, ";");)
    at = is(s, at, "( { [") ? xb_token_close(&s->tokens, at) + 1 : at + 1;
  return at + 1;
}

/* Twice, as a loop may assign what stands before it. */
static void find_varying(varying *v, size_t begin, size_t end)
{
  for (size_t i = begin; i < 2 * end - begin; i++) {
    const size_t at = i < end ? i : i - (end - begin);
    const xb_token *name = &v->s->tokens.list[at];
    size_t to = at + 2;
    if (name->kind != XB_TOKEN_NAME || !is(v->s, at + 1, "= += -= *= /= %= &= |= ^="))
      continue;
    while (to < end && to < at + XB_TOKEN_REACH && !is(v->s, to, "; , )"))
      to = is(v->s, to, "( [ {") ? xb_token_close(&v->s->tokens, to) + 1 : to + 1;
    if (varies(v, at + 2, to) && !varies(v, at, at + 1) && v->count < MOST_VARYING)
      v->names[v->count++] = name;
  }
}

void xb_scaffold_doubt_barriers(xb_scaffold *s, size_t begin, size_t end)
{
  varying v = {.s = s};
  size_t next = begin, branch = begin,
         returned = end; /* `next`: return; barriers up to the one, and from the other on, have their doubt */
  find_varying(&v, begin, end);
  for (size_t i = begin; i < end; i++) {
    if (!is(s, i, "if for while switch") || !is(s, i + 1, "("))
      continue;
    const size_t close = xb_token_close(&s->tokens, i + 1);
    size_t to = end_of_statement(s, close + 1, end);
    if (!varies(&v, i + 2, close < i + XB_TOKEN_REACH ? close : i + XB_TOKEN_REACH))
      continue;
    while (is(s, to, "else"))
      to = end_of_statement(s, to + 1, end);
    for (size_t at = close > branch ? close : branch; at < to; at++)
      if (is(s, at, "__syncthreads"))
        xb_scaffold_doubt(s, at,
                          "do all threads of the group reach this barrier? HLSL needs that: move it out of the branch, "
                          "or remove this line");
    branch = to > branch ? to : branch;
    for (next = next > close ? next : close; next < end && !is(s, next, "return");)
      next++;
    const bool left = next < to;
    for (size_t at = to; left && at < returned; at++)
      if (is(s, at, "__syncthreads"))
        xb_scaffold_doubt(s, at, "HLSL needs all threads at this barrier, but some returned before it");
    returned = left && to < returned ? to : returned;
  }
}

/* groupshared memory stands before its function: a size that the function declares is not there yet. */
void xb_scaffold_doubt_sizes(xb_scaffold *s, size_t function, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++)
    for (size_t k = begin > function + XB_TOKEN_REACH ? begin - XB_TOKEN_REACH : function;
         k < begin && s->tokens.list[i].kind == XB_TOKEN_NAME && is(s, i - 1, "[ * / + - ("); k++)
      if (xb_token_equals(&s->tokens.list[k], &s->tokens.list[i]) && is(s, k + 1, "="))
        xb_scaffold_doubt(s, begin, "the function declares the size of this array: declare it before the function");
}
