#include "source/tokens.h"

#include "base/fnv.h"
#include "base/word_list.h"
#include "core/grow.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct reader {
  xb_tokens *tokens;
  const char *at;
  size_t line, left_out; /* nested #if in a part that #if 0 leaves out; 0: none */
  bool in_directive;
} reader;

static void add(reader *r, xb_token_kind kind, const char *text, size_t length)
{
  xb_tokens *t = r->tokens;
  if (r->left_out)
    return;
  if (!xb_grow(&t->list, &t->capacity, t->count, sizeof *t->list)) {
    t->out_of_memory = true;
    return;
  }
  t->list[t->count++] =
      (xb_token){.text = text, .length = length, .line = r->line, .kind = kind, .in_directive = r->in_directive};
}

static void move_to(reader *r, const char *end)
{
  for (; r->at < end; r->at++)
    r->line += *r->at == '\n';
}

static bool starts_name(char c)
{
  return isalpha((unsigned char)c) || c == '_';
}

static const char *end_of_name(const char *at)
{
  while (isalnum((unsigned char)*at) || *at == '_')
    at++;
  return at;
}

/* The end of a comment that begins at `at`, or `at`. */
static const char *end_of_comment(const char *at)
{
  if (!strncmp(at, "//", 2)) {
    while (*at && *at != '\n')
      at += at[0] == '\\' && at[1] ? 2 : 1;
  } else if (!strncmp(at, "/*", 2)) {
    const char *end = strstr(at + 2, "*/");
    at = end ? end + 2 : at + strlen(at);
  }
  return at;
}

/* A string, which may be a raw one, or a character. `at` is at its quotation mark. */
static void read_text(reader *r, bool raw)
{
  const char *begin = r->at + 1, *end = begin;
  const char quote = *r->at;
  if (raw) {
    char close[24] = ")";
    const char *open = memchr(begin, '(', strnlen(begin, sizeof close - 3));
    const size_t delimiter = open ? (size_t)(open - begin) : 0;
    if (open && !memchr(begin, '\n', delimiter)) {
      memcpy(close + 1, begin, delimiter);
      strcpy(close + 1 + delimiter, "\"");
      end = strstr(begin, close);
      end = end ? end + delimiter + 1 : begin + strlen(begin);
    }
  } else {
    while (*end && *end != quote && *end != '\n')
      end += end[0] == '\\' && end[1] ? 2 : 1;
  }
  add(r, XB_TOKEN_TEXT, begin, (size_t)(end - begin));
  move_to(r, *end == quote ? end + 1 : end);
}

/* A number: also 1'000, 0xffu, 1e-3f. */
static void read_number(reader *r)
{
  const char *end = r->at;
  while (isalnum((unsigned char)*end) || *end == '_' || *end == '.' ||
         (*end == '\'' && isalnum((unsigned char)end[1])) ||
         (strchr("+-", *end) && *end && strchr("eEpP", end[-1]) && strncmp(r->at, "0x", 2) != 0))
    end++;
  add(r, XB_TOKEN_NUMBER, r->at, (size_t)(end - r->at));
  r->at = end;
}

/* The name of a directive, and whether #if 0 leaves out what follows. */
static void read_directive(reader *r)
{
  const char *name = r->at + 1;
  name += strspn(name, " \t");
  const char *end = end_of_name(name);
  const size_t length = (size_t)(end - name);
  const bool is_if = !strncmp(name, "if", 2), ends = length == 5 && !strncmp(name, "endif", 5);
  const bool otherwise = !strncmp(name, "else", 4) || !strncmp(name, "elif", 4);
  r->in_directive = true;
  if (r->left_out) {
    r->left_out += is_if;
    r->left_out -= ends || (otherwise && r->left_out == 1);
  } else {
    add(r, XB_TOKEN_DIRECTIVE, name, length);
    const char *condition = end + strspn(end, " \t");
    if (!r->tokens->keeps_left_out && length == 2 && is_if && *condition == '0' &&
        !isalnum((unsigned char)condition[1]))
      r->left_out = 1;
  }
  r->at = end;
  if (length == 7 && !strncmp(name, "include", 7) && !r->tokens->keeps_left_out)
    r->at += strcspn(r->at, "\n");
}

static void read_name(reader *r)
{
  const char *end = end_of_name(r->at);
  while (!strncmp(end, "::", 2) && starts_name(end[2]))
    end = end_of_name(end + 2);
  const size_t length = (size_t)(end - r->at);
  const bool prefix = length <= 3 && (*end == '"' || *end == '\'');
  if (prefix) { /* of a string: R"(, u8" */
    const bool raw = end[-1] == 'R';
    r->at = end;
    read_text(r, raw && *end == '"');
    return;
  }
  add(r, XB_TOKEN_NAME, r->at, length);
  r->at = end;
}

/* `<<<`, also with blanks, behind a name or the `>` of template arguments. */
static const char *end_of_launch(const reader *r)
{
  const xb_tokens *t = r->tokens;
  const xb_token *before = t->count ? &t->list[t->count - 1] : NULL;
  const char *at = r->at;
  if (!before || (before->kind != XB_TOKEN_NAME && !xb_token_is(before, ">")))
    return NULL;
  for (int i = 0; i < 3; i++) {
    at += i ? strspn(at, " \t") : 0;
    if (*at++ != '<')
      return NULL;
  }
  return *at == '<' || *at == '=' ? NULL : at;
}

static void read_operator(reader *r)
{
  static const char *const longest[] = {"<<=", ">>=", "->*", "...", "->", "++", "--", "&&", "||", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=",  "|=", "^=", "==", "!=", "<=", ">=", "<<"};
  size_t length = 1;
  for (size_t i = 0; i < sizeof longest / sizeof *longest && length == 1; i++)
    if (*r->at == *longest[i] && !strncmp(r->at, longest[i], strlen(longest[i])))
      length = strlen(longest[i]);
  const char *launch = end_of_launch(r);
  if (launch) {
    add(r, XB_TOKEN_LAUNCH, r->at, 3);
    move_to(r, launch);
    return;
  }
  add(r, XB_TOKEN_OPERATOR, r->at, length);
  r->at += length;
}

static size_t *first_alike(const xb_tokens *t, const char *text, size_t length)
{
  const char *part = text + length;
  while (part > text && part[-1] != ':')
    part--;
  return &t->alike[t->count ? xb_fnv1a(XB_FNV_START, part, (size_t)(text + length - part)) % t->count : 0];
}

size_t xb_token_alike(const xb_tokens *tokens, const char *text, size_t length)
{
  return tokens->alike ? *first_alike(tokens, text, length) : 0;
}

static void link_alike(xb_tokens *t)
{
  t->alike = calloc(t->count + 1, sizeof *t->alike);
  t->out_of_memory |= !t->alike;
  for (size_t i = t->count; t->alike && i-- > 0;) {
    size_t *first = first_alike(t, t->list[i].text, t->list[i].length);
    t->list[i].alike = *first;
    *first = i + 1;
  }
}

static void find_first(xb_tokens *t)
{
  const size_t slot_count = 2 * t->count + 1;
  size_t *slots = calloc(slot_count, sizeof *slots); /* first tokens, and one more; 0: free */
  t->out_of_memory |= !slots;
  for (size_t i = 0; slots && i < t->count; i++) {
    xb_token *token = &t->list[i];
    size_t at = xb_fnv1a(XB_FNV_START, token->text, token->length) % slot_count;
    while (slots[at] && !xb_token_equals(&t->list[slots[at] - 1], token))
      at = (at + 1) % slot_count;
    slots[at] = slots[at] ? slots[at] : i + 1;
    token->first = slots[at] - 1;
  }
  free(slots);
}

/* Brackets of directives close each other, and the others do. */
static void close_brackets(xb_tokens *t)
{
  size_t open[2] = {0}; /* of each kind, the innermost one, and one more; `close` leads from it to the one around it */
  for (size_t i = 0; i < t->count; i++) {
    xb_token *token = &t->list[i];
    if (token->kind != XB_TOKEN_OPERATOR || token->length != 1)
      continue;
    size_t *innermost = &open[token->in_directive];
    if (strchr("([{", *token->text)) {
      token->close = *innermost;
      *innermost = i + 1;
    } else if (strchr(")]}", *token->text) && *innermost) {
      xb_token *opened = &t->list[*innermost - 1];
      *innermost = opened->close;
      opened->close = i;
    }
  }
  for (size_t k = 0; k < 2; k++)
    for (size_t i = open[k]; i;) {
      xb_token *unclosed = &t->list[i - 1];
      i = unclosed->close;
      unclosed->close = t->count - 1;
    }
}

void xb_tokens_read(xb_tokens *tokens, const char *text)
{
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, as editors of Windows write it */
  reader r = {.tokens = tokens, .at = strncmp(text, mark, strlen(mark)) ? text : text + strlen(mark), .line = 1};
  bool first = true; /* in its line */
  while (*r.at) {
    const char c = *r.at, *comment = end_of_comment(r.at);
    if (comment > r.at) {
      if (tokens->keeps_comments)
        add(&r, XB_TOKEN_COMMENT, r.at, (size_t)(comment - r.at));
      for (const char *p = r.at; tokens->comments && p < comment; p++)
        if (*p != '\n')
          tokens->comments[p - text] = ' ';
      move_to(&r, comment);
    } else if (c == '\n') {
      r.in_directive = r.in_directive && r.at > text && r.at[-1] == '\\';
      first = true;
      move_to(&r, r.at + 1);
    } else if (isspace((unsigned char)c) || c == '\\') {
      r.at++;
    } else if (c == '#' && first) {
      read_directive(&r);
      first = false;
    } else {
      first = false;
      if (starts_name(c))
        read_name(&r);
      else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)r.at[1])))
        read_number(&r);
      else if (c == '"' || c == '\'')
        read_text(&r, false);
      else
        read_operator(&r);
    }
  }
  close_brackets(tokens);
  link_alike(tokens);
  find_first(tokens);
  tokens->lines = r.line - (r.at == text || r.at[-1] == '\n'); /* nothing follows the last one */
}

bool xb_tokens_keep(xb_tokens *t, const bool *keep)
{
  size_t count = 0;
  for (size_t i = 0; i < t->count; i++)
    if (keep[i])
      t->list[count++] = t->list[i];
  t->count = count;
  free(t->alike);
  close_brackets(t);
  link_alike(t);
  find_first(t);
  return !t->out_of_memory;
}

void xb_tokens_free(xb_tokens *tokens)
{
  free(tokens->list);
  free(tokens->alike);
  *tokens = (xb_tokens){0};
}

/* ---- Looking at tokens ------------------------------------------------------------------------------------------ */

bool xb_token_is(const xb_token *token, const char *text)
{
  return token->length == strlen(text) && !memcmp(token->text, text, token->length);
}

bool xb_token_in(const xb_token *token, const char *list)
{
  return xb_is_listed(list, token->text, token->length);
}

bool xb_token_equals(const xb_token *a, const xb_token *b)
{
  return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

bool xb_token_ends(const xb_token *token, const char *text)
{
  const size_t length = strlen(text);
  return token->kind == XB_TOKEN_NAME && token->length >= length &&
         !memcmp(token->text + token->length - length, text, length) &&
         (token->length == length || token->text[token->length - length - 1] == ':');
}

bool xb_token_has(const xb_token *token, const char *word)
{
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= token->length; i++)
    if (!strncasecmp(token->text + i, word, length))
      return true;
  return false;
}

bool xb_token_has_small(const xb_token *token)
{
  for (size_t i = 0; i < token->length; i++)
    if (islower((unsigned char)token->text[i]))
      return true;
  return false;
}

const xb_token *xb_token_at(const xb_tokens *tokens, size_t at)
{
  static const xb_token none = {.text = "", .kind = XB_TOKEN_OPERATOR};
  return at < tokens->count ? &tokens->list[at] : &none;
}

size_t xb_token_open(const xb_tokens *tokens, size_t at, const char *open, const char *close)
{
  const size_t end = at > XB_TOKEN_REACH ? at - XB_TOKEN_REACH : 0;
  for (size_t depth = 0; at > end; at--) {
    depth += xb_token_is(&tokens->list[at], close);
    if (xb_token_is(&tokens->list[at], open) && --depth == 0)
      return at;
  }
  return 0;
}

size_t xb_token_reach(const xb_tokens *tokens, size_t at)
{
  return tokens->count > at + XB_TOKEN_REACH ? at + XB_TOKEN_REACH : tokens->count;
}

size_t xb_token_find(const xb_tokens *tokens, size_t at, size_t end, const char *list)
{
  const size_t reach = xb_token_reach(tokens, at);
  end = end < reach ? end : reach;
  while (at < end && !xb_token_in(&tokens->list[at], list))
    at++;
  return at;
}

size_t xb_token_find_back(const xb_tokens *tokens, size_t at, const char *list)
{
  const size_t first = at > XB_TOKEN_REACH ? at - XB_TOKEN_REACH : 0;
  while (at > first && !xb_token_in(&tokens->list[at - 1], list))
    at--;
  return at;
}

size_t xb_token_angle(const xb_tokens *tokens, size_t at)
{
  size_t depth = 0;
  for (size_t i = at; i < xb_token_reach(tokens, at) && !xb_token_is(&tokens->list[i], ";"); i++) {
    depth += xb_token_is(&tokens->list[i], "<");
    if (xb_token_is(&tokens->list[i], ">") && --depth == 0)
      return i;
  }
  return at;
}

size_t xb_token_close(const xb_tokens *tokens, size_t open)
{
  const xb_token *t = xb_token_at(tokens, open);
  const bool opens = t->kind == XB_TOKEN_OPERATOR && t->length == 1 && strchr("([{", *t->text);
  return opens ? t->close : tokens->count - (tokens->count > 0);
}
