/* Languages, and the options of their compilers. */
#include "compile/compile.h"

#include "base/whole_file.h"
#include "source/tokens.h"

#include <stdio.h>
#include <string.h>

static const xb_pair_language languages[] = {
    {"hlsl", "spv", "dxc glslc slangc ", NULL}, /* the first, for `is_hlsl` */
    {"cu", "fatbin", "nvrtc nvcc ", NULL},
    {"cuh", "fatbin", "nvrtc nvcc ", NULL},
    {"comp", "spv", "glslc ", "main"},
    {"glsl", "spv", "glslc ", "main"},
    {"slang", "spv", "slangc ", NULL},
    {"wgsl", "spv", "naga tint ", NULL},
    {"cc", "spv", "glslc ", "main"}, /* GLSL as text in host code */
    {"cpp", "spv", "glslc ", "main"},
    {"hpp", "spv", "glslc ", "main"},
    {"spv", "spv", NULL, NULL},
    {"dxil", "dxil", NULL, NULL},
    {"ptx", "fatbin", NULL, NULL},
    {"cubin", "fatbin", NULL, NULL},
    {"fatbin", "fatbin", NULL, NULL},
};

/* Words that a source has, in tokens of this kind: not in its comments. */
static bool has_word(const char *text, xb_token_kind kind, const char *words)
{
  xb_tokens t = {0};
  bool has = false;
  xb_tokens_read(&t, text);
  for (size_t i = 0; i < t.count && !has; i++)
    has = t.list[i].kind == kind && xb_token_in(&t.list[i], words);
  xb_tokens_free(&t);
  return has;
}

/* A shader in a file for GLSL. */
static bool is_hlsl(const char *path)
{
  char *text;
  size_t bytes;
  xb_arena arena = {0};
  const bool is = !xb_read_file(path, XB_MAX_SOURCE_BYTES, &arena, &text, &bytes, NULL) &&
                  has_word(text, XB_TOKEN_NAME, "numthreads") && !has_word(text, XB_TOKEN_DIRECTIVE, "version");
  xb_arena_free(&arena);
  return is;
}

const xb_pair_language *xb_pair_language_of(const char *path)
{
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++)
    if (!strcmp(dot + 1, languages[i].extension))
      return languages[i].entry && is_hlsl(path) ? &languages[0] : &languages[i];
  return NULL;
}

const char *xb_hlsl_entries(const char *text, char all[200])
{
  xb_tokens t = {0};
  *all = 0;
  xb_tokens_read(&t, text);
  for (size_t i = 1; i < t.count; i++) {
    if (!xb_token_is(&t.list[i], "numthreads") || !xb_token_is(&t.list[i - 1], "["))
      continue;
    size_t at = xb_token_close(&t, i - 1) + 1;
    while (at < t.count && !xb_token_in(&t.list[at], "( ; {"))
      at = xb_token_is(&t.list[at], "[") ? xb_token_close(&t, at) + 1 : at + 1;
    const xb_token *name = xb_token_is(xb_token_at(&t, at), "(") ? &t.list[at - 1] : NULL;
    const size_t used = strlen(all);
    if (name && name->kind == XB_TOKEN_NAME)
      snprintf(all + used, 200 - used, "%s%.*s", used ? ", " : "", (int)name->length, name->text);
  }
  xb_tokens_free(&t);
  return all;
}

xb_code xb_pair_code_format(const char *path, const char **format, xb_error *err)
{
  const xb_pair_language *l = xb_pair_language_of(path);
  *format = l ? l->format : NULL;
  return l ? XB_OK
           : xb_fail(
                 err, XB_INVALID, path,
                 "unknown kind of source: expected .cu, .cuh, .hlsl, .glsl, .comp, .slang, .wgsl, .spv, .dxil, .ptx, "
                 ".cubin or .fatbin");
}

bool xb_pair_is_source(const char *path)
{
  const xb_pair_language *l = xb_pair_language_of(path);
  return l && l->compilers;
}

bool xb_is_cuda_source(const char *path)
{
  const xb_pair_language *l = xb_pair_language_of(path);
  return l && l->compilers && !strcmp(l->format, "fatbin");
}

const char *xb_pair_prescribed_entry(const char *path)
{
  const xb_pair_language *l = xb_pair_language_of(path);
  return l ? l->entry : NULL;
}

static bool compiles(const xb_pair_language *l, const char *name)
{
  const char *found = l->compilers ? strstr(l->compilers, name) : NULL;
  return found && (found == l->compilers || found[-1] == ' ') && found[strlen(name)] == ' ';
}

xb_code xb_pair_check_compiler(const char *name, const char *path, xb_error *err)
{
  const xb_pair_language *l = xb_pair_language_of(path);
  if (l && compiles(l, name))
    return XB_OK;
  if (l && !l->compilers)
    return xb_fail(err, XB_INVALID, path, "is compiled already: %s cannot compile it", name);
  return xb_fail(err, XB_INVALID, path, "%s does not compile .%s files; there are: %s", name, l ? l->extension : "such",
                 l ? l->compilers : "none");
}

/* ---- Options ---------------------------------------------------------------------------------------------------- */

void xb_pair_add_word(xb_pair_job *j, const char *word)
{
  if (j->count < XB_MOST_COMPILER_WORDS)
    j->words[j->count++] = word;
}

void xb_pair_add_folder(xb_pair_job *j)
{
  const char *path = j->source->path, *slash = strrchr(path, '/');
  xb_pair_add_word(j, slash ? xb_arena_text(j->arena, "-I%.*s", (int)(slash - path), path) : "-I.");
}

void xb_pair_add_words(xb_pair_job *j, const char *text)
{
  for (size_t length; text += strspn(text, " "), (length = strcspn(text, " ")); text += length)
    xb_pair_add_word(j, xb_arena_text(j->arena, "%.*s", (int)length, text));
}

/* In Direct3D's notation t0 and u0 are two buffers; without these options both would have the binding 0. */
static bool has_registers(const xb_pair_job *j)
{
  char *text;
  size_t bytes;
  return !xb_read_file(j->source->path, XB_MAX_SOURCE_BYTES, j->arena, &text, &bytes, NULL) &&
         !has_word(text, XB_TOKEN_NAME, "vk::binding");
}

/* The option of the source's optimization; what is watched keeps its lines. */
static const char *optimizing(const xb_pair_job *j, const char *off, const char *speed, const char *size,
                              const char *usual)
{
  const xb_optimization o = j->source->checks ? XB_OPTIMIZE_OFF : j->source->optimization;
  return o == XB_OPTIMIZE_OFF ? off : o == XB_OPTIMIZE_SPEED ? speed : o == XB_OPTIMIZE_SIZE ? size : usual;
}

/* -g keeps the names of buffers and arguments; XB_GLSLC is for xb/abi.h. */
static void set_glslc(xb_pair_job *j)
{
  const bool hlsl = !strcmp(xb_pair_language_of(j->source->path)->extension, "hlsl");
  xb_pair_add_words(j, "-fshader-stage=compute --target-env=vulkan1.1 -g -DXB_GLSLC=1");
  xb_pair_add_words(j, optimizing(j, "-O0 -x", "-O -x", "-Os -x", "-O -x"));
  xb_pair_add_word(j, hlsl ? "hlsl" : "glsl");
  if (hlsl)
    xb_pair_add_word(j, xb_arena_text(j->arena, "-fentry-point=%s", j->entry));
  if (hlsl && has_registers(j))
    xb_pair_add_words(j, "-fauto-bind-uniforms -fhlsl-iomap -fuav-binding-base 32 -fubo-binding-base 64 "
                         "-fsampler-binding-base 96");
}

/* float16_t, int16_t, uint16_t. As an element of a buffer, half is float without -enable-16bit-types. */
static bool has_16_bits(const char *text)
{
  xb_tokens t = {0};
  bool has = false;
  xb_tokens_read(&t, text);
  for (size_t i = 0; i < t.count && !has; i++) {
    const xb_token *word = &t.list[i];
    const bool element = i > 1 && xb_token_is(word - 1, "<") && xb_token_has(word - 2, "Buffer");
    has = word->kind == XB_TOKEN_NAME &&
          (xb_token_has(word, "16_t") || (element && xb_token_in(word, "half half2 half3 half4")));
  }
  xb_tokens_free(&t);
  return has;
}

/* RWStructuredBuffer<float> b[2]: DXC refuses it for SPIR-V, unless it is told that nobody asks for the counters. */
static bool has_written_array(const char *text)
{
  xb_tokens t = {0};
  bool has = false;
  xb_tokens_read(&t, text);
  for (size_t i = 0; i < t.count && !has; i++) {
    size_t end = i;
    if (!xb_token_is(&t.list[i], "RWStructuredBuffer"))
      continue;
    while (end < t.count && !xb_token_in(&t.list[end], "[ ; : ( )"))
      end++;
    has = end < t.count && xb_token_is(&t.list[end], "[");
  }
  xb_tokens_free(&t);
  return has;
}

static void set_dxc(xb_pair_job *j)
{
  char *text;
  size_t bytes;
  const bool there = !xb_read_file(j->source->path, XB_MAX_SOURCE_BYTES, j->arena, &text, &bytes, NULL);
  xb_pair_add_words(j, j->source->for_d3d12 ? optimizing(j, "-Od", "-O3", "-O3", "-O3") : "");
  xb_pair_add_words(j, j->source->for_d3d12 ? "-T cs_6_0 -Wno-ignored-attributes -select-validator internal -E"
                                            : "-spirv -fspv-target-env=vulkan1.1 -fspv-extension=KHR "
                                              "-fspv-extension=SPV_EXT_descriptor_indexing -T cs_6_2");
  if (!j->source->for_d3d12)
    xb_pair_add_words(j, j->source->checks ? "-Od -fspv-debug=line -E"
                                           : optimizing(j, "-Od -E", "-O3 -E", "-Os -E", "-O3 -E"));
  xb_pair_add_word(j, j->entry);
  if (there && has_16_bits(text))
    xb_pair_add_words(j, "-enable-16bit-types -T cs_6_2");
  if (there && !j->source->for_d3d12 && has_written_array(text))
    xb_pair_add_words(j, "-fvk-allow-rwstructuredbuffer-arrays");
  if (!j->source->for_d3d12 && has_registers(j))
    xb_pair_add_words(j, "-fvk-u-shift 32 all -fvk-b-shift 64 all -fvk-s-shift 96 all");
}

/* -O0, as its optimizer is not in all of its packages; the driver optimizes anyway. */
static void set_slangc(xb_pair_job *j)
{
  if (j->source->checks)
    xb_pair_add_words(j, "-g1");
  xb_pair_add_words(j, optimizing(j, "-O0", "-O2", "-O1", "-O0"));
  xb_pair_add_words(j, "-target spirv -profile sm_6_2 -fvk-use-entrypoint-name -stage compute -entry");
  xb_pair_add_word(j, j->entry);
  if (has_registers(j))
    xb_pair_add_words(j, "-fvk-t-shift 0 all -fvk-u-shift 32 all -fvk-b-shift 64 all -fvk-s-shift 96 all");
}

/* WGSL. -g keeps names and lines. Neither compiler changes indices that are outside, as browsers do. */
static bool set_wgsl(xb_pair_job *j)
{
  const bool naga = !strcmp(j->compiler, "naga");
  if (naga || !strcmp(j->compiler, "tint"))
    xb_pair_add_words(j, naga ? "-g" : "--format spirv --disable-robustness");
  return j->count > 1;
}

static void set_cuda(xb_pair_job *j, uint32_t capability)
{
  const bool nvcc = !strcmp(j->compiler, "nvcc");
  const char *headers = nvcc ? NULL : xb_nvrtc_headers(j->arena);
  xb_pair_add_word(
      j, xb_arena_text(j->arena, "%s=compute_%u", nvcc ? "-arch" : "--gpu-architecture", capability ? capability : 75));
  xb_pair_add_words(j, nvcc ? "-std=c++17 -lineinfo -O3 -ptx -x cu" : "-std=c++17 -lineinfo");
  if (!nvcc)
    xb_nvrtc_add_macros(j);
  if (j->source->optimization == XB_OPTIMIZE_OFF)
    xb_pair_add_word(j, "-G"); /* the driver then compiles the PTX without optimization, too */
  if (nvcc && j->device_only)
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s", j->headers));
  if (!nvcc || j->device_only)
    xb_pair_add_folder(j);
  if (headers)
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s", headers));
}

void xb_pair_add_options(xb_pair_job *j, uint32_t capability)
{
  const bool wgsl = set_wgsl(j);
  if (wgsl)
    ; /* it has no includes */
  else if (!strcmp(j->compiler, "glslc"))
    set_glslc(j);
  else if (!strcmp(j->compiler, "dxc"))
    set_dxc(j);
  else if (!strcmp(j->compiler, "slangc"))
    set_slangc(j);
  else if (j->source->for_cpu)
    xb_cplusplus_add_options(j);
  else
    set_cuda(j, capability);
  for (const char *const *flag = j->source->flags; flag && *flag && !j->source->for_cpu; flag++)
    xb_pair_add_word(j, *flag);
  const char *headers = wgsl ? NULL : xb_public_headers(j->arena); /* the last place to look */
  if (headers)
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s", headers));
}
