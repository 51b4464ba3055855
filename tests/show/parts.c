/* Tests of the code behind `xbench show`: words and parts of sources, alignment, characters, and both output formats.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "cmake/embed/blob.h"
#include "guide/guide.h"
#include "guide/rows.h"
#include "show/view.h"
#include "test.h"

static xb_show_view view;

static xb_listing lex(xb_arena *arena, const char *text)
{
  xb_listing listing;
  assert_true(xb_listing_lex("test", text, strlen(text), arena, &listing));
  return listing;
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

static void assert_piece(const xb_listing *l, size_t line, size_t piece, const char *text, xb_piece_kind kind)
{
  assert_true(line < l->count && piece < l->lines[line].piece_count);
  const xb_piece *t = &l->lines[line].pieces[piece];
  char got[64];
  snprintf(got, sizeof got, "%.*s", (int)t->length, l->lines[line].text + t->at);
  assert_string_equal(got, text);
  assert_int_equal(t->kind, kind);
}

/* The i-th variant of all benchmarks; NULL after the last. */
static const xb_variant *variant_at(size_t i)
{
  for (size_t b = 0; b < xb_benchmark_count(); i -= xb_benchmark_at(b++)->variant_count)
    if (i < xb_benchmark_at(b)->variant_count)
      return &xb_benchmark_at(b)->variants[i];
  return NULL;
}

TEST(test_words)
{
  xb_arena arena = {NULL};
  const xb_listing l = lex(&arena, "  // [last wave] two words\nfor \"// \\\" none\" /* a\n b */ while\n\nx");
  assert_int_equal(l.count, 5);
  assert_piece(&l, 0, 0, "//", XB_PIECE_COMMENT);
  assert_piece(&l, 0, 1, "[last wave]", XB_PIECE_MARKER);
  assert_piece(&l, 0, 3, "words", XB_PIECE_COMMENT);
  assert_piece(&l, 1, 0, "for", XB_PIECE_KEYWORD);
  assert_piece(&l, 1, 1, "\"// \\\" none\"", XB_PIECE_OTHER);
  assert_piece(&l, 1, 3, "a", XB_PIECE_COMMENT);
  assert_piece(&l, 2, 0, "b", XB_PIECE_COMMENT); /* the comment continues */
  assert_piece(&l, 2, 2, "while", XB_PIECE_KEYWORD);
  assert_true(xb_line_blank(&l.lines[3]));
  assert_int_equal(l.lines[4].length, 1); /* without a newline at its end */
  assert_int_equal(lex(&arena, "").count, 0);
  xb_arena_free(&arena);
}

TEST(test_parts)
{
  static xb_part parts[XB_MAX_PARTS];
  xb_arena arena = {NULL};
  const xb_listing kernel = lex(&arena, "head\n  // [load] a\n x[0] // [not] first\n  // [k16]\n// [16] none\n");
  assert_int_equal(xb_cut(&kernel, parts), 3);
  assert_string_equal(parts[0].name, "");
  assert_string_equal(parts[1].name, "load");
  assert_int_equal(parts[1].count, 2);
  assert_string_equal(parts[2].name, "k16");
  static xb_part others[XB_MAX_PARTS];
  const xb_listing other = lex(&arena, "// [load]\n// [stored]\n");
  assert_true(xb_same_parts(parts, 3, parts, 3));
  assert_false(xb_same_parts(parts, 3, parts, 2));
  assert_false(xb_same_parts(parts, 2, others, xb_cut(&other, others)));
  assert_int_equal(xb_cut_nowhere(&kernel, others), 1);
  assert_int_equal(others[0].count, kernel.count);
  const xb_listing host =
      lex(&arena, "/* [copy] a\n * b */\nvoid f(void)\n{\n}\n\nint g;\n/* [end] */\nint h(void)\n{\n}\n");
  assert_int_equal(xb_cut_functions(&host, parts), 2);
  assert_string_equal(parts[0].name, "copy");
  assert_int_equal(parts[0].count, 5);
  assert_int_equal(parts[1].first, 7);
  assert_int_equal(parts[1].count, 4);
  xb_arena_free(&arena);
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static size_t columns(const char *text, size_t length)
{
  size_t sum = 0;
  for (size_t i = 0; i < length;) {
    const xb_glyph g = xb_glyph_at(text + i, length - i);
    assert_null(g.instead); /* printable bytes are unchanged */
    sum += g.columns;
    i += g.bytes;
  }
  return sum;
}

static char *print(size_t width, bool stacked)
{
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  assert_non_null(file);
  xb_show_view_text(&view, &(xb_text_style){.width = width, .stacked = stacked}, file);
  fclose(file);
  for (const char *p = text, *end; (end = strchr(p, '\n')); p = end + 1)
    if (columns(p, (size_t)(end - p)) > width)
      fail_msg("more than %zu columns: %.*s", width, (int)(end - p), p);
  return text;
}

/* ---- The embedded sources --------------------------------------------------------------------------------------- */

/* Each line of both sides is shown once, in order. */
static void assert_covered(const xb_section *s)
{
  for (int side = 0; side < XB_SIDES; side++) {
    ptrdiff_t next = 0;
    for (size_t i = 0; i < s->row_count; i++)
      if (s->rows[i].line[side] >= 0)
        assert_int_equal(s->rows[i].line[side], next++);
    assert_int_equal(next, s->counts[side]);
  }
}

static void assert_marked_alike(const xb_twins *twins)
{
  static xb_part parts[XB_SIDES][XB_MAX_PARTS];
  size_t counts[XB_SIDES];
  for (int side = 0; side < XB_SIDES; side++) {
    xb_listing source;
    assert_true(xb_listing_read(twins->path[side], &view.arena, &source));
    counts[side] = xb_cut(&source, parts[side]);
  }
  assert_true(counts[0] > 1);
  assert_true(xb_same_parts(parts[0], counts[0], parts[1], counts[1]));
}

/* A pair of the guide has its case's title, and a marker before every entry point. */
TEST(test_every_case)
{
  for (size_t i = 0; i < xb_guide_case_count; i++) {
    const xb_guide_case *c = &xb_guide_cases[i];
    xb_twins twins;
    assert_true(xb_twins_of_files("guide", c->name, &twins));
    assert_string_equal(twins.title, c->title);
    assert_true(xb_show_view_make(&view, &twins, &(xb_show_view_options){0}));
    for (size_t k = 0; k < view.section_count; k++)
      assert_covered(&view.sections[k]);
    assert_marked_alike(&twins);
    const xb_section *head = &view.sections[0];
    for (int side = 0; side < XB_SIDES; side++)
      for (size_t k = 0; k < head->counts[side]; k++)
        if (strstr(head->lines[side][k].text, side ? "[numthreads" : "XB_GUIDE_ENTRY") == head->lines[side][k].text)
          fail_msg("%s:%u: an entry point before the first marker", twins.path[side], head->lines[side][k].number);
    xb_show_view_free(&view);
  }
}

TEST(test_every_variant)
{
  for (size_t i = 0; variant_at(i); i++) {
    const xb_variant *v = variant_at(i);
    xb_twins twins;
    xb_twins_of_variant(v, &twins);
    if (v->source == LIBRARY && !v->counterparts[0].api)
      fail_msg("%s: the row has no reason why it is on one API only", twins.name);
    assert_true(xb_show_view_make(&view, &twins, &(xb_show_view_options){.headers = true}));
    for (size_t k = 0; k < view.section_count; k++)
      assert_covered(&view.sections[k]);
    if (v->source == KERNEL && *twins.path[0] && *twins.path[1])
      assert_marked_alike(&twins);
    view.title = twins.name;
    if (view.shown[0] || view.shown[1])
      free(print(XB_LEAST_WIDTH + 37 * i % 180, i % 2));
    xb_show_view_free(&view);
  }
}

/* Both backends have each topic, and every marker of a backend is a topic. */
TEST(test_topics)
{
  xb_line *lines;
  size_t count;
  view = (xb_show_view){.title = ""};
  for (const xb_topic *topic = xb_topics; topic->name; topic++) {
    xb_topic_lines(&view, "backend_cuda/", topic->name, &lines, &count);
    assert_true(!view.failed && count > 0);
    xb_topic_lines(&view, "backend_vulkan/", topic->name, &lines, &count);
    assert_true(!view.failed && count > 0);
  }
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    const char *path = b->name;
    static xb_part parts[XB_MAX_PARTS];
    xb_listing source;
    if (strncmp(path, "backend_", 8) != 0)
      continue;
    assert_true(xb_listing_read(path, &view.arena, &source));
    const size_t marked = xb_cut_functions(&source, parts);
    for (size_t k = 0; k < marked; k++) {
      const xb_topic *topic = xb_topics;
      while (topic->name && strcmp(topic->name, parts[k].name) != 0)
        topic++;
      if (!topic->name)
        fail_msg("%s: [%s] is no topic", path, parts[k].name);
    }
  }
  for (size_t i = 0; i < xb_benchmark_count(); i++) {
    char name[64];
    snprintf(name, sizeof name, "bench/benchmarks/%s/%s.c", xb_benchmark_at(i)->name, xb_benchmark_at(i)->name);
    xb_topic_lines(&view, name, "plan", &lines, &count);
    assert_true(!view.failed && count > 0);
  }
  xb_show_view_free(&view);
}

/* Sources without a row are found by number, by name, or by both. */
TEST(test_files)
{
  static const char *const names[] = {"7", "many_elements", "7_many_elements"};
  static char found[64][96];
  xb_twins twins;
  for (size_t i = 0; i < 3; i++) {
    assert_true(xb_twins_of_files("reduce", names[i], &twins));
    assert_string_equal(twins.name, "reduce/7_many_elements");
    assert_string_equal(twins.path[0], "kernels/reduce/7_many_elements.cu");
    assert_string_equal(twins.path[1], "shaders/reduce/7_many_elements.hlsl");
  }
  assert_false(xb_twins_of_files("reduce", "many", &twins));
  assert_false(xb_twins_of_files("reduce", "", &twins));
  assert_false(xb_twins_of_files("nosuch", "7", &twins));
  assert_int_equal(xb_twins_names("reduce", found, 64), 11);
  assert_int_equal(xb_twins_names("reduce", found, 3), 3);
  assert_int_equal(xb_twins_names("nosuch", found, 64), 0);
}

/* ---- Alignment -------------------------------------------------------------------------------------------------- */

static void face(const char *left, const char *right)
{
  view = (xb_show_view){.title = "t", .shown = {true, true}, .columns = {"left", "right"}, .marked = true};
  const xb_listing a = lex(&view.arena, left), b = lex(&view.arena, right);
  xb_show_view_section(&view, NULL, (xb_line *[XB_COLUMNS]){a.lines, b.lines}, (size_t[XB_COLUMNS]){a.count, b.count},
                       XB_LAYOUT_ALIKE);
  assert_false(view.failed);
  assert_covered(&view.sections[0]);
}

/* Checks the marks of the rows, and the line that faces line i of the left side. */
TEST(test_notes)
{
  face("// a sum in each warp\nwarp_sum(uint x);\nhead(uint *g_out);\n// of its warps\n",
       "// a sum in each wave\nBuffer<uint> g_in;\nBuffer<uint> g_out;\n// of two waves\n");
  static const struct {
    ptrdiff_t left, right;
    xb_mark mark;
  } expected[] = {{0, 0, XB_MARK_NONE},  /* warp and wave alone make no note */
                  {1, -1, XB_MARK_LEFT}, /* a helper faces no binding */
                  {-1, 1, XB_MARK_RIGHT},
                  {2, 2, XB_MARK_DIFFERS},
                  {3, 3, XB_MARK_NOTE}};
  const xb_section *s = &view.sections[0];
  assert_int_equal(s->row_count, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(s->rows[i].line[0], expected[i].left);
    assert_int_equal(s->rows[i].line[1], expected[i].right);
    assert_int_equal(s->rows[i].mark, expected[i].mark);
  }
  xb_show_view_free(&view);
  face("f(a) + p[q] + 1;\n", "f(b) + p(q) + x;\n"); /* neither parts of an expression nor numbers */
  assert_int_equal(view.word_count, 1);
  assert_string_equal(view.words[0].text[1], "b");
  xb_show_view_free(&view);
  face("fence(); // hands on\n", "uint before;\nBarrier(); // a longer word about what this is for\nint after;\n");
  assert_int_equal(view.sections[0].rows[1].line[0], 0); /* code is aligned, not the comment after it */
  xb_show_view_free(&view);
}

TEST(test_facing)
{
  face("same\nint a;\n__syncthreads();\nlast();\n", "same\nBarrier();\n// why\nlast();\n");
  const xb_section *s = &view.sections[0];
  static const struct {
    ptrdiff_t left, right;
    xb_mark mark;
  } expected[] = {{0, 0, XB_MARK_NONE},
                  {1, -1, XB_MARK_LEFT},
                  {2, 1, XB_MARK_DIFFERS},
                  {-1, 2, XB_MARK_NOTE},
                  {3, 3, XB_MARK_NONE}};
  assert_int_equal(s->row_count, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(s->rows[i].line[0], expected[i].left);
    assert_int_equal(s->rows[i].line[1], expected[i].right);
    assert_int_equal(s->rows[i].mark, expected[i].mark);
  }
  assert_int_equal(view.word_count, 1);
  assert_string_equal(view.words[0].text[0], "__syncthreads");
  assert_string_equal(view.words[0].text[1], "Barrier");
  xb_show_view_free(&view);
}

/* The porting guide's rows say which words are counterparts. */
TEST(test_false_friends)
{
  assert_false(xb_guide_false_friends("__syncwarp", "GroupMemoryBarrierWithGroupSync"));
  assert_true(xb_guide_false_friends("__syncwarp", "DeviceMemoryBarrier"));
  assert_false(xb_guide_false_friends("__threadfence", "DeviceMemoryBarrier"));
  assert_false(xb_guide_false_friends("atomicExch", "g_exchange.InterlockedExchange"));
  assert_true(xb_guide_false_friends("__shfl_down_sync", "group_sum"));
  assert_false(xb_guide_false_friends("no_word_of_cuda", "group_sum"));
  face("same\n__syncwarp();\nlast();\n", "same\nDeviceMemoryBarrier();\nlast();\n");
  assert_int_equal(view.word_count, 0);
  xb_show_view_free(&view);
}

/* ---- Hostile and odd text -------------------------------------------------------------------------------------- */

static char *page(void)
{
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  assert_non_null(file);
  xb_html_page(&view, file);
  fclose(file);
  return text;
}

TEST(test_characters)
{
  static const struct {
    const char *text;
    size_t bytes, columns;
    bool instead;
  } cases[] = {
      {"a", 1, 1, false},
      {"\xc3\xbc", 2, 1, false},         /* u with dots */
      {"\xe6\xbc\xa2", 3, 2, false},     /* an ideograph */
      {"\xcc\x88", 2, 0, false},         /* combining dots */
      {"\xf0\x9f\x98\x80", 4, 2, false}, /* an emoji */
      {"\xff", 1, 1, true},
      {"\xc3", 1, 1, true},         /* truncated */
      {"\xc0\xaf", 1, 1, true},     /* overlong */
      {"\xed\xa0\x80", 1, 1, true}, /* a surrogate */
      {"\x1b[31m", 1, 1, true},     /* an escape sequence */
      {"\xc2\x9b", 2, 1, true},     /* its one-character form */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const xb_glyph g = xb_glyph_at(cases[i].text, strlen(cases[i].text));
    assert_int_equal(g.bytes, cases[i].bytes);
    assert_int_equal(g.columns, cases[i].columns);
    assert_int_equal(g.instead != NULL, cases[i].instead);
  }
}

TEST(test_hostile_text)
{
  face("int \x1b[31m<script>alert(\"1\")</script>&amp;\n// "
       "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\n",
       "\xff\xfe\n");
  for (size_t width = XB_LEAST_WIDTH; width < 60; width++) {
    free(print(width, false));
    free(print(width, true));
  }
  char *html = page();
  assert_null(strstr(html, "<script"));
  assert_null(strchr(html, '\x1b'));
  assert_null(strchr(html, '\xff'));
  assert_non_null(strstr(html, "&lt;script&gt;"));
  assert_non_null(strstr(html, "&amp;amp;"));
  free(html);
  xb_show_view_free(&view);
}

/* Any bytes are printed in finite time, and stay in their column. */
TEST(test_any_text)
{
  static const char alphabet[] = "ab_ (){}/*\"'\\[]\n\n\t<\xc3\xbc\xe6\xbc\xa2\xff";
  char text[2][200];
  srand(1);
  for (int round = 0; round < 300; round++) {
    for (int side = 0; side < XB_SIDES; side++) {
      const size_t length = (size_t)rand() % (sizeof text[0] - 1);
      for (size_t i = 0; i < length; i++)
        text[side][i] = alphabet[(size_t)rand() % (sizeof alphabet - 1)];
      text[side][length] = 0;
    }
    face(text[0], text[1]);
    free(print(XB_LEAST_WIDTH + (size_t)rand() % 40, round % 2));
    free(page());
    xb_show_view_free(&view);
  }
}

/* The fragments that a report links to. */
TEST(test_fragments)
{
  for (size_t i = 0; variant_at(i); i++) {
    char *text = NULL, anchor[XB_ANCHOR_BYTES], expected[160];
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    assert_non_null(file);
    assert_true(xb_html_variant(variant_at(i), file));
    fclose(file);
    xb_html_variant_anchor(variant_at(i), anchor);
    snprintf(expected, sizeof expected, "<section class=\"xb-pair\" id=\"%s\">", anchor);
    assert_int_equal(strncmp(text, expected, strlen(expected)), 0);
    assert_true(bytes < 100000);
    free(text);
  }
}
