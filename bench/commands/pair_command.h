/* What the parts of `xbench pair` share. */
#ifndef XB_PAIR_COMMAND_H
#define XB_PAIR_COMMAND_H

#include "commands/subcommands.h"
#include "machine/choose.h"
#include "pair/family.h"
#include "pair/words.h"

typedef struct xb_pair_command {
  /* As they were typed. */
  xb_pair_words given;
  xb_text_list saves;
  const char *dump, *targets;
  bool init, scaffold, unchecked, occupancy, text, explain, suspects, reduce;
  uint64_t reduce_limit_s;
  xb_trust trust;

  xb_invocation *in;
  xb_pair pair;
  xb_pair_manifest manifest;
  const char *both[3]; /* the sources, with --scaffold */
  bool left_out;       /* a side cannot run */
  uint64_t more_seed;  /* of runs that diff --again adds */
  xb_inventory inventory;
  xb_device_info shaders; /* the emulation's device that was opened for shaders */
  char backends[XB_MAX_BACKENDS * 32], against[160];
} xb_pair_command;

/* A device that emulates one for shaders: not CUDA's listing of it, which has waves of all sizes. */
bool xb_pair_is_for_shaders(const xb_device_info *info);
/* The device that a side runs on; NULL if it cannot run. */
const xb_device_info *xb_pair_device_of(xb_pair_command *c, const xb_gpu *gpu, const xb_pair_side *side);
/* The device that emulates the API which runs this side's code; NULL if there is none, or if it is no source. */
const xb_device_info *xb_pair_emulator_of(xb_pair_command *c, const xb_gpu *gpu, const xb_pair_side *side);
/* Sides that run where shaders are emulated get columns of their own there, and CUDA's only one if it has a side. */
void xb_pair_choose_waves(xb_pair_command *c, const xb_gpu *gpu, xb_device_choice *on);
/* A device that compiles by itself does so before this process may start no other program. */
void xb_pair_compile_devices(xb_pair_command *c, const xb_gpu *gpu);
/* Each of these returns -1, or an exit code after its message. (pair_sides.c)
 * Compiles the sides that can run, and removes the others. HLSL that does not become DXIL still runs on Vulkan. */
int xb_pair_compile_sides(xb_pair_command *c, const xb_gpu *gpu);
/* Reads the manifest, and links it to the code of the sides. */
int xb_pair_take_manifest(xb_pair_command *c);
/* Nothing is timed that was not checked, unless the user insists. */
int xb_pair_check_reference(xb_pair_command *c);
/* "vulkan,d3d12": those that a side runs on. */
const char *xb_pair_backends(xb_pair_command *c, const xb_gpu *gpu);

#endif
