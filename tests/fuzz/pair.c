/* What a user's pair brings: manifests, SPIR-V, PTX, CUDA sources, formulas. The first letter says which of them it is.
 */
#include "pair/pair.h"
#include "base/formula.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_manifest(const char *text, size_t bytes)
{
  static xb_pair pair;
  xb_pair_manifest manifest = {.where = "m.json", .text = text, .folder = "/etc/passwd/none/"};
  xb_error error;
  pair = (xb_pair){0};
  manifest.root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
  if (manifest.root && !xb_pair_read_sources(&manifest, &pair, &error)) {
    xb_pair_complete(&pair, manifest.root, bytes & 1);
    xb_pair_read(&manifest, &pair, &error);
  }
  json_decref(manifest.root);
  xb_arena_free(&pair.arena);
}

/* Links a kernel that has these parameters to as many arguments and buffers. */
static void link_kernel(const xb_reflection *reflection, const char *format)
{
  static xb_pair pair;
  static xb_error error;
  xb_pair_side *side = &pair.sides[0];
  xb_pair_kernel *kernel = &side->kernels[0];
  pair = (xb_pair){.side_count = 1};
  *side = (xb_pair_side){
      .source = {.path = "fuzz"}, .format = format, .kernel_count = 1, .codes = {{.reflection = *reflection}}};
  for (size_t i = 0; i < reflection->count; i++) {
    const xb_code_parameter *p = &reflection->parameters[i];
    if (p->is_buffer && kernel->buffer_count < XB_PAIR_BUFFERS) {
      pair.buffers[pair.buffer_count].name = "buffer";
      kernel->buffers[kernel->buffer_count++] = pair.buffer_count++;
    } else if (!p->is_buffer && kernel->argument_count < XB_PAIR_ARGUMENTS) {
      kernel->arguments[kernel->argument_count++] = (xb_pair_argument){.name = p->name ? p->name : "argument"};
    }
  }
  xb_pair_link_sides(&pair, &error);
}

static void reflect(char kind, const char *text, size_t bytes)
{
  static const char PTX[] =
      ".version 9.0\n.entry k(\n.param .u32 a,\n.param .u64 b,\n.param .u64 c,\n.param .align 4 .b8 d[8]\n)";
  xb_arena arena = {0};
  xb_reflection r;
  xb_error error;
  if (kind == 's' ? !xb_reflect_spirv("s", text, bytes, NULL, (xb_constants){0}, &arena, &r, &error)
                  : !xb_reflect_ptx("p", kind == 'p' ? text : PTX, NULL, &arena, &r, &error)) {
    if (kind == 'c')
      xb_reflect_cuda_text(text, "k", &arena, &r);
    link_kernel(&r, kind == 's' ? "spv" : "fatbin");
  }
  xb_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const xb_named_number numbers[] = {{"n", 1000}, {"r", 7}};
  static const xb_names names = {numbers, 2};
  uint64_t value;
  xb_error error;
  char *text = malloc(size ? size : 1); /* on the heap: a sanitizer sees a read past its end */
  if (!text || !size) {
    free(text);
    return 0;
  }
  memcpy(text, data + 1, size - 1);
  text[size - 1] = 0;
  if (data[0] == 'm')
    read_manifest(text, size - 1);
  else if (data[0] == 'f')
    xb_formula("f", text, &names, &value, &error);
  else if (data[0] == 's' || data[0] == 'p' || data[0] == 'c')
    reflect((char)data[0], text, size - 1);
  free(text);
  return 0;
}
