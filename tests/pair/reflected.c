/* What PTX, CUDA sources, SPIR-V and DXIL say of their parameters, and where a manifest says something. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair/cuda_source.h"
#include "pair/family.h"
#include "test.h"

static const char PTX[] = ".version 9.0\n.target sm_90\n"
                          ".visible .entry _Z4axpyifPKfPf1Shy(\n"
                          "\t.param .u32 _Z4axpyifPKfPf1Shy_param_0,\n"
                          "\t.param .f32 _Z4axpyifPKfPf1Shy_param_1,\n"
                          "\t.param .u64 .ptr .align 1 _Z4axpyifPKfPf1Shy_param_2,\n"
                          "\t.param .u64 _Z4axpyifPKfPf1Shy_param_3,\n"
                          "\t.param .align 8 .b8 _Z4axpyifPKfPf1Shy_param_4[16],\n"
                          "\t.param .u8 _Z4axpyifPKfPf1Shy_param_5,\n"
                          "\t.param .u64 _Z4axpyifPKfPf1Shy_param_6\n)\n{\n ld.param.u32 x;\n}\n"
                          ".visible .entry plain(\n)\n{}\n";

TEST(test_cuda)
{
  static const uint32_t offsets[] = {0, 4, 8, 16, 24, 40, 48}, bytes[] = {4, 4, 8, 8, 16, 1, 8};
  static const char *const names[] = {"n", "a", "x", "y", "s", "h", "count"};
  xb_arena arena = {0};
  xb_reflection r;
  xb_error error;
  assert_int_equal(xb_reflect_ptx("p", PTX, "axpy", &arena, &r, &error), XB_OK);
  assert_string_equal(r.entry, "_Z4axpyifPKfPf1Shy");
  assert_int_equal(r.count, 7);
  assert_int_equal(r.value_bytes, 56);
  char path[] = "/tmp/xbench-parts-XXXXXX";
  FILE *source = fdopen(mkstemp(path), "w");
  assert_non_null(source);
  fputs("// __global__ void axpy(int wrong)\n"
        "__global__ void other(int axpy);\n"
        "extern \"C\" __global__ __launch_bounds__(256, 2)\nvoid axpy(const int n, /* a */ float a,"
        "const float *__restrict__ x, float y[], S s, unsigned char h, size_t count) { axpy(1); }",
        source);
  fclose(source);
  xb_reflect_cuda_source(path, (const char *const[]){NULL}, "axpy", &arena, &r);
  unlink(path);
  for (size_t i = 0; i < r.count; i++) {
    assert_string_equal(r.parameters[i].name, names[i]);
    assert_int_equal(r.parameters[i].offset, offsets[i]);
    assert_int_equal(r.parameters[i].is_buffer, i == 2 || i == 3);
    if (i != 2 && i != 3)
      assert_int_equal(r.parameters[i].element.bytes, bytes[i]);
  }
  assert_true(r.parameters[2].read_only && !r.parameters[3].read_only);
  assert_int_equal(r.parameters[2].element.members[0].dtype, XB_FLOAT32);
  assert_int_equal(r.parameters[4].element.member_count, 0);
  assert_int_equal(r.parameters[6].element.members[0].dtype, XB_UINT64);
  assert_int_equal(xb_reflect_ptx("p", PTX, "none", &arena, &r, &error), XB_INVALID);
  assert_string_equal(error.message, "p: there is no entry point 'none'; the code has: axpy(int, float, float const*, "
                                     "float*, S, unsigned char, unsigned long long), plain");
  assert_int_equal(xb_reflect_ptx("p", PTX, NULL, &arena, &r, &error), XB_INVALID);
  assert_int_equal(xb_reflect_ptx("p", PTX, "plain", &arena, &r, &error), XB_OK);
  assert_string_equal(xb_cuda_base_name("ns::k<256, float>", &arena), "k");
  assert_string_equal(xb_cuda_base_name("void (anonymous namespace)::k<256u>(float*)", &arena), "k");
  assert_int_equal(r.count, 0);
  xb_arena_free(&arena);
}

/* As `dxc -dumpbin` prints it. */
static const char LISTING[] =
    "; Compute Shader\n; NumThreads=(64,2,1)\n;\n; Buffer Definitions:\n;\n"
    "; cbuffer args\n; {\n;\n;   struct args\n;   {\n;\n;       struct Args\n;       {\n;\n"
    ";           uint n;    ; Offset:    0\n;           float a;   ; Offset:    4\n"
    ";           double d;  ; Offset:    8\n;           struct In\n;           {\n"
    ";               float2 q;  ; Offset:   16\n;           } in_;     ; Offset:   16\n"
    ";       } args;    ; Offset:    0\n;   } args;    ; Offset:    0 Size:    24\n; }\n;\n"
    "; Resource bind info for x\n; {\n;   float4 $Element;  ; Offset:    0 Size:    16\n; }\n;\n"
    "; Resource bind info for p\n; {\n;   struct struct.P\n;   {\n"
    ";       float3 pos;  ; Offset:    0\n;       uint k[2];   ; Offset:   12\n"
    ";   } $Element;      ; Offset:    0 Size:    20\n; }\n;\n"
    "; Resource Bindings:\n;\n; Name Type Format Dim ID HLSL Bind Count\n; ---- ---- --- --- -- --- -\n"
    "; args cbuffer NA NA CB0 cb0 1\n; x texture struct r/o T0 t0 1\n; raw texture byte r/o T1 t3 1\n"
    "; p UAV struct r/w U0 u0 1\n;\ndefine void @main() {\n";

typedef struct words {
  uint32_t all[2048];
  size_t count;
} words;

static void add(words *w, uint32_t op, size_t operands, const uint32_t *values)
{
  w->all[w->count++] = (uint32_t)(operands + 1) << 16 | op;
  memcpy(w->all + w->count, values, operands * sizeof *values);
  w->count += operands;
}
#define ADD(op, ...) add(&w, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

/* A group size that is a sum of two sums of two sums ...: to look at each of them takes for ever. */
/* Pointers that a kernel may write, and only reads. */
TEST(test_only_read)
{
  static const struct {
    const char *body;
    bool only_read;
  } rows[] = {{"y[i] = x[i] + x[i + 1];", true},
              {"y[i] = x[i].a[2] == 3 ? -x[i].b : 1;", true},
              {"y[i] = (x[i] << 2) + (x[i] < y[i]);", true},
              {"y[i] = x[i] = 1;", false},
              {"x[i].a += 1;", false},
              {"x[i] <<= 2;", false},
              {"x[i] >>= 2;", false},
              {"y[i] = x[i]++;", false},
              {"y[i] = --x[i];", false},
              {"atomicAdd(&x[i], 1);", false},
              {"f(x);", false},
              {"*x = 1;", false},
              {"y[i] = 0;", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[200];
    xb_arena arena = {0};
    xb_reflection r;
    xb_error error;
    snprintf(text, sizeof text, "__global__ void k(T *x, T *y, int i) { %s }\n", rows[i].body);
    assert_int_equal(xb_reflection_begin("k", &arena, &r, &error), XB_OK);
    r.count = 3;
    assert_true(xb_reflect_cuda_text(text, "k", &arena, &r));
    if (r.parameters[0].only_read != rows[i].only_read || r.parameters[1].only_read)
      fail_msg("%s", rows[i].body);
    xb_arena_free(&arena);
  }
}

TEST(test_deep_constants)
{
  enum { SUMS = 200, ENTRY = 1, UINT, SIZE, ONE, FIRST };
  static words w = {.all = {0x07230203, 0x10000, 0, FIRST + SUMS}, .count = 5};
  xb_arena arena = {0};
  xb_reflection r;
  xb_error error;
  ADD(15, 5, ENTRY, 'k');              /* OpEntryPoint GLCompute */
  ADD(71, SIZE, 11, 25);               /* OpDecorate BuiltIn WorkgroupSize */
  ADD(21, UINT, 32, 0);                /* OpTypeInt */
  ADD(50, UINT, ONE, 1);               /* OpSpecConstant */
  ADD(52, UINT, FIRST, 128, ONE, ONE); /* OpSpecConstantOp OpIAdd */
  for (uint32_t id = FIRST + 1; id < FIRST + SUMS; id++)
    ADD(52, UINT, id, 128, id - 1, id - 1);
  ADD(51, UINT, SIZE, FIRST + SUMS - 1, ONE, ONE); /* OpSpecConstantComposite */
  assert_int_equal(xb_reflect_spirv("s", w.all, w.count * sizeof *w.all, NULL, (xb_constants){0}, &arena, &r, &error),
                   XB_INVALID);
  assert_non_null(strstr(error.message, "is an expression of constants that is not understood"));
  xb_arena_free(&arena);
}

TEST(test_dxil)
{
  xb_arena arena = {0};
  xb_reflection r;
  xb_error error;
  char file[32] = "DXBC";
  file[24] = sizeof file;
  xb_pair_binary code = {.data = file, .bytes = sizeof file};
  const char *const source = "[[vk::binding(7, 1)]] RWStructuredBuffer<P> p : register(u0);";
  assert_int_equal(xb_reflect_dxil("d", LISTING, source, "main", &arena, &code, &r, &error), XB_OK);
  assert_int_equal(r.count, 3 + 4);
  assert_int_equal(r.group[1], 2);
  const xb_code_parameter *x = &r.parameters[0], *raw = &r.parameters[1], *p = &r.parameters[2];
  assert_string_equal(x->name, "x");
  assert_true(x->read_only && x->element.members[0].count == 4 && x->element.bytes == 16);
  assert_string_equal(raw->name, "raw");
  assert_int_equal(raw->binding, 3);
  assert_int_equal(raw->element.member_count, 0);
  assert_true(p->set == 1 && p->binding == 7 && !p->read_only);
  assert_int_equal(p->element.member_count, 2);
  assert_true(p->element.bytes == 20 && p->element.members[1].offset == 12 && p->element.members[1].count == 2);
  static const struct {
    const char *name;
    uint32_t offset, bytes;
  } values[] = {{"n", 0, 4}, {"a", 4, 4}, {"d", 8, 8}, {"q", 16, 8}};
  for (int i = 0; i < 4; i++) {
    const xb_code_parameter *value = &r.parameters[3 + i];
    assert_string_equal(value->name, values[i].name);
    assert_true(!value->is_uniform && value->offset == values[i].offset && value->element.bytes == values[i].bytes);
  }
  assert_true(code.bytes > sizeof file); /* a part for the registers */
  const size_t once = code.bytes;
  assert_int_equal(xb_reflect_dxil("d", LISTING, source, NULL, &arena, &code, &r, &error), XB_OK);
  assert_int_equal(code.bytes, once); /* it is there already */
  assert_int_equal(xb_reflect_dxil("d", LISTING, "", "other", &arena, &code, &r, &error), XB_INVALID);
  assert_non_null(strstr(error.message, "there is no entry point 'other'; the code has: main"));
  file[24] = 31;
  code = (xb_pair_binary){.data = file, .bytes = sizeof file};
  assert_int_equal(xb_reflect_dxil("d", LISTING, "", "main", &arena, &code, &r, &error), XB_INVALID);
  xb_arena_free(&arena);
}

TEST(test_lines)
{
  static const char text[] = "{\n \"a\": 1,\n \"b\\\"{\": [\n  {\"c\": \"}]\"},\n  {\n   \"d\": {}}],\n\n \"e\": null}";
  assert_int_equal(xb_pair_line(text, "a"), 2);
  assert_int_equal(xb_pair_line(text, "e"), 8);
  assert_int_equal(xb_pair_line(text, "none"), 0);
  static const char plain[] = "{\"b\":\n[1,\n{\"c\":\n [], \"d\": true}]}";
  assert_int_equal(xb_pair_line(plain, "b"), 2);
  assert_int_equal(xb_pair_line(plain, "b[1]"), 3);
  assert_int_equal(xb_pair_line(plain, "b[1].c"), 4);
  assert_int_equal(xb_pair_line(plain, "b[1].d"), 4);
  assert_int_equal(xb_pair_line(plain, "b[2]"), 0);
}
