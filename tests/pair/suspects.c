/* The sentences that follow from recorded matrices, and what floating-point operations are rewritten to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "core/spirv.h"
#include "os/memory_file.h"
#include "suspects/suspects.h"
#include "test.h"

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
    *s = (xb_suspect){
        .side = text_of(cell, "side"), .why = text_of(cell, "message"), .facts = text_of(cell, "code_has")};
    for (int l = 0; l < XB_LAYERS; l++)
      s->at[l] = text_of(cell, keys[l]);
    while (strcmp(results[s->result], text_of(cell, "result")) != 0)
      assert_true(++s->result < XB_SUSPECT_RESULTS);
  }
  return m;
}

/* Each file has the explanation that its cells must give; and what is written of the matrix is the file again. */
TEST(test_recorded)
{
  assert_true(test_argument_count > 5);
  for (int i = 0; i < test_argument_count; i++) {
    json_t *root = json_load_file(test_arguments[i], 0, NULL);
    assert_non_null(root);
    xb_suspects m = read_matrix(root);
    char *text = NULL;
    size_t bytes;
    FILE *memory = xb_memory_open(&text, &bytes);
    assert_non_null(memory);
    xb_suspects_explain(&m, memory);
    fclose(memory);
    if (strcmp(text, text_of(root, "explanation")) != 0)
      fail_msg("%s must have this explanation:\n%.900s", test_arguments[i], text);
    json_t *again = xb_suspects_document(&m, text), *cell;
    size_t k;
    json_array_foreach(json_object_get(again, "cells"), k, cell) json_object_del(cell, "seconds");
    assert_true(json_equal(again, root));
    json_decref(again);
    json_decref(root);
    free(text);
    free(m.cells);
  }
}

/* A crash of the program on an empty or a failed matrix would hide what failed. */
TEST(test_nothing_ran)
{
  xb_suspect failed = {
      .side = "a.hlsl", .at = {"dxc", "", "", "", "", ""}, .result = XB_SUSPECT_FAILED, .why = "no", .facts = ""};
  xb_suspects m = {"a", "b", true, &failed, 1};
  const xb_suspect *wrong = NULL, *right = NULL;
  char *text = NULL;
  size_t bytes;
  FILE *memory = xb_memory_open(&text, &bytes);
  assert_non_null(memory);
  xb_suspects_explain(&m, memory);
  fclose(memory);
  assert_string_equal(text, "a.hlsl: ran in no way\n");
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

static size_t count_ops(const xb_pair_binary *code, uint32_t op)
{
  xb_spirv m;
  size_t count = 0;
  assert_int_equal(xb_spirv_read(&m, "m", code->data, code->bytes, NULL, 0, NULL), XB_OK);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&m, at, op, 1));)
    count++;
  xb_spirv_free(&m);
  return count;
}

TEST(test_floats)
{
  const xb_pair_binary from = {(const char *)module, sizeof module, NULL, NULL};
  xb_pair_binary fixed, to;
  xb_arena arena = {0};
  xb_error error;
  assert_int_equal(xb_rewrite_floats("m", &from, XB_FLOATS_AS_COMPILED, &arena, &to, &error), XB_OK);
  assert_ptr_equal(to.data, from.data);
  assert_int_equal(xb_rewrite_floats("m", &from, XB_FLOATS_FREE, &arena, &to, &error), XB_OK);
  assert_ptr_equal(to.data, from.data);
  assert_int_equal(xb_rewrite_floats("m", &from, XB_FLOATS_SEPARATE, &arena, &fixed, &error), XB_OK);
  assert_int_equal(count_ops(&fixed, SpvOpDecorate), 4);
  assert_int_equal(xb_rewrite_floats("m", &from, XB_FLOATS_FUSED, &arena, &to, &error), XB_OK);
  assert_int_equal(count_ops(&to, SpvOpExtInst), 1);
  assert_int_equal(count_ops(&to, SpvOpExtInstImport), 1);
  assert_int_equal(count_ops(&to, SpvOpFAdd), 0);
  assert_int_equal(xb_rewrite_floats("m", &from, XB_FLOATS_SIMPLIFIED, &arena, &to, &error), XB_OK);
  assert_int_equal(count_ops(&to, SpvOpCopyObject), 1);
  assert_int_equal(count_ops(&to, SpvOpFSub), 0);
  for (xb_floats f = XB_FLOATS_FUSED; f < XB_FLOATS; f++) { /* what is NoContraction stays */
    assert_int_equal(xb_rewrite_floats("m", &fixed, f, &arena, &to, &error), XB_OK);
    assert_ptr_equal(to.data, fixed.data);
  }
  assert_int_equal(xb_rewrite_floats("m", &fixed, XB_FLOATS_FREE, &arena, &to, &error), XB_OK);
  assert_int_equal(count_ops(&to, SpvOpDecorate), 1);
  const xb_pair_binary cut = {(const char *)module, sizeof module - 8, NULL, NULL};
  assert_int_equal(xb_rewrite_floats("m", &cut, XB_FLOATS_FUSED, &arena, &to, &error), XB_INVALID);
  xb_arena_free(&arena);
}
