/* The devices of this machine: which of them runs shaders, and whether its driver says what it makes of them. Drivers
 * are loaded in a process of its own: a process that has loaded one may start no other that does. */
#include "isa/isa.h"

#include "base/exit_codes.h"
#include "machine/inventory.h"
#include "os/child.h"
#include "show/languages.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { LIMIT_S = 60 };

/* True if the driver says anything of a kernel that it compiles; else `why` says what is missing. */
static bool reports(const xb_backend *backend, const xb_device_info *info, uint32_t capability, char why[256])
{
  enum { N = 1 << 16 };
  const xb_case c = {.variant = xb_variant_find("copy", "2"),
                     .dtype = XB_FLOAT32,
                     .n = N,
                     .rows = 1,
                     .columns = N,
                     .block = 256,
                     .window_bytes = UINT64_MAX,
                     .device = info};
  xb_kernel_desc desc = {
      .group_size = {c.block, 1, 1}, .keep_text = true, .binary_form = capability ? XB_BINARY_CACHE : XB_BINARY_NONE};
  xb_device *device;
  xb_kernel *kernel;
  xb_error error;
  xb_plan plan = {0};
  bool says = false;
  xb_code code = xb_plan_make(&c, &plan, &error);
  if (!code) {
    desc.binding_count = plan.kernels[0].binding_count;
    desc.arg_bytes = plan.kernels[0].arg_bytes;
    code = xb_find_code(&c, &plan.kernels[0], &desc, &error);
    code = code ? code : xb_device_open(&(xb_device_desc){.backend = backend, .index = info->index}, &device, &error);
    if (!code && !(code = xb_kernel_create(device, &desc, &kernel, &error))) {
      const xb_kernel_info *k = xb_kernel_get_info(kernel);
      says = k->registers || k->code_bytes || k->instructions || k->text;
    } /* what is open ends with this process */
    xb_plan_free(&plan);
  }
  snprintf(why, 256, "%.60s: %.60s %.120s", info->name, info->driver,
           code ? error.message : "reports nothing about its compiled code");
  return says;
}

static bool runs_shaders(const xb_backend *backend)
{
  const xb_language *l = xb_languages;
  while (l->code && (strcmp(l->code, "spv") != 0 || strcmp(l->backend, xb_backend_name(backend)) != 0))
    l++;
  return l->code != NULL;
}

/* Writes what xb_isa_find_here returns. */
static int look_around(FILE *to, void *user)
{
  xb_inventory *all = calloc(1, sizeof *all);
  uint32_t gpu = 0, own = 0;
  char why[256] = "this program has no backend that runs SPIR-V on a device";
  const char *name = NULL;
  (void)user;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGALRM, SIG_DFL);
  alarm(LIMIT_S);
  if (all)
    xb_take_inventory(all);
  for (size_t g = 0; all && g < all->gpu_count; g++) {
    const xb_device_info *shaders = NULL;
    uint32_t capability = 0;
    for (size_t i = 0; i < all->backend_count; i++) {
      const xb_device_info *info = all->gpus[g].by_backend[i];
      if (info && !info->emulates && info->compute_capability)
        capability = info->compute_capability;
      if (info && !info->emulates && !info->index && !strcmp(info->code, "spv"))
        shaders = info;
    }
    gpu = gpu ? gpu : capability;
    const bool says = shaders && !name && reports(xb_backend_find(shaders->backend), shaders, capability, why);
    if (says) {
      name = shaders->backend;
      own = capability;
    }
  }
  for (size_t i = 0; all && !name && i < all->backend_count; i++)
    if (all->code[i] && runs_shaders(xb_backend_at(i)))
      snprintf(why, sizeof why, "%s", all->error[i].message);
  json_t *said =
      json_pack("{s:i, s:i, s:s, s:s}", "gpu", (int)gpu, "own", (int)own, "why", why, "name", name ? name : "");
  json_dumpf(said, to, JSON_COMPACT);
  json_decref(said);
  free(all);
  return 0;
}

void xb_isa_find_here(xb_isa_target *target, uint32_t *gpu)
{
  xb_copy copy;
  *target = (xb_isa_target){0};
  *gpu = 0;
  xb_flush_stdout();
  snprintf(target->missing, sizeof target->missing, "the process that looks for it did not finish");
  if (!xb_copy_start(&copy, look_around, NULL))
    return;
  json_t *said = json_loadf(copy.from, JSON_DISABLE_EOF_CHECK, NULL);
  if (!xb_copy_end(&copy) && said) {
    const char *name = xb_isa_text(said, "name");
    *gpu = (uint32_t)json_integer_value(json_object_get(said, "gpu"));
    target->here_capability = (uint32_t)json_integer_value(json_object_get(said, "own"));
    target->here = *name ? xb_backend_find(name) : NULL;
    snprintf(target->name, sizeof target->name, "%s", name);
    snprintf(target->missing, sizeof target->missing, "%s", *name ? "" : xb_isa_text(said, "why"));
  }
  json_decref(said);
}
