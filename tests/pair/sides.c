/* pair_sides MANIFEST.json [COMPILER]: compiles and links all sides of a pair, without a device, and prints what a
 * kernel of each gets: its entry point, group size, bindings and parameters. */
#include "base/exit_codes.h"
#include "pair/pair.h"

#include <stdio.h>
#include <string.h>

static xb_pair pair;

static void print(const xb_pair_side *side, uint32_t kernel)
{
  const xb_pair_kernel *k = &side->kernels[kernel];
  const xb_pair_code *c = &side->codes[kernel];
  printf("%s %s: %s, %u bytes of arguments, group %u %u %u\n", side->name,
         c->binary.compiler ? c->binary.compiler : "-", c->reflection.entry, c->arg_bytes, k->group[0], k->group[1],
         k->group[2]);
  for (uint32_t i = 0; i < c->parameter_count; i++)
    if (c->parameters[i].bytes)
      printf("  bytes %u+%u\n", c->parameters[i].offset, c->parameters[i].bytes);
    else
      printf("  binding %u\n", c->parameters[i].binding);
}

int main(int argc, char **argv)
{
  xb_pair_manifest manifest = {0};
  xb_error error;
  if (argc < 2)
    return XB_EXIT_USAGE;
  xb_code code = xb_pair_open(argv[1], &pair.arena, &manifest, &error);
  for (size_t i = 0; !code && argc > 2 && i < 1; i++)
    json_object_set_new(json_array_get(json_object_get(manifest.root, "Sides"), i), "Compiler", json_string(argv[2]));
  code = code ? code : xb_pair_read_sources(&manifest, &pair, &error);
  for (uint32_t i = 0; i < pair.side_count && !code; i++)
    code = xb_pair_compile_side(&pair, &pair.sides[i], 90, &error);
  if (!code)
    xb_pair_complete(&pair, manifest.root, false);
  code = code ? code : xb_pair_read(&manifest, &pair, &error);
  code = code ? code : xb_pair_link_sides(&pair, &error);
  for (uint32_t i = 0; i < pair.side_count && !code; i++)
    for (uint32_t k = 0; k < pair.sides[i].kernel_count; k++)
      print(&pair.sides[i], k);
  if (code)
    xb_report_error(0, "%s", error.message);
  json_decref(manifest.root);
  xb_arena_free(&pair.arena);
  return xb_exit_code(code);
}
