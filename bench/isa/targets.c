/* The architectures that compilers of this machine know. */
#include "isa/isa.h"

#include "base/exit_codes.h"
#include "os/child.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* AMD's architectures, and the names of a GPU of each that its driver takes, the newer driver's first. */
static const struct {
  const char *name, *families[3];
} gpus[] = {{"gfx803", {"polaris10"}},
            {"gfx900", {"vega10"}},
            {"gfx906", {"vega20"}},
            {"gfx908", {"mi100", "arcturus"}},
            {"gfx90a", {"mi200", "aldebaran"}},
            {"gfx1010", {"navi10"}},
            {"gfx1030", {"navi21"}},
            {"gfx1100", {"navi31", "gfx1100"}},
            {"gfx1201", {"navi48", "gfx1201"}}};
enum { GPUS = sizeof gpus / sizeof *gpus };

static const char *family_of(size_t gpu)
{
  for (size_t i = 0; i < 3 && gpus[gpu].families[i]; i++)
    if (xb_isa_driver_knows(gpus[gpu].families[i]))
      return gpus[gpu].families[i];
  return NULL;
}

/* A capability has a name of its own. */
static void add(xb_isa_target targets[XB_ISA_TARGETS], size_t *count, const char *name, xb_isa_target t)
{
  if (*count == XB_ISA_TARGETS)
    return;
  if (t.capability)
    snprintf(t.name, sizeof t.name, "sm_%u", t.capability);
  else
    snprintf(t.name, sizeof t.name, "%s", name);
  targets[(*count)++] = t;
}

static size_t all_known(xb_isa_target targets[XB_ISA_TARGETS])
{
  size_t count = 0;
  uint32_t capabilities[XB_ISA_TARGETS];
  for (size_t i = 0; i < GPUS; i++) {
    const char *family = family_of(i);
    if (family)
      add(targets, &count, gpus[i].name, (xb_isa_target){.family = family});
  }
  xb_isa_capabilities(capabilities);
  for (size_t i = 0; capabilities[i]; i++)
    add(targets, &count, NULL, (xb_isa_target){.capability = capabilities[i]});
  return count;
}

/* Those of this machine, which are no compilers for other GPUs. */
static void add_here(xb_isa_target targets[XB_ISA_TARGETS], size_t *count)
{
  xb_isa_target here = {0};
  uint32_t gpu;
  xb_isa_find_here(&here, &gpu);
  bool known = !xb_isa_knows_capability(gpu);
  for (size_t i = 0; i < *count; i++)
    known |= targets[i].capability == gpu;
  if (!known)
    add(targets, count, NULL, (xb_isa_target){.capability = gpu});
  add(targets, count, here.name, here);
}

static size_t unknown(const char *word, int *code)
{
  xb_isa_target known[XB_ISA_TARGETS];
  char text[512] = "";
  const size_t count = all_known(known);
  for (size_t i = 0, end = 0; i < count && end < sizeof text; i++)
    end += (size_t)snprintf(text + end, sizeof text - end, "%s%s", i ? ", " : "", known[i].name);
  *code = xb_report_error(XB_EXIT_USAGE,
                          "isa: no compiler here knows '%s': name one of %s%shere (the devices of this machine); with "
                          "a CUDA toolkit also sm_75 and later",
                          word, text, count ? ", " : "");
  return 0;
}

static bool add_word(const char *word, xb_isa_target targets[XB_ISA_TARGETS], size_t *count)
{
  const size_t before = *count;
  const uint32_t capability = !strncmp(word, "sm_", 3) ? (uint32_t)strtoul(word + 3, NULL, 10) : 0;
  if (xb_isa_knows_capability(capability))
    add(targets, count, NULL, (xb_isa_target){.capability = capability});
  xb_isa_target here = {0};
  uint32_t gpu;
  if (!strcmp(word, "here"))
    xb_isa_find_here(&here, &gpu);
  for (size_t i = 0; !strcmp(word, "here") && xb_backend_at(i); i++)
    add(targets, count, xb_backend_name(xb_backend_at(i)),
        (xb_isa_target){.here = xb_backend_at(i),
                        .here_capability = here.here == xb_backend_at(i) ? here.here_capability : 0});
  for (size_t g = 0; g < GPUS; g++) {
    bool named = !strcasecmp(word, gpus[g].name);
    for (size_t i = 0; i < 3 && gpus[g].families[i]; i++)
      named |= !strcasecmp(word, gpus[g].families[i]);
    const char *family = named ? family_of(g) : NULL;
    if (family)
      add(targets, count, gpus[g].name, (xb_isa_target){.family = family});
  }
  return *count > before;
}

size_t xb_isa_targets(const char *text, xb_isa_target targets[XB_ISA_TARGETS], int *code)
{
  if (!XB_HAS_FORK) {
    *code = xb_report_error(XB_EXIT_UNAVAILABLE, "isa: not available on this system: without fork(), a compiler that "
                                                 "crashes would end xbench");
    return 0;
  }
  size_t count = text ? 0 : all_known(targets);
  if (!text)
    add_here(targets, &count);
  if (!text && count == 1 && *targets[0].missing && !(count = 0))
    *code = xb_report_error(XB_EXIT_UNAVAILABLE,
                            "isa: no compiler for a GPU is here: install Mesa's RADV (Debian: mesa-vulkan-drivers)");
  while (text && *text) {
    char word[64];
    const size_t length = strcspn(text, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (!add_word(word, targets, &count))
      return unknown(word, code);
    text += length + (text[length] == ',');
  }
  if (!count && text)
    return unknown("", code);
  return count;
}

void xb_isa_compile(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows)
{
  if (*target->missing)
    return;
  if (target->capability)
    xb_isa_read_binaries(choice, target, rows);
  else
    xb_isa_ask_driver(choice, target, rows);
}

const xb_isa_target *xb_isa_target_of(const xb_isa_target *targets, size_t count, const char *api)
{
  const xb_isa_target *found = NULL;
  uint32_t gpu = 0;
  for (size_t i = 0; i < count; i++)
    gpu = targets[i].here_capability ? targets[i].here_capability : gpu;
  for (const xb_isa_target *t = targets; t < targets + count; t++)
    if (*t->missing || t->family)
      continue;
    else if (t->here ? !strcmp(xb_backend_name(t->here), api) : xb_isa_reads_binaries_of(api))
      found = !found || t->capability == gpu ? t : found;
  return found;
}
