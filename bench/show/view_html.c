#include "show/view.h"

#include "base/html_text.h"
#include "base/terminal.h"

#include <ctype.h>
#include <string.h>

/* ---- Style ------------------------------------------------------------------------------------------------------ */

/* Printing always uses the light colours. */
#define LIGHT                                                                                                          \
  "--xb-line: #d4d4d8; --xb-soft: #71717a; --xb-key: #0550ae; --xb-comment: #286a33; --xb-part: #1a4d24;\n"            \
  "  --xb-x: #f6d5f0; --xb-row: #faf1fa; --xb-note: #fff6d6; --xb-notex: #fbe08a; --xb-add: #e2f5e5;\n"                \
  "  --xb-cut: #fde6e4;"
#define DARK                                                                                                           \
  "--xb-line: #3f3f46; --xb-soft: #a1a1aa; --xb-key: #79b8ff; --xb-comment: #8ccf97; --xb-part: #b7e6bf;\n"            \
  "  --xb-x: #5c2a56; --xb-row: #271d2a; --xb-note: #2e2a17; --xb-notex: #5a4a10; --xb-add: #16321d;\n"                \
  "  --xb-cut: #3d1c1c;"

const char *xb_html_style(void)
{
  return ".xb-pair { " LIGHT " }\n"
         "@media (prefers-color-scheme: dark) { .xb-pair { " DARK " } }\n"
         "@media print { .xb-pair { " LIGHT " } }\n"
         ".xb-pair h2 { font-size: 1.25rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }\n"
         ".xb-pair h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; overflow-wrap: anywhere; }\n"
         ".xb-pair p { margin: 0 0 .5rem; max-width: 60rem; }\n"
         ".xb-pair .xb-legend { color: var(--xb-soft); }\n"
         ".xb-sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); column-gap: 1rem; }\n"
         ".xb-three { grid-template-columns: repeat(3, minmax(0, 1fr)); }\n"
         ".xb-side { display: grid; grid-template-columns: minmax(0, 1fr); }\n"
         ".xb-sides > div, .xb-side > div { min-width: 0; font: .78rem/1.5 ui-monospace, 'DejaVu Sans Mono', "
         "monospace;\n"
         "  font-variant-ligatures: none; }\n"
         ".xb-line { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr); overflow: clip; }\n"
         ".xb-pair code { font: inherit; }\n"
         ".xb-line code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; padding-left: 2ch; text-indent: "
         "-2ch; }\n"
         ".xb-n { color: var(--xb-soft); text-align: right; padding-right: .8ch; white-space: pre; user-select: none; "
         "}\n"
         ".xb-side > .xb-title, .xb-sides > .xb-title { display: none; font-weight: 600; overflow-wrap: anywhere;\n"
         "  border-bottom: 1px solid var(--xb-line); margin-bottom: .3rem; }\n"
         ".xb-first > .xb-title { display: block !important; }\n"
         ".xb-side > .xb-caption, .xb-sides > .xb-caption { color: var(--xb-soft); padding-left: 3.2rem;\n"
         "  min-height: 1.5em; overflow-wrap: anywhere; }\n"
         ".xb-differs { background: var(--xb-row); }\n"
         ".xb-note { background: var(--xb-note); }\n"
         ".xb-added { background: var(--xb-add); }\n"
         ".xb-removed { background: var(--xb-cut); }\n"
         ".xb-k { color: var(--xb-key); }\n"
         ".xb-c { color: var(--xb-comment); }\n"
         ".xb-p { color: var(--xb-part); font-weight: 700; }\n"
         ".xb-x { background: var(--xb-x); border-radius: 2px; }\n"
         ".xb-c.xb-x { background: var(--xb-notex); }\n"
         ".xb-pair table { border-collapse: collapse; max-width: 100%; }\n"
         ".xb-pair td { padding: .1rem 1.2rem .1rem 0; vertical-align: top; overflow-wrap: anywhere; white-space: "
         "normal;\n"
         "  border-bottom: 1px solid var(--xb-line); font: .78rem/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; }\n"
         "@media screen and (max-width: 899px) {\n"
         "  .xb-sides { grid-template-columns: minmax(0, 1fr); }\n"
         "  .xb-sides > .xb-l { order: 1; }\n"
         "  .xb-sides > .xb-r { order: 2; }\n"
         "  .xb-sides > .xb-t { order: 3; }\n"
         "  .xb-sides > .xb-none { display: none; }\n"
         "  .xb-sides > .xb-title { display: block; margin-top: .6rem; }\n"
         "}\n"
         "@media print {\n"
         "  .xb-sides > div, .xb-side > div { font-size: 6.5pt; break-inside: avoid; }\n"
         "  .xb-line { grid-template-columns: 2.2rem minmax(0, 1fr); }\n"
         "  .xb-line, .xb-x { print-color-adjust: exact; -webkit-print-color-adjust: exact; }\n"
         "}\n";
}

/* Keeps newlines and tabs. Invalid UTF-8 and control characters become U+FFFD. */
static void print_source(const char *text, size_t length, FILE *out)
{
  for (size_t i = 0; i < length;) {
    const xb_glyph g = xb_glyph_at(text + i, length - i);
    if (g.bytes == 1 && (!g.instead || text[i] == '\n' || text[i] == '\t'))
      xb_html_char(out, text[i]);
    else if (g.instead)
      fputs("&#xfffd;", out);
    else
      fwrite(text + i, 1, g.bytes, out);
    i += g.bytes;
  }
}

static void print_text(const char *before, const char *text, const char *behind, FILE *out)
{
  fputs(before, out);
  print_source(text, strlen(text), out);
  fputs(behind, out);
}

static void print_anchor(const xb_twins *pair, char out[XB_ANCHOR_BYTES])
{
  snprintf(out, XB_ANCHOR_BYTES, "pair-%s", pair->name);
  for (char *p = out; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-')
      *p = '-';
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static const char *class_of(const xb_piece *t)
{
  if (t->kind == XB_PIECE_MARKER)
    return "p";
  if (t->differs)
    return t->kind == XB_PIECE_COMMENT ? "c xb-x" : t->kind == XB_PIECE_KEYWORD ? "k xb-x" : "x";
  return t->kind == XB_PIECE_COMMENT ? "c" : t->kind == XB_PIECE_KEYWORD ? "k" : NULL;
}

/* Adjacent pieces of one class share an element, with the spaces between them. */
static void print_code(const xb_line *line, FILE *out)
{
  size_t at = 0;
  for (size_t i = 0; i < line->piece_count;) {
    const xb_piece *first = &line->pieces[i], *last = first;
    while (++i < line->piece_count && line->pieces[i].kind == first->kind && line->pieces[i].differs == first->differs)
      last = &line->pieces[i];
    print_source(line->text + at, first->at - at, out);
    const char *class = class_of(first);
    if (class)
      fprintf(out, "<span class=\"xb-%s\">", class);
    at = last->at + last->length;
    print_source(line->text + first->at, at - first->at, out);
    if (class)
      fputs("</span>", out);
  }
  print_source(line->text + at, line->length - at, out);
}

static const char *row_class(const xb_show_view *view, const xb_line *line, xb_mark mark)
{
  if (line->sign == '+' || line->sign == '-')
    return line->sign == '+' ? " xb-added" : " xb-removed";
  if (!view->marked || mark == XB_MARK_NONE)
    return "";
  return mark == XB_MARK_NOTE ? " xb-note" : " xb-differs";
}

static void print_cell(const xb_show_view *view, const xb_section *s, const xb_row *row, int side, FILE *out)
{
  const char *where = s->whole ? "w" : side == 2 ? "t" : side ? "r" : "l";
  if (row->line[side] < 0) {
    fprintf(out, "<div class=\"xb-%s xb-none\"></div>", where);
    return;
  }
  const xb_line *line = &s->lines[side][row->line[side]];
  if (!line->number) {
    fprintf(out, "<div class=\"xb-%s xb-caption\">", where);
    print_source(line->text, line->length, out);
    fputs("</div>", out);
    return;
  }
  const char sign = line->sign ? line->sign : view->marked && !s->whole ? (char)row->mark : ' ';
  fprintf(out, "<div class=\"xb-%s xb-line%s\"><span class=\"xb-n\">%u ", where, row_class(view, line, row->mark),
          line->number);
  print_source(&sign, 1, out);
  fputs("</span><code>", out);
  print_code(line, out);
  fputs("</code></div>", out);
}

/* ---- Sections --------------------------------------------------------------------------------------------------- */

static void print_titles(const xb_show_view *view, FILE *out)
{
  for (int side = 0; side < XB_COLUMNS; side++)
    if (view->shown[side])
      print_text(side == 2 ? "<div class=\"xb-t xb-title\">"
                 : side    ? "<div class=\"xb-r xb-title\">"
                           : "<div class=\"xb-l xb-title\">",
                 view->columns[side], "</div>", out);
  fputc('\n', out);
}

static void print_section(const xb_show_view *view, const xb_section *s, bool first, FILE *out)
{
  if (s->heading)
    print_text("<h3>", s->heading, "</h3>\n", out);
  if (!s->row_count)
    return;
  const bool both = view->shown[0] && view->shown[1] && !s->whole;
  fprintf(out, "<div class=\"xb-%s%s%s\">\n", both ? "sides" : "side", both && view->shown[2] ? " xb-three" : "",
          first ? " xb-first" : "");
  if (!s->whole)
    print_titles(view, out);
  for (size_t i = 0; i < s->row_count; i++) {
    for (int side = 0; side < XB_COLUMNS; side++)
      if (s->whole ? !side : view->shown[side])
        print_cell(view, s, &s->rows[i], side, out);
    fputc('\n', out);
  }
  fputs("</div>\n", out);
}

static void print_words(const xb_show_view *view, FILE *out)
{
  fputs("<h3>Corresponding words</h3>\n<table>\n", out);
  for (size_t i = 0; i < view->word_count; i++) {
    fputs("<tr>", out);
    for (int side = 0; side < XB_SIDES; side++)
      print_text("<td><code>", view->words[i].text[side], "</code></td>", out);
    if (view->words[i].times > 1)
      fprintf(out, "<td>%zu times</td></tr>\n", view->words[i].times);
    else
      fputs("<td></td></tr>\n", out);
  }
  fputs("</table>\n", out);
}

static void print_fragment(const xb_show_view *view, FILE *out)
{
  char anchor[XB_ANCHOR_BYTES];
  print_anchor(&view->pair, anchor);
  fprintf(out, "<section class=\"xb-pair\" id=\"%s\">\n", anchor);
  print_text("<h2>", view->title, "</h2>\n", out);
  for (size_t i = 0; i < view->remark_count; i++)
    print_text("<p>", view->remarks[i], "</p>\n", out);
  if (view->marked)
    fputs("<p class=\"xb-legend\">| differs &#160; &lt; &gt; on one side only &#160; * the comment differs</p>\n", out);
  for (size_t i = 0; i < view->section_count; i++)
    print_section(view, &view->sections[i], !i, out);
  if (view->word_count)
    print_words(view, out);
  fputs("</section>\n", out);
}

void xb_html_variant_anchor(const xb_variant *variant, char out[XB_ANCHOR_BYTES])
{
  xb_twins pair;
  xb_twins_of_variant(variant, &pair);
  print_anchor(&pair, out);
}

bool xb_html_variant(const xb_variant *variant, FILE *out)
{
  xb_twins pair;
  xb_show_view view = {0};
  xb_twins_of_variant(variant, &pair);
  const bool made = xb_show_view_make(&view, &pair, &(xb_show_view_options){.brief = true});
  if (made)
    print_fragment(&view, out);
  xb_show_view_free(&view);
  return made;
}

void xb_html_page(const xb_show_view *view, FILE *out)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
        out);
  print_text("<title>", view->title, "</title>\n", out);
  fputs("<style>\n"
        ":root { color-scheme: light dark; }\n"
        "body { margin: 0; padding: 1rem; background: #fff; color: #1c1c1e; font: 16px/1.45 system-ui, sans-serif; }\n"
        "@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e4e4e7; } }\n"
        "@media print { body { background: #fff; color: #000; padding: 0; } }\n",
        out);
  fputs(xb_html_style(), out);
  fputs("</style>\n</head>\n<body>\n", out);
  print_fragment(view, out);
  fputs("</body>\n</html>\n", out);
}
