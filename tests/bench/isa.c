/* Machine code: what NVIDIA's driver keeps of a pipeline, the kinds of instructions, loops, and what explains a ratio.
 */
#include "isa/isa.h"
#include "base/whole_file.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* ---- The driver's data ------------------------------------------------------------------------------------------ */

enum { WORD = 16, CODE_WORDS = 3, CONTAINER = 8, ENTRIES = CONTAINER + 32 };

static void put(unsigned char *at, uint64_t value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    at[i] = (unsigned char)(value >> 8 * i);
}

/* What the driver packs: a container with two sections, of which the second is the code, at `place`. */
static void make_contents(unsigned char contents[256], size_t place)
{
  memset(contents, 0, 256);
  memcpy(contents, "NVDANVVMNVuc", 12);
  put(contents + CONTAINER + 4, 1, 4);
  put(contents + CONTAINER + 8, 2, 2);
  put(contents + ENTRIES, 0x45, 4);
  put(contents + ENTRIES + 32, 1, 4);
  put(contents + ENTRIES + 36, CODE_WORDS * WORD, 4);
  put(contents + ENTRIES + 40, place, 8);
  for (size_t i = 0; i < CODE_WORDS && CONTAINER + place + i * WORD + 2 <= 256; i++)
    put(contents + CONTAINER + place + i * WORD, i ? 0x947 : 0xB82, 2);
}

/* Data as the driver keeps it, in a buffer of 1024 bytes. Returns its length; 0: libzstd is not here. */
static size_t pack(unsigned char *data, const unsigned char contents[256])
{
  size_t (*compress)(void *, size_t, const void *, size_t, int) = NULL;
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  if (library)
    *(void **)&compress = dlsym(library, "ZSTD_compress");
  if (!compress)
    return 0;
  memset(data, 0, 100);
  put(data, 32, 4);
  put(data + 4, 1, 4);
  put(data + 8, 0x10DE, 4);
  return 100 + compress(data + 100, 1024 - 100, contents, 256, 1);
}

TEST(test_shader_code)
{
  xb_arena arena = {0};
  unsigned char data[1024], contents[256];
  const char *why;
  size_t count = 0;
  make_contents(contents, 150);
  const size_t bytes = pack(data, contents);
  if (!bytes)
    skip();
  const unsigned char *found = xb_isa_shader_code(data, bytes, &arena, &count, &why);
  assert_null(why);
  assert_non_null(found);
  assert_int_equal(count, CODE_WORDS * WORD);
  assert_int_equal(found[0] | found[1] << 8, 0xB82);
  assert_int_equal(xb_isa_count_code(found, count), CODE_WORDS);
  xb_arena_free(&arena);
}

/* copy/2 and sort/3's `starts`, as driver 580.159.04 keeps them for an H200; the driver reports 896 and 1024 bytes of
 * code. */
TEST(test_recorded_data)
{
  static const struct {
    const char *name;
    size_t bytes;
    int64_t instructions;
  } files[] = {{"h200_copy_2.cache", 896, 45}, {"h200_sort_starts.cache", 1024, 50}};
  for (size_t i = 0; i < 2; i++) {
    xb_arena arena = {0};
    char *data, path[512];
    size_t bytes, count = 0;
    const char *why;
    xb_error error;
    assert_true(test_argument_count > 0);
    snprintf(path, sizeof path, "%s/%s", test_arguments[0], files[i].name);
    assert_int_equal(xb_read_whole_file(path, &arena, &data, &bytes, &error), XB_OK);
    const unsigned char *code = xb_isa_shader_code(data, bytes, &arena, &count, &why);
    if (!code && strstr(why, "libzstd"))
      skip();
    assert_null(why);
    assert_int_equal(count, files[i].bytes);
    assert_int_equal(xb_isa_count_code(code, count), files[i].instructions);
    xb_arena_free(&arena);
  }
}

static void refused(const void *data, size_t bytes, const char *expected)
{
  xb_arena arena = {0};
  size_t count;
  const char *why = NULL;
  assert_null(xb_isa_shader_code(data, bytes, &arena, &count, &why));
  assert_non_null(why);
  if (!strstr(why, expected))
    fail_msg("'%s' does not say '%s'", why, expected);
  assert_null(strchr(why, '\n'));
  xb_arena_free(&arena);
}

TEST(test_unknown_data)
{
  unsigned char data[1024], contents[256];
  make_contents(contents, 150);
  size_t bytes = pack(data, contents);
  if (!bytes)
    skip();
  refused(data, 31, "no pipeline data of version 1");
  refused(data, bytes - 1, "damaged");
  refused(data, 100, "no zstd frame");
  put(data + 4, 2, 4);
  refused(data, bytes, "no pipeline data of version 1");
  put(data + 4, 1, 4);
  put(data + 8, 0x1002, 4);
  refused(data, bytes, "not NVIDIA's");

  static const struct {
    size_t at;
    uint64_t value;
    const char *expected;
  } changes[] = {{0, 'M', "no NVDANVVM"},
                 {CONTAINER, 'M', "not of version 1"},
                 {CONTAINER + 4, 2, "not of version 1"},
                 {CONTAINER + 8, 1, "no section of code"}, /* the code is the second section */
                 {ENTRIES + 36, 49, "no section of code"},
                 {ENTRIES + 37, 0xFF, "no section of code"},
                 {ENTRIES + 47, 0x80, "no section of code"}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    make_contents(contents, 150);
    contents[changes[i].at] = (unsigned char)changes[i].value;
    bytes = pack(data, contents);
    refused(data, bytes, changes[i].expected);
  }
}

/* ---- Kinds and loops -------------------------------------------------------------------------------------------- */

static const char cubin_text[] = ".text.sum:\n"
                                 "sum.cu:3: for (k = 0; k < n; k++)\n"
                                 "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
                                 ".L_x_1:\n"
                                 "        /*0010*/                   LDG.E.128.CONSTANT R4, [R2.64] ;\n"
                                 "sum.cu:4: s += x[k] * y[k];\n"
                                 "        /*0020*/                   FFMA R0, R4, R5, R0 ;\n"
                                 ".L_x_2:\n"
                                 "        /*0030*/                   STS [R9], R0 ;\n"
                                 "        /*0040*/               @P1 BRA `(.L_x_2) ;\n"
                                 "        /*0050*/              @!P0 BRA `(.L_x_1) ;\n"
                                 ".L_x_4:\n"
                                 "        /*0060*/                   IADD3 R0, R0, R1, RZ ;\n"
                                 "        /*0070*/                   ATOMS.OR RZ, [R9], R0 ;\n"
                                 "        /*0080*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
                                 "        /*0090*/               @P0 BRA `(.L_x_4) ;\n"
                                 "        /*00a0*/                   EXIT ;\n"
                                 ".L_x_7:\n"
                                 "        /*00b0*/                   IMAD.MOV.U32 R2, RZ, RZ, R33 ;\n"
                                 "        /*00c0*/                   BRA `(.L_x_4) ;\n"
                                 ".L_x_8:\n"
                                 "        /*00d0*/                   BRA `(.L_x_8);\n";

TEST(test_kinds)
{
  xb_isa_counts c;
  xb_isa_count(cubin_text, cubin_text + strlen(cubin_text), &c);
  assert_int_equal(c.of[XB_ISA_LOADS], 1);
  assert_int_equal(c.load_bytes, 16);
  assert_int_equal(c.of[XB_ISA_FLOATS], 1);
  assert_int_equal(c.fused, 1);
  assert_int_equal(c.of[XB_ISA_SHARED], 1);
  assert_int_equal(c.of[XB_ISA_ATOMICS], 1);
  assert_int_equal(c.of[XB_ISA_BARRIERS], 1);
  assert_int_equal(c.of[XB_ISA_MOVES], 1);
  assert_int_equal(c.of[XB_ISA_INTEGERS], 1);
  assert_int_equal(c.of[XB_ISA_BRANCHES], 6);
  assert_int_equal(c.all, 14);
}

/* Neither the loop around another one, nor code behind the end that branches back. */
TEST(test_loops)
{
  xb_isa_counts c;
  const char *begin, *end;
  assert_true(xb_isa_largest_loop(cubin_text, &begin, &end));
  assert_memory_equal(begin, ".L_x_4:", 7);
  xb_isa_count(begin, end, &c);
  assert_int_equal(c.all, 4);

  char indented[2 * sizeof cubin_text] = ""; /* as a listing with lines of the source between */
  for (const char *line = cubin_text; *line; line += strcspn(line, "\n") + 1)
    snprintf(indented + strlen(indented), sizeof indented - strlen(indented), "  %.*s\n", (int)strcspn(line, "\n"),
             line);
  assert_true(xb_isa_largest_loop(indented, &begin, &end));
  xb_isa_count(begin, end, &c);
  assert_int_equal(c.all, 4);

  static const char raw[] = "\t.headerflags\t@\"EF_CUDA_SM90\"\n        /*0000*/  LDC R1, c[0x0][0x28] ;\n"
                            "        /*0010*/  FADD R0, R0, R1 ;\n        /*0020*/  @!P1 BRA 0x10 ;\n"
                            "        /*0030*/  EXIT ;\n        /*0040*/  BRA 0x40;\n";
  assert_true(xb_isa_largest_loop(raw, &begin, &end));
  xb_isa_count(begin, end, &c);
  assert_int_equal(c.all, 2);
  assert_int_equal(c.of[XB_ISA_FLOATS], 1);
  assert_int_equal(c.fused, 0);

  static const char amd[] =
      "BB0:\n\ts_mov_b32 s0, s3 ; be800003\nBB1:\n\tbuffer_load_dwordx2 v1, v0, s[8:11], 0 offen ; e0\n"
      "\tv_fmac_f32_e32 v2, s2, v1 ; 56\n\ts_cbranch_scc1 BB1      ; bf85fffa\n\ts_endpgm ; bf81\n";
  assert_true(xb_isa_largest_loop(amd, &begin, &end));
  xb_isa_count(begin, end, &c);
  assert_int_equal(c.all, 3);
  assert_int_equal(c.load_bytes, 8);
  assert_int_equal(c.fused, 1);
  assert_false(xb_isa_largest_loop("\ts_endpgm\n", &begin, &end));
}

/* ---- What explains a ratio -------------------------------------------------------------------------------------- */

static double cause_of(const xb_isa_code *slow, const xb_isa_code *fast, const char *what, double *of_fast)
{
  xb_isa_cause causes[XB_ISA_CAUSES];
  const size_t count = xb_isa_explain(slow, fast, causes);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(causes[i].what, what)) {
      *of_fast = causes[i].fast;
      return causes[i].slow;
    }
  return -1;
}

/* The keys' kernel of sort/3 in groups of 320, when it kept its 18 keys, counted in what an H200's driver (580.159.04)
 * and nvcc 13.0 made of it. */
static const xb_isa_code
    vulkan_sort = {.groups = 1,
                   .waves = NAN,
                   .registers = 101,
                   .shared_bytes = 32012,
                   .local_bytes = NAN,
                   .counted = true,
                   .all = {{0, 86, 0, 210, 52, 45, 22, 54, 18, 131, 59, 63, 0, 1076}, 1757, 0, 216, 0, 0},
                   .loop = {{0, 8, 0, 0, 12, 0, 0, 0, 0, 17, 0, 10, 0, 77}, 124, 0, 0, 0, 0}},
    cuda_sort = {.groups = 3,
                 .waves = NAN,
                 .registers = 64,
                 .shared_bytes = 25384,
                 .local_bytes = 0,
                 .counted = true,
                 .all = {{0, 39, 0, 229, 7, 9, 52, 58, 20, 122, 69, 89, 0, 978}, 1603, 0, 232, 0, 0},
                 .loop = {{0, 0, 0, 0, 0, 0, 0, 4, 0, 14, 0, 14, 0, 48}, 80, 0, 16, 0, 0}};

TEST(test_explain)
{
  double of_fast;
  assert_true(cause_of(&vulkan_sort, &cuda_sort, "groups a multiprocessor", &of_fast) == 1 && of_fast == 3);
  assert_true(cause_of(&vulkan_sort, &cuda_sort, "registers a thread", &of_fast) == 101 && of_fast == 64);
  assert_true(cause_of(&vulkan_sort, &cuda_sort, "barriers", &of_fast) == 45 && of_fast == 9);
  assert_true(cause_of(&vulkan_sort, &cuda_sort, "loads and stores", &of_fast) < 0);
  assert_true(cause_of(&vulkan_sort, &cuda_sort, "bytes of local memory a thread", &of_fast) < 0); /* unknown */
}

/* Nothing is a cause that is the same, is better on the slow side, or is unknown; registers that hold as many groups
 * are none. */
TEST(test_no_cause)
{
  xb_isa_cause causes[XB_ISA_CAUSES];
  xb_isa_code slow = cuda_sort;
  const xb_isa_code unknown = {.groups = NAN, .waves = NAN, .registers = NAN, .shared_bytes = NAN, .local_bytes = NAN};
  assert_int_equal(xb_isa_explain(&cuda_sort, &cuda_sort, causes), 0);
  assert_int_equal(xb_isa_explain(&cuda_sort, &vulkan_sort, causes), 1); /* of all counts one is worse */
  assert_string_equal(causes[0].what, "integer instructions and moves for each other instruction");
  assert_int_equal(xb_isa_explain(&unknown, &cuda_sort, causes), 0);
  assert_int_equal(xb_isa_explain(&cuda_sort, &unknown, causes), 0);
  slow.registers = 72;
  assert_int_equal(xb_isa_explain(&slow, &cuda_sort, causes), 0);
}

TEST(test_causes)
{
  double of_fast;
  xb_isa_code slow = cuda_sort, fast = cuda_sort;
  fast.all.load_bytes = 928; /* 16 bytes a load, not 4 */
  assert_true(cause_of(&slow, &fast, "bytes a load", &of_fast) == 4 && of_fast == 16);
  slow.local_bytes = 40;
  assert_true(cause_of(&slow, &fast, "bytes of local memory a thread", &of_fast) == 40 && of_fast == 0);
  slow.loop.of[XB_ISA_INTEGERS] = 94;
  assert_true(cause_of(&slow, &fast, "integer instructions and moves for each other instruction", &of_fast) == 27);
  assert_true(of_fast == 15.5);

  fast = slow = cuda_sort;
  slow.all.of[XB_ISA_FLOATS] = 80; /* a product and a sum each, where the other code has one instruction */
  fast.all.of[XB_ISA_FLOATS] = fast.all.fused = 40;
  slow.all.fused = 8;
  assert_true(cause_of(&slow, &fast, "share of fused multiply-adds in the float instructions", &of_fast) == 0.1);
  slow.all.of[XB_ISA_FLOATS] = 40;
  assert_true(cause_of(&slow, &fast, "share of fused multiply-adds in the float instructions", &of_fast) < 0);

  /* One instruction is no part of a code: a division of whole numbers has some floats, which may be fused. */
  fast = slow = cuda_sort;
  slow.all.of[XB_ISA_FLOATS] = 13;
  fast.all.of[XB_ISA_FLOATS] = fast.all.fused = 1;
  assert_true(cause_of(&slow, &fast, "share of fused multiply-adds in the float instructions", &of_fast) < 0);
  assert_true(cause_of(&slow, &fast, "float instructions", &of_fast) < 0);
  slow.all.of[XB_ISA_FLOATS] = 200;
  assert_true(cause_of(&slow, &fast, "float instructions", &of_fast) == 200 && of_fast == 1);

  /* Sums behind dot products are instructions of their own where the sum is not an operand. */
  static const char without[] = "  IDP.4A.S8.S8 R4, R7, R0, RZ ;\n  IADD3 R5, R1, R4, RZ ;\n",
                    with[] = "  IDP.4A R7, R7, R3, R4 ;\n";
  fast = slow = cuda_sort;
  xb_isa_count(without, without + strlen(without), &slow.all);
  xb_isa_count(with, with + strlen(with), &fast.all);
  assert_true(cause_of(&slow, &fast, "share of dot products that also add", &of_fast) == 0 && of_fast == 1);

  /* A loop is not compared with a code that has none, but both as wholes. */
  slow = fast = cuda_sort;
  slow.loop.of[XB_ISA_INTEGERS] = 94;
  fast.loop = (xb_isa_counts){0};
  assert_true(cause_of(&slow, &fast, "integer instructions and moves for each other instruction", &of_fast) < 0);

  /* A loop that is unrolled more: counts of whole codes say nothing then. */
  fast = slow = cuda_sort;
  fast.loop.all = 400;
  fast.all.all = 3000;
  slow.all.of[XB_ISA_BARRIERS] = 20;
  assert_true(cause_of(&slow, &fast, "instructions of the largest loop, which is unrolled less", &of_fast) == 80);
  assert_true(cause_of(&slow, &fast, "barriers", &of_fast) < 0);
}
