/* Sources as text: masks, includes, branches of the preprocessor, declarations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/temporary.h"
#include "source/declarations.h"
#include "source/includes.h"
#include "source/values.h"
#include "test.h"

TEST(test_masks)
{
  static const struct {
    const char *text; /* the mask is what stands behind `=>` */
    xb_mask mask;
  } cases[] = {{"=> 0xffffffff", XB_MASK_FULL},
               {"=> 0xFFFFFFFFu", XB_MASK_FULL},
               {"=> ((~0U))", XB_MASK_FULL},
               {"=> (unsigned)-1", XB_MASK_FULL},
               {"=> 4294967295", XB_MASK_FULL},
               {"=> 0xffff", XB_MASK_PARTIAL},
               {"=> 0x0ffffffff", XB_MASK_PARTIAL},
               {"=> mask", XB_MASK_UNKNOWN},
               {"=> FULL_MASK", XB_MASK_UNKNOWN},
               {"=> f(0)", XB_MASK_UNKNOWN},
               {"#define ALL 0xffffffff\n=> ALL", XB_MASK_FULL},
               {"#define FULL_MASK 0x0000ffff\n=> FULL_MASK", XB_MASK_PARTIAL},
               {"#define ALL (~0u) // all\nint ALL2;\n=> ALL", XB_MASK_FULL},
               {"#if X\n#define ALL ~0u\n#else\n#define ALL 0xff\n#endif\n=> ALL", XB_MASK_PARTIAL},
               {"static constexpr unsigned ALL = ~0u;\n=> ALL", XB_MASK_FULL},
               {"const unsigned ALL = ~0u, LOW = 0xff;\n=> LOW", XB_MASK_UNKNOWN}, /* behind a comma */
               {"unsigned all = ~0u;\n=> all", XB_MASK_UNKNOWN}};                  /* it may change */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    xb_tokens t = {0};
    size_t from = 0;
    xb_tokens_read(&t, cases[i].text);
    while (!xb_token_is(&t.list[from], ">") || !xb_token_is(&t.list[from - 1], "="))
      from++;
    unsigned char *names = xb_mask_names_read(&t);
    if (xb_mask_of(names, &t, from + 1, t.count) != cases[i].mask)
      fail_msg("%s: mask %d", cases[i].text, (int)xb_mask_of(names, &t, from + 1, t.count));
    free(names);
    xb_tokens_free(&t);
  }
}

static void put(const char *folder, const char *name, const char *text)
{
  char path[XB_TEMPORARY_BYTES + 16];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* The text with one blank for each gap, so that it can be compared. */
static void squeeze(char *text)
{
  char *to = text;
  for (const char *p = text; *p; p++)
    if (*p > ' ')
      *to++ = *p;
    else if (to > text && to[-1] != ' ')
      *to++ = ' ';
  *to = 0;
}

TEST(test_branches)
{
  static const struct {
    const char *text, *kept;
  } cases[] = {
      {"#ifdef A\nint a;\n#else\nint b;\n#endif\nint c;\n", "int b; int c; "},
      {"#if defined(GIVEN) && GIVEN == 3\nint a;\n#elif 1\nint b;\n#endif\n", "int a; "},
      {"#if 0\nint a;\n#if 1\nint b;\n#endif\n#else\nint c;\n#endif /* the\nend */\nint d;\n", "int c; int d; "},
      {"#ifdef A\n#error no A\n#else\n#define B 1\n#endif\n#if B\nint b;\n#endif\n", "#define B 1 int b; "},
      {"#include <none.h>\n#include \"in.h\"\n#include \"in.h\"\n#ifdef IN\nint b;\n#endif\n",
       "#define IN int in; int b; "},
      {"// #include \"in.h\"\nconst char *s = \"#if\";\n/*\n#if 0\n*/\nint b;\n#if __CUDA_ARCH__ >= 700\nint "
       "c;\n#endif\n",
       "// #include \"in.h\" const char *s = \"#if\"; /* #if 0 */ int b; int c; "},
      {"#if \\\n  0\nint a;\n#endif\n#if F(\nint b;\n#endif\n", "#if \\ 0 int a; #endif #if F( int b; #endif "}};
  char folder[XB_TEMPORARY_BYTES], path[XB_TEMPORARY_BYTES + 16];
  xb_arena arena = {0};
  assert_true(xb_temporary_folder(folder));
  put(folder, "in.h", "#pragma once\n#define IN\nint in;\n");
  snprintf(path, sizeof path, "%s/a.cu", folder);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    put(folder, "a.cu", cases[i].text);
    const xb_source_options options = {.flags = (const char *const[]){"-D", "GIVEN=3", NULL}};
    char *text = xb_source_read(path, &options, &arena);
    assert_non_null(text);
    squeeze(text);
    assert_string_equal(strncmp(text, "#pragma once ", 13) ? text : text + 13, cases[i].kept);
  }
  const xb_source_options none = {0};
  char *expanded = xb_source_expand("#define K(n) __global__ void n()\nK(f) {}\n", &none, &arena);
  assert_non_null(expanded);
  squeeze(expanded);
  assert_string_equal(expanded, "__global__ void f() {} ");
  assert_null(xb_source_read("/nonexistent.cu", &none, &arena));
  xb_temporary_remove(folder);
  xb_arena_free(&arena);
}

TEST(test_declarations)
{
  static const struct {
    const char *text, *name;
    size_t tokens, body;
  } cases[] = {{"int a = 3; int b;", "a", 5, 0},
               {"void f(int a) { if (a) { } } int b;", "f", 14, 6},
               {"struct S f(int a) { } int b;", "f", 9, 7},
               {"struct S { int f(int); }; int b;", "S", 11, 0},
               {"template <int N> __device__ T f() { } int b;", "f", 12, 10},
               {"template <int N = 2, class T = S<int>> void f() { } int b;", "f", 21, 19},
               {"auto f = [](int a) { return a; }; int b;", "f", 15, 0},
               {"__global__ void __launch_bounds__(256) k(float *x); int b;", "k", 13, 0},
               {"extern __shared__ alignas(16) float s[];", "s", 11, 0},
               {"template <> float f<float>(float x) { } int b;", "f", 14, 12},
               {"[numthreads(8, 1, 1)]\nvoid main(uint3 i : SV_GroupID) { } int b;", "main", 20, 18},
               {"[[vk::constant_id(0)]] const int N = 4; int b;", "N", 14, 0},
               {"cbuffer c : register(b1) { int n; } void f() { }", "c", 12, 0},
               {"layout(binding = 0) buffer B { int x[]; } b;", "B", 17, 0},
               {"layout(local_size_x = 64) in; void main() { }", "in", 8, 0},
               {"[numthreads(8, 1, 1)] void layout(uint3 i : SV_GroupID) { } int b;", "layout", 20, 18},
               {"WIDE\n#if defined(A)\n#endif\nvoid f() { } int b;", "f", 13, 11}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    xb_tokens t = {0};
    size_t body;
    xb_tokens_read(&t, cases[i].text);
    const size_t end = xb_declaration_end(&t, 0, &body);
    if (end != cases[i].tokens || body != cases[i].body)
      fail_msg("%s: %zu tokens, body at %zu", cases[i].text, end, body);
    if (!xb_token_is(&t.list[xb_declaration_name(&t, 0, end)], cases[i].name))
      fail_msg("%s: another name", cases[i].text);
    xb_tokens_free(&t);
  }
}

TEST(test_scopes)
{
  static const struct {
    const char *text; /* of a function f */
    xb_token_scope scope;
  } cases[] = {{"__global__ void f(float *x) { }", XB_SCOPE_KERNEL},
               {"__global__ void f(struct S *x, enum E e) { }", XB_SCOPE_KERNEL},
               {"void f(struct S x) { }", XB_SCOPE_HOST},
               {"__global__ void __launch_bounds__(256) f(struct S *x) { }", XB_SCOPE_KERNEL},
               {"struct S { int a; }; __device__ struct S f() { }", XB_SCOPE_DEVICE},
               {"struct alignas(16) S { int f; };", XB_SCOPE_FILE},
               {"struct __align__(16) S { int f; };", XB_SCOPE_FILE},
               {"\xEF\xBB\xBFnamespace n { __device__ int f() { } }", XB_SCOPE_DEVICE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    xb_tokens t = {0};
    size_t at = 0;
    xb_tokens_read(&t, cases[i].text);
    xb_tokens_set_scopes(&t, false);
    while (!xb_token_is(&t.list[at], "f"))
      at++;
    if (t.list[at].scope != cases[i].scope)
      fail_msg("%s: scope %d", cases[i].text, (int)t.list[at].scope);
    assert_int_equal(xb_token_at(&t, 0)->text[0] == cases[i].text[0], *cases[i].text != '\xEF');
    xb_tokens_free(&t);
  }
}
