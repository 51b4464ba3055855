/* The sentences that follow from recorded matrices, and what floating-point operations are rewritten to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/spirv.h"
#include "os/memory_file.h"
#include "suspects/suspects.h"
#include "test.h"

#include <spirv_cross/GLSL.std.450.h>

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static xb_suspects read_matrix(const json_t *root)
{
  static const char *const keys[XB_LAYERS] = {"compiler", "optimization", "arithmetic", "driver", "wave", "order"};
  static const char *const results[] = {"right", "wrong", "crashed", "not run"};
  const json_t *cells = json_object_get(root, "cells");
  xb_suspects m = {text_of(root, "pair"), text_of(root, "reference"),
                   json_is_true(json_object_get(root, "reference_is_side")),
                   calloc(json_array_size(cells), sizeof *m.cells), json_array_size(cells)};
  assert_non_null(m.cells);
  for (size_t i = 0; i < m.count; i++) {
    const json_t *cell = json_array_get(cells, i);
    xb_suspect *s = &m.cells[i];
    *s = (xb_suspect){.side = text_of(cell, "side"),
                      .why = text_of(cell, "message"),
                      .facts = text_of(cell, "code_has"),
                      .pass = text_of(cell, "pass")};
    for (int l = 0; l < XB_LAYERS; l++)
      s->at[l] = text_of(cell, keys[l]);
    while (strcmp(results[s->result], text_of(cell, "result")) != 0)
      assert_true(++s->result < XB_SUSPECT_RESULTS);
  }
  return m;
}

/* The document has the explanation that its cells must give; and what is written of the matrix is the document again.
 */
static void check_document(const json_t *root)
{
  xb_suspects m = read_matrix(root);
  char *text = NULL;
  size_t bytes, k;
  FILE *memory = xb_memory_open(&text, &bytes);
  assert_non_null(memory);
  xb_suspects_explain(&m, memory);
  fclose(memory);
  if (strcmp(text, text_of(root, "explanation")) != 0)
    fail_msg("%s must have this explanation:\n%.900s", m.pair, text);
  json_t *again = xb_suspects_document(&m, text), *cell;
  json_array_foreach(json_object_get(again, "cells"), k, cell) json_object_del(cell, "seconds");
  assert_true(json_equal(again, root));
  json_decref(again);
  free(text);
  free(m.cells);
}

/* planted.json: matrices over the same cells. `results` of a matrix has a letter for each cell; code_has is of all. */
static void check_planted(const json_t *root)
{
  json_t *matrix, *cell;
  size_t i, k;
  json_array_foreach(json_object_get(root, "matrices"), i, matrix)
  {
    json_t *made = json_deep_copy(matrix), *cells = json_array();
    const char *results = text_of(matrix, "results");
    json_array_foreach(json_object_get(root, "cells"), k, cell)
    {
      if (k == strlen(results))
        break;
      cell = json_deep_copy(cell);
      json_object_set_new(cell, "result",
                          json_string(results[k] == 'w'   ? "wrong"
                                      : results[k] == 'c' ? "crashed"
                                                          : "right"));
      if (json_object_get(matrix, "code_has"))
        json_object_set(cell, "code_has", json_object_get(matrix, "code_has"));
      json_array_append_new(cells, cell);
    }
    json_object_del(made, "results");
    json_object_del(made, "code_has");
    json_object_set_new(made, "cells", cells);
    json_object_set_new(made, "schema", json_string("xbench-suspects/1"));
    check_document(made);
    json_decref(made);
  }
}

TEST(test_recorded)
{
  assert_true(test_argument_count > 4);
  for (int i = 0; i < test_argument_count; i++) {
    json_t *root = json_load_file(test_arguments[i], 0, NULL);
    assert_non_null(root);
    (json_object_get(root, "matrices") ? check_planted : check_document)(root);
    json_decref(root);
  }
}

/* What a reduction may leave out, whole; a statement with a directive stays. */
TEST(test_statements)
{
  static const char text[] = "#define N 4\nstruct S { int a; };\nfloat f(int x)\n{\n  float s[2] = {1, 2};\n"
                             "  [unroll] for (int i = 0; i < N; i++) { s[0] += i; }\n  if (x) a(); else { b(); }\n"
                             "  do { c(); } while (x);\n#if N\n  e();\n#endif\n  return s[0];\n}\n";
  static const char *const wanted[] = {"struct S { int a; };",
                                       "int a;",
                                       "float s[2] = {1, 2};",
                                       "[unroll] for (int i = 0; i < N; i++) { s[0] += i; }",
                                       "s[0] += i;",
                                       "if (x) a(); else { b(); }",
                                       "b();",
                                       "do { c(); } while (x);",
                                       "e();",
                                       "return s[0];"};
  xb_statement list[64];
  const size_t count = xb_statements(text, list, 64);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    bool found = false;
    for (size_t k = 0; k < count; k++)
      found |= list[k].end - list[k].begin == strlen(wanted[i]) &&
               !strncmp(text + list[k].begin, wanted[i], strlen(wanted[i]));
    if (!found)
      fail_msg("'%s' was not found among %zu", wanted[i], count);
  }
  for (size_t k = 0; k < count; k++)
    assert_true(text[list[k].begin] != ';' && !memchr(text + list[k].begin, '#', list[k].end - list[k].begin));
  assert_int_equal(xb_statements("", list, 64), 0);
  for (size_t k = xb_statements("{ ( [", list, 64); k-- > 0;) /* brackets that do not end */
    assert_true(list[k].begin < list[k].end && list[k].end <= strlen("{ ( ["));
}

/* A crash of the program on an empty or a failed matrix would hide what failed. */
TEST(test_nothing_ran)
{
  xb_suspect failed = {.side = "a.hlsl",
                       .at = {"dxc", "", "", "", "", ""},
                       .result = XB_SUSPECT_FAILED,
                       .why = "no",
                       .facts = "",
                       .pass = ""};
  xb_suspects m = {"a", "b", true, &failed, 1};
  const xb_suspect *wrong = NULL, *right = NULL;
  char *text = NULL;
  size_t bytes;
  FILE *memory = xb_memory_open(&text, &bytes);
  assert_non_null(memory);
  xb_suspects_explain(&m, memory);
  fclose(memory);
  assert_string_equal(text, "a.hlsl: ran in no way\n  not run in 1 way: no\n");
  free(text);
  assert_false(xb_suspects_nearest(&m, "a.hlsl", &wrong, &right));
}

/* void main() { y = (a * b + c) - c; } of SPIR-V, as far as the rewriter reads it. */
enum { FLOAT = 1, A = 2, B = 3, C = 4, PRODUCT = 5, SUM = 6, DIFFERENCE = 7, BOUND = 8 };
static const uint32_t module[] = {SpvMagicNumber,
                                  0x10300,
                                  0,
                                  BOUND,
                                  0,
                                  2 << 16 | SpvOpCapability,
                                  SpvCapabilityShader,
                                  3 << 16 | SpvOpMemoryModel,
                                  SpvAddressingModelLogical,
                                  SpvMemoryModelGLSL450,
                                  3 << 16 | SpvOpDecorate,
                                  DIFFERENCE,
                                  SpvDecorationRelaxedPrecision,
                                  3 << 16 | SpvOpTypeFloat,
                                  FLOAT,
                                  32,
                                  4 << 16 | SpvOpConstant,
                                  FLOAT,
                                  A,
                                  0x40000000,
                                  4 << 16 | SpvOpConstant,
                                  FLOAT,
                                  B,
                                  0x40400000,
                                  4 << 16 | SpvOpConstant,
                                  FLOAT,
                                  C,
                                  0x40800000,
                                  5 << 16 | SpvOpFMul,
                                  FLOAT,
                                  PRODUCT,
                                  A,
                                  B,
                                  5 << 16 | SpvOpFAdd,
                                  FLOAT,
                                  SUM,
                                  PRODUCT,
                                  C,
                                  5 << 16 | SpvOpFSub,
                                  FLOAT,
                                  DIFFERENCE,
                                  SUM,
                                  C};

typedef struct code {
  void *words; /* NULL: the module itself */
  size_t bytes;
} code;

/* void main() { sum = a + b; y = fma(1, a, -sum); } */
static const uint32_t with_fma[] = {SpvMagicNumber,
                                    0x10300,
                                    0,
                                    9,
                                    0,
                                    2 << 16 | SpvOpCapability,
                                    SpvCapabilityShader,
                                    6 << 16 | SpvOpExtInstImport,
                                    8,
                                    0x4c534c47, /* "GLSL.std.450" */
                                    0x6474732e,
                                    0x3035342e,
                                    0,
                                    3 << 16 | SpvOpMemoryModel,
                                    SpvAddressingModelLogical,
                                    SpvMemoryModelGLSL450,
                                    3 << 16 | SpvOpTypeFloat,
                                    FLOAT,
                                    32,
                                    4 << 16 | SpvOpConstant,
                                    FLOAT,
                                    A,
                                    0x40000000,
                                    4 << 16 | SpvOpConstant,
                                    FLOAT,
                                    B,
                                    0x3f800000,
                                    5 << 16 | SpvOpFAdd,
                                    FLOAT,
                                    SUM,
                                    A,
                                    B,
                                    4 << 16 | SpvOpFNegate,
                                    FLOAT,
                                    C,
                                    SUM,
                                    8 << 16 | SpvOpExtInst,
                                    FLOAT,
                                    DIFFERENCE,
                                    8,
                                    GLSLstd450Fma,
                                    B,
                                    A,
                                    C};

static code rewritten(const code *from, xb_spirv_floats floats)
{
  code to;
  xb_error error;
  assert_int_equal(xb_spirv_rewrite_floats("m", from ? from->words : module, from ? from->bytes : sizeof module, floats,
                                           &to.words, &to.bytes, &error),
                   XB_OK);
  return to;
}

static size_t count_ops(const code *c, uint32_t op)
{
  xb_spirv m;
  size_t count = 0;
  assert_non_null(c->words);
  assert_int_equal(xb_spirv_read(&m, "m", c->words, c->bytes, NULL, 0, NULL), XB_OK);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&m, at, op, 1));)
    count++;
  xb_spirv_free(&m);
  return count;
}

/* An fma() by 1 is an addition to a driver that rearranges, and NoContraction keeps it, too. */
TEST(test_fma)
{
  uint32_t words[sizeof with_fma / sizeof *with_fma];
  memcpy(words, with_fma, sizeof words);
  const code from = {words, sizeof words};
  code simplified = rewritten(&from, XB_FLOATS_SIMPLIFIED), fixed = rewritten(&from, XB_FLOATS_SEPARATE);
  assert_int_equal(count_ops(&simplified, SpvOpExtInst), 0);
  assert_int_equal(count_ops(&simplified, SpvOpFNegate), 2);
  assert_int_equal(count_ops(&fixed, SpvOpDecorate), 3);
  assert_null(rewritten(&fixed, XB_FLOATS_SIMPLIFIED).words);
  free(simplified.words);
  free(fixed.words);
}

TEST(test_floats)
{
  code fixed = rewritten(NULL, XB_FLOATS_SEPARATE), fused = rewritten(NULL, XB_FLOATS_FUSED),
       simplified = rewritten(NULL, XB_FLOATS_SIMPLIFIED), freed = rewritten(&fixed, XB_FLOATS_FREE), none;
  assert_null(rewritten(NULL, XB_FLOATS_AS_COMPILED).words);
  assert_null(rewritten(NULL, XB_FLOATS_FREE).words);
  assert_int_equal(count_ops(&fixed, SpvOpDecorate), 4);
  assert_int_equal(count_ops(&fused, SpvOpExtInst), 1);
  assert_int_equal(count_ops(&fused, SpvOpExtInstImport), 1);
  assert_int_equal(count_ops(&fused, SpvOpFAdd), 0);
  assert_int_equal(count_ops(&simplified, SpvOpCopyObject), 1);
  assert_int_equal(count_ops(&simplified, SpvOpFSub), 0);
  assert_int_equal(count_ops(&freed, SpvOpDecorate), 1);
  for (xb_spirv_floats f = XB_FLOATS_FUSED; f < XB_FLOATS; f++) /* what is NoContraction stays */
    assert_null(rewritten(&fixed, f).words);
  assert_int_equal(
      xb_spirv_rewrite_floats("m", module, sizeof module - 8, XB_FLOATS_FUSED, &none.words, &none.bytes, NULL),
      XB_INVALID);
  free(fixed.words);
  free(fused.words);
  free(simplified.words);
  free(freed.words);
}
