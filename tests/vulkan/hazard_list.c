#include "hazard_list.h"

#include "shaders/args.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

/* ---- Recording --------------------------------------------------------------------------------------------------- */

static void step(const fixture *g, xb_commands *c, int to, int from, xb_access access)
{
  const struct step_args args = {.count = BYTES / 4, .mul = 3, .add = 1};
  const xb_binding bindings[] = {{.buffer = g->buffers[from], .access = XB_READ},
                                 {.buffer = g->buffers[to], .access = access}};
  xb_cmd_dispatch(c, &(xb_dispatch){.kernel = g->kernel,
                                    .bindings = bindings,
                                    .binding_count = 2,
                                    .args = &args,
                                    .arg_bytes = sizeof args,
                                    .groups = {BYTES / 4 / 64, 1, 1}});
}

void fill(const fixture *g, xb_commands *c, int to)
{
  xb_cmd_fill(c, g->buffers[to], 0, BYTES, 7);
}

static void copy(const fixture *g, xb_commands *c, int to, int from)
{
  xb_cmd_copy(c, g->buffers[to], 0, g->buffers[from], 0, BYTES);
}

/* The first and the second half of a hazard. */
#define HALVES(name, first, second)                                                                                    \
  static void name(const fixture *g, xb_commands *c, int half)                                                         \
  {                                                                                                                    \
    half ? second : first;                                                                                             \
  }
HALVES(dispatch_raw, step(g, c, 1, 0, XB_WRITE), step(g, c, 2, 1, XB_WRITE))
HALVES(dispatch_waw, step(g, c, 1, 0, XB_WRITE), step(g, c, 1, 2, XB_WRITE))
HALVES(dispatch_war, step(g, c, 1, 0, XB_WRITE), step(g, c, 0, 2, XB_WRITE))
HALVES(transfer_raw, fill(g, c, 0), copy(g, c, 1, 0))
HALVES(transfer_waw, fill(g, c, 0), copy(g, c, 0, 1))
HALVES(transfer_war, copy(g, c, 1, 0), fill(g, c, 0))
HALVES(mixed_raw, step(g, c, 1, 0, XB_WRITE), copy(g, c, 2, 1))
HALVES(mixed_waw, step(g, c, 1, 0, XB_WRITE), fill(g, c, 1))
HALVES(mixed_war, step(g, c, 1, 0, XB_WRITE), fill(g, c, 0))

/* 'x' has the group counts. */
static void indirect_step(const fixture *g, xb_commands *c)
{
  const struct step_args args = {.count = BYTES / 4, .mul = 3, .add = 1};
  const xb_binding bindings[] = {{.buffer = g->buffers[2], .access = XB_READ},
                                 {.buffer = g->buffers[1], .access = XB_WRITE}};
  xb_cmd_dispatch_indirect(
      c,
      &(xb_dispatch){
          .kernel = g->kernel, .bindings = bindings, .binding_count = 2, .args = &args, .arg_bytes = sizeof args},
      g->buffers[0], 0);
}
HALVES(indirect_raw, fill(g, c, 0), indirect_step(g, c))
HALVES(indirect_war, indirect_step(g, c), fill(g, c, 0))

/* 'x' is the uniform buffer. */
static void uniform_step(const fixture *g, xb_commands *c)
{
  const xb_binding bindings[] = {
      {.kind = XB_BINDING_UNIFORM, .buffer = g->buffers[0], .size = 8, .access = XB_READ},
      {.buffer = g->buffers[1], .size = 256, .access = XB_READ},
      {.buffer = g->buffers[2], .size = 256, .access = XB_WRITE},
      {.buffer = g->buffers[2], .offset = 256, .size = 256, .access = XB_WRITE},
  };
  xb_cmd_dispatch(c,
                  &(xb_dispatch){.kernel = g->places, .bindings = bindings, .binding_count = 4, .groups = {1, 1, 1}});
}
HALVES(uniform_raw, fill(g, c, 0), uniform_step(g, c))

/* XB_DISJOINT_WRITE is wrong here: both dispatches write every word. */
HALVES(broken_promise, step(g, c, 1, 0, XB_DISJOINT_WRITE), step(g, c, 1, 2, XB_DISJOINT_WRITE))

/* ---- Recorded natively ------------------------------------------------------------------------------------------- */

static VkBuffer handle(const fixture *g, int buffer)
{
  return (VkBuffer)(uintptr_t)xb_buffer_native(g->buffers[buffer]);
}

static void raw_fill(const fixture *g, const xb_native *n, int to, VkDeviceSize offset)
{
  ((PFN_vkCmdFillBuffer)n->proc(n->device, "vkCmdFillBuffer"))((VkCommandBuffer)n->commands, handle(g, to), offset,
                                                               BYTES / 2, 7);
}

static void raw_copy(const fixture *g, const xb_native *n, int to, int from)
{
  const VkBufferCopy region = {.size = BYTES};
  ((PFN_vkCmdCopyBuffer)n->proc(n->device, "vkCmdCopyBuffer"))((VkCommandBuffer)n->commands, handle(g, from),
                                                               handle(g, to), 1, &region);
}

#define NATIVE(name, body)                                                                                             \
  static xb_code name(const xb_native *n, void *user, xb_error *err)                                                   \
  {                                                                                                                    \
    const fixture *g = user;                                                                                           \
    (void)err;                                                                                                         \
    body;                                                                                                              \
    return XB_OK;                                                                                                      \
  }
NATIVE(fill_x, raw_fill(g, n, 0, 0))
NATIVE(fill_x_and_copy_it, (raw_fill(g, n, 0, 0), raw_copy(g, n, 1, 0)))
NATIVE(fill_x_twice, (raw_fill(g, n, 0, 0), raw_fill(g, n, 0, 0)))
NATIVE(copy_x_and_fill_it, (raw_copy(g, n, 1, 0), raw_fill(g, n, 0, 0)))
NATIVE(copy_y, raw_copy(g, n, 2, 1))
NATIVE(fill_y, raw_fill(g, n, 1, 0))
NATIVE(fill_at_1, raw_fill(g, n, 0, 1))

/* Records `fn` alone if it has both sides, else after a dispatch from 'x' to 'y'. It does not declare its accesses. */
#define UNDECLARED(name, fn, first)                                                                                    \
  static void name(const fixture *g, xb_commands *c, int half)                                                         \
  {                                                                                                                    \
    if (half)                                                                                                          \
      xb_cmd_native(c, fn, (void *)(uintptr_t)g, NULL, 0);                                                             \
    else if (first)                                                                                                    \
      step(g, c, 1, 0, XB_WRITE);                                                                                      \
  }
UNDECLARED(native_raw, fill_x_and_copy_it, false)
UNDECLARED(native_waw, fill_x_twice, false)
UNDECLARED(native_war, copy_x_and_fill_it, false)
UNDECLARED(shader_native_raw, copy_y, true)
UNDECLARED(shader_native_waw, fill_y, true)
UNDECLARED(shader_native_war, fill_x, true)
UNDECLARED(native_misuse, fill_at_1, false)

/* The same with declared accesses. */
static void declared_native(const fixture *g, xb_commands *c, int half)
{
  const xb_binding bindings[] = {{.buffer = g->buffers[1], .access = XB_READ},
                                 {.buffer = g->buffers[2], .access = XB_WRITE}};
  if (half)
    xb_cmd_native(c, copy_y, (void *)(uintptr_t)g, bindings, 2);
  else
    step(g, c, 1, 0, XB_WRITE);
}

/* The pipeline and the bindings are those of the last dispatch, whose writes this one has to wait for. */
static xb_code dispatch_counts_of_x(const xb_native *n, void *user, xb_error *err)
{
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
  const VkCommandBuffer commands = n->commands;
  (void)err;
  ((PFN_vkCmdPipelineBarrier)n->proc(n->device, "vkCmdPipelineBarrier"))(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                                                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                                                                         &barrier, 0, NULL, 0, NULL);
  ((PFN_vkCmdDispatchIndirect)n->proc(n->device, "vkCmdDispatchIndirect"))(commands, handle(user, 0), 0);
  return XB_OK;
}

void counts_of_a_native_command(const fixture *g, xb_commands *c)
{
  fill(g, c, 0);
  xb_cmd_barrier(c);
  step(g, c, 1, 2, XB_WRITE);
  xb_cmd_native(c, dispatch_counts_of_x, (void *)(uintptr_t)g, NULL, 0);
}

static void misuse(const fixture *g, xb_commands *c, int half)
{
  if (half)
    xb_cmd_fill(c, g->buffers[0], 1, BYTES / 2, 7);
}

/* ---- The list ---------------------------------------------------------------------------------------------------- */

static const char RAW[] = "SYNC-HAZARD-READ-AFTER-WRITE", WAW[] = "SYNC-HAZARD-WRITE-AFTER-WRITE",
                  WAR[] = "SYNC-HAZARD-WRITE-AFTER-READ";

const hazard HAZARDS[HAZARD_COUNT] = {
    {"read after write, two dispatches", dispatch_raw, SAME_LIST, "step: reads 'y', which 'step' writes since", RAW,
     SEEN},
    {"write after write, two dispatches", dispatch_waw, SAME_LIST, "step: writes 'y', which 'step' writes since", WAW,
     UNSEEN},
    {"write after read, two dispatches", dispatch_war, SAME_LIST, "step: writes 'x', which 'step' reads since", WAR,
     SEEN},
    {"read after write, fill and copy", transfer_raw, SAME_LIST, "copy: reads 'x', which 'fill' writes since", RAW,
     SEEN},
    {"write after write, fill and copy", transfer_waw, SAME_LIST, "copy: writes 'x', which 'fill' writes since", WAW,
     SEEN},
    {"write after read, copy and fill", transfer_war, SAME_LIST, "fill: writes 'x', which 'copy' reads since", WAR,
     SEEN},
    {"read after write, dispatch and copy", mixed_raw, SAME_LIST, "copy: reads 'y', which 'step' writes since", RAW,
     SEEN},
    {"write after write, dispatch and fill", mixed_waw, SAME_LIST, "fill: writes 'y', which 'step' writes since", WAW,
     SEEN},
    {"write after read, dispatch and fill", mixed_war, SAME_LIST, "fill: writes 'x', which 'step' reads since", WAR,
     SEEN},
    {"read after write, fill and group counts", indirect_raw, SAME_LIST, "step: reads 'x', which 'fill' writes since",
     RAW, SEEN},
    {"read after write, fill and uniform buffer", uniform_raw, SAME_LIST,
     "places: reads 'x', which 'fill' writes since", RAW, SEEN},
    {"write after read, group counts and fill", indirect_war, SAME_LIST, "fill: writes 'x', which 'step' reads since",
     WAR, SEEN},
    {"write after write, broken XB_DISJOINT_WRITE", broken_promise, AS_RECORDED, NULL, WAW, UNSEEN},
    {"read after write, native, declared", declared_native, AS_RECORDED,
     "xb_cmd_native: reads 'y', which 'step' writes since", NULL, SEEN},
    {"read after write, native, undeclared", native_raw, AS_RECORDED, NULL, RAW, SEEN},
    {"write after write, native, undeclared", native_waw, AS_RECORDED, NULL, WAW, SEEN},
    {"write after read, native, undeclared", native_war, AS_RECORDED, NULL, WAR, SEEN},
    {"read after write, dispatch and native", shader_native_raw, AS_RECORDED, NULL, RAW, SEEN},
    {"write after write, dispatch and native", shader_native_waw, AS_RECORDED, NULL, WAW, SEEN},
    {"write after read, dispatch and native", shader_native_war, AS_RECORDED, NULL, WAR, SEEN},
    {"read after write, two submissions", transfer_raw, SUBMISSIONS, NULL, RAW, SEEN},
    {"write after write, two submissions", transfer_waw, SUBMISSIONS, NULL, WAW, SEEN},
    {"write after read, two submissions", transfer_war, SUBMISSIONS, NULL, WAR, SEEN},
    {"read after write, dispatches of two submissions", dispatch_raw, SUBMISSIONS, NULL, RAW, SEEN},
    {"write after write, dispatches of two submissions", dispatch_waw, SUBMISSIONS, NULL, WAW, SEEN},
    {"wrong use of the API", misuse, AS_RECORDED, "both must be multiples of 4", NULL, SEEN},
    {"wrong use, native", native_misuse, AS_RECORDED, NULL, "VUID-vkCmdFillBuffer-dstOffset-00025", SEEN},
};
