/* What changes the hash of a source, and what does not. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "os/temporary.h"
#include "source/fingerprint.h"
#include "test.h"

static const char HEADER[] = "#ifndef ARGS_H\n#define ARGS_H\nstruct args { uint n, k; };\n#endif\n";
static const char OTHER_HEADER[] = "struct args { uint k, n; };\n";
static const char SOURCE[] = "#include <cuda_fp16.h>\n"
                             "#include \"args.h\"\n"
                             "#define SCALE 3\n"
                             "#define UPDATE(value) (value) += step\n"
                             "#if defined(__CUDACC__) && !defined(OWN)\n"
                             "constant float half_of = 0.5f;\n"
                             "#else\n"
                             "constant float half_of = 0.25f;\n"
                             "#endif\n"
                             "#if __CUDA_ARCH__ >= 900\n"
                             "#define WIDE 8\n"
                             "#endif\n"
                             "__device__ float twice(float given) { return given * 2; }\n"
                             "__global__ void run(const args *sizes, float *out)\n"
                             "{\n"
                             "  float sum = 0, pairs[2] = {sizes->n * half_of, SCALE};\n"
                             "  struct { float low, high; } range;\n"
                             "  for (uint i = 0; i < sizes->n; i++)\n"
                             "    sum += pairs[i % 2] * low_of(range) - out[i];\n"
                             "  const float step = twice(sum);\n"
                             "  if (sum > step) {\n"
                             "    float sum = i;\n"
                             "    UPDATE(sum);\n"
                             "  }\n"
                             "  out[0] = sum * step;\n"
                             "}\n";

typedef struct folder {
  char path[XB_TEMPORARY_BYTES];
} folder;

static void put(const folder *f, const char *name, const char *text)
{
  char path[XB_TEMPORARY_BYTES + 16];
  snprintf(path, sizeof path, "%s/%s", f->path, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static uint64_t hash_of(const folder *f, const char *text)
{
  static const char *const flags[] = {"-D__CUDACC__", "-U", "OWN", NULL};
  const xb_source_options options = {.flags = flags, .keeps_missing = true};
  char path[XB_TEMPORARY_BYTES + 16];
  put(f, "kernel.cu", text);
  snprintf(path, sizeof path, "%s/kernel.cu", f->path);
  const uint64_t hash = xb_source_fingerprint(path, &options);
  assert_true(hash);
  return hash;
}

/* SOURCE with `to` in place of each `from`. */
static uint64_t hash_with(const folder *f, const char *from, const char *to)
{
  char text[4096], *end = text;
  const char *at = SOURCE, *next;
  assert_non_null(strstr(SOURCE, from));
  for (; (next = strstr(at, from)); at = next + strlen(from))
    end += sprintf(end, "%.*s%s", (int)(next - at), at, to);
  sprintf(end, "%s", at);
  return hash_of(f, text);
}

typedef struct edit {
  const char *from, *to;
} edit;

static void hold(const edit *edits, size_t count, bool changes)
{
  folder f;
  assert_true(xb_temporary_folder(f.path));
  put(&f, "args.h", HEADER);
  const uint64_t hash = hash_of(&f, SOURCE);
  for (size_t i = 0; i < count; i++)
    if ((hash_with(&f, edits[i].from, edits[i].to) != hash) != changes)
      fail_msg("'%s' in place of '%s' %s the hash", edits[i].to, edits[i].from,
               changes ? "does not change" : "changes");
  xb_temporary_remove(f.path);
}

#define EDITS(edits) edits, sizeof(edits) / sizeof *(edits)

TEST(test_comments_and_layout_do_not_count)
{
  static const edit edits[] = {{"return given", "return /* what\nwas */ given"},
                               {"{ return given * 2; }", "\n{\n\treturn given*2; // twice\n}\n\n"},
                               {"#define SCALE 3", "  # define  SCALE /* of pairs */ 3"},
                               {"args *sizes,", "args *sizes, \\\n"}};
  hold(EDITS(edits), false);
}

TEST(test_names_of_locals_do_not_count)
{
  static const edit edits[] = {{"given", "x"},
                               {"pairs", "of_both"},
                               {"sizes", "about"},
                               {"out", "results"},
                               {"uint i = 0; i < sizes->n; i++)\n    sum += pairs[i % 2] * low_of(range) - out[i]",
                                "uint k = 0; k < sizes->n; k++)\n    sum += pairs[k % 2] * low_of(range) - out[k]"},
                               {"float sum = i;\n    UPDATE(sum)", "float inner = i;\n    UPDATE(inner)"}};
  hold(EDITS(edits), false);
}

TEST(test_empty_macros_do_not_count)
{
  static const edit edits[] = {
      {"#define SCALE 3", "#define SCALE 3\n#define QUIET"},
      {"__device__ float twice", "#define DEVICE // nothing\nDEVICE __device__ DEVICE float twice"},
      {"#define SCALE 3", "#define QUIET\n#define SCALE QUIET 3\n#undef QUIET"}};
  hold(EDITS(edits), false);
}

TEST(test_branches_that_are_not_compiled_do_not_count)
{
  static const edit edits[] = {{"0.25f", "0.125f"},
                               {"#else", "#elif defined(__HLSL_VERSION)\nint none;\n#else"},
                               {"#define SCALE 3", "#if 0\nint none;\n#endif\n#define SCALE 3"},
                               {"!defined(OWN)", "(!defined(OWN) || 0)"},
                               {"#define SCALE 3", "#define SCALE 3\n#ifdef __CUDACC__\n#endif"}};
  hold(EDITS(edits), false);
}

TEST(test_what_is_said_counts)
{
  static const edit edits[] = {
      {"given * 2", "given * 3"}, /* a number */
      {"given * 2", "given + 2"}, /* an operator */
      {"SCALE 3", "SCALE 4"},     /* a definition */
      {"UPDATE(value) (value) +=", "UPDATE (value) (value) +="},
      {"#define SCALE 3", "#define SCALE\n#define OTHER 3"},
      {"<cuda_fp16.h>", "<cuda_bf16.h>"}, /* an include that is not the project's */
      {"#include <cuda_fp16.h>\n", ""},
      {"#include \"args.h\"\n", ""},
      {"0.5f", "0.75f"}, /* in the branch that is compiled */
      {"!defined(OWN)", "defined(OWN)"},
      {"#define SCALE 3", "#define OWN\n#define SCALE 3"}, /* an empty macro that a condition asks for */
      {"__CUDA_ARCH__ >= 900", "__CUDA_ARCH__ >= 800"},    /* a condition that nobody knows */
      {"WIDE 8", "WIDE 4"},
      {"half_of,", "whole_of,"}, /* names that are no locals */
      {"twice(sum)", "once(sum)"},
      {"sizes->n * half_of", "sizes->k * half_of"},
      {"float low, high", "float high, low"},
      {"out[0] = sum * step", "out[0] = step * sum"}, /* another local */
      {"{sizes->n * half_of, SCALE}", "{sizes->n * SCALE, SCALE}"},
      {"float sum = i;", "float sum = k;"}, /* behind the loop, i is no local */
      {"float sum = i;\n    UPDATE(sum)", "float inner = i;\n    UPDATE(sum)"},
      {"const float step", "const float stride"}, /* the macro has the name */
      {"const float step", "const double step"}};
  hold(EDITS(edits), true);
}

TEST(test_headers_count)
{
  folder f;
  assert_true(xb_temporary_folder(f.path));
  put(&f, "args.h", HEADER);
  const uint64_t hash = hash_of(&f, SOURCE);
  put(&f, "args.h", "/* sizes */\n#ifndef ARGS_H\n#define ARGS_H\nstruct args {\n  uint n, k;\n};\n#endif\n");
  assert_true(hash_of(&f, SOURCE) == hash);
  put(&f, "args.h", OTHER_HEADER);
  assert_true(hash_of(&f, SOURCE) != hash);
  xb_temporary_remove(f.path);
}

static const char *repeated(const char *start, const char *part)
{
  static char text[100000];
  char *end = text + sprintf(text, "%s", start);
  while (end + strlen(part) < text + sizeof text)
    end += sprintf(end, "%s", part);
  return text;
}

/* Sources of strangers must not take hours, nor all of the stack. */
TEST(test_odd_sources_end)
{
  static const char *const odd[] = {"#if (",
                                    "#endif\n#else\n",
                                    "#ifdef\n#define\n#undef",
                                    "void f(",
                                    "void f() { for (",
                                    "void f() { struct",
                                    "void f() { int a",
                                    "}}}",
                                    "cbuffer c : register(b0) { int a; }"};
  folder f;
  assert_true(xb_temporary_folder(f.path));
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    hash_of(&f, odd[i]);
  hash_of(&f, repeated("#if ", "("));
  hash_of(&f, repeated("", "#if A\n"));
  hash_of(&f, repeated("void f() {", "int a;"));
  hash_of(&f, repeated("void f() {", "for (int a = 0;;"));
  hash_of(&f, repeated("void f() {", "for (int a;;) "));
  assert_true(!xb_source_fingerprint("/nonexistent/none.cu", &(xb_source_options){0}));
  xb_temporary_remove(f.path);
}
