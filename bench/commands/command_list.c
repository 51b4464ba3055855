/* xbench list: the devices, the benchmarks, or hashes of the sources. */
#include "base/fold.h"
#include "base/value_text.h"
#include "commands/device_facts.h"
#include "commands/subcommands.h"
#include "commands/values.h"
#include "judge/judge.h"
#include "machine/choose.h"
#include "sheet/sheet.h"
#include "show/languages.h"
#include "show/twins.h"
#include "source/fingerprint.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool all_facts;

static void list_api(const xb_device_info *info)
{
  char binding[32], allocation[32], family[64];
  const xb_queue_info *compute = &info->queues[XB_QUEUE_COMPUTE], *copy = &info->queues[XB_QUEUE_COPY];
  const bool families = info->launch_modes >> XB_LAUNCH_COMMAND_BUFFER & 1;
  xb_format_family(families ? (int64_t)compute->family : -1, compute->graphics, family);
  xb_format_bytes(info->max_binding_bytes, binding, sizeof binding);
  xb_format_bytes(info->max_allocation_bytes, allocation, sizeof allocation);
  printf("     %s %s, %s: largest binding %s", info->backend, info->api_version, info->driver, binding);
  if (info->max_allocation_bytes)
    printf(", largest allocation %s", allocation);
  printf(", groups of up to %u threads with %u KiB shared", info->max_group_threads, info->shared_bytes / 1024);
  if (info->shared_optin_bytes > info->shared_bytes)
    printf(" (%u on request)", info->shared_optin_bytes / 1024);
  printf(", subgroups of %u", info->subgroup_size);
  if (info->subgroup_min != info->subgroup_max)
    printf(" (%u to %u on request)", info->subgroup_min, info->subgroup_max);
  printf("%s", family);
  const char *before = " (others: ";
  for (uint32_t i = 0; i < 32; i++)
    if (info->compute_families >> i & 1 && i != compute->family) {
      printf("%s%u", before, i);
      before = ", ";
    }
  printf("%s, %u compute queue%s, ", *before == ',' ? ")" : "", compute->count, compute->count == 1 ? "" : "s");
  printf(copy->present ? "%u copy queue%s" : "no copy queue", copy->count, copy->count == 1 ? "" : "s");
  printf("%s, timer step %g ns\n", compute->timestamp_bits ? "" : ", no timestamps", info->timestamp_period_ns);
  if (all_facts)
    xb_list_facts(info);
}

static void list_gpu(const xb_device_choice *on, const xb_inventory *inventory, const xb_gpu *gpu)
{
  const xb_device_info *info = gpu->any;
  char uuid[40], memory[32], cache[32];
  xb_format_uuid(info, uuid);
  xb_format_bytes(info->memory_bytes, memory, sizeof memory);
  xb_format_bytes(info->cache_bytes, cache, sizeof cache);
  printf("  %zu  %s (%s)\n", (size_t)(gpu - inventory->gpus), info->name, xb_device_type_name(info->type));
  printf("     uuid %s%s%s, memory %s", *uuid ? uuid : "unknown", *info->pci ? ", pci " : "", info->pci, memory);
  if (info->multiprocessors)
    printf(", %u multiprocessors", info->multiprocessors);
  if (info->cache_bytes)
    printf(", last-level cache %s", cache);
  const double peak = xb_peak_gbps(info->memory_clock_khz, info->memory_bus_bits);
  if (peak > 0)
    printf(", peak %.0f GB/s", peak);
  printf("\n");
  for (size_t b = 0; b < inventory->backend_count; b++)
    if (gpu->by_backend[b] && xb_backend_wanted(on, xb_backend_at(b)))
      list_api(gpu->by_backend[b]);
}

/* A backend that the user named must be available. If the user named none, one of them is enough. */
static int list_devices(const xb_device_choice *on)
{
  static xb_inventory inventory;
  const xb_gpu *any;
  bool lacks = false;
  xb_take_inventory(&inventory);
  printf("devices:\n");
  for (size_t i = 0; i < inventory.gpu_count; i++)
    if (xb_gpu_wanted(on, &inventory.gpus[i]))
      list_gpu(on, &inventory, &inventory.gpus[i]);
  for (size_t b = 0; b < inventory.backend_count; b++) {
    if (inventory.left_out[b] && xb_backend_wanted(on, xb_backend_at(b)))
      printf("  %s: %u more devices; xbench supports at most %d\n", xb_backend_name(xb_backend_at(b)),
             inventory.left_out[b], XB_MAX_DEVICES);
    if (!inventory.code[b] || !xb_backend_wanted(on, xb_backend_at(b)))
      continue;
    printf("  %s\n", inventory.error[b].message);
    const bool asked = on->backend && !strcmp(on->backend, xb_backend_name(xb_backend_at(b)));
    lacks |= asked || !inventory.gpu_count;
  }
  return lacks ? xb_choose_gpu(&inventory, on, &any)
               : XB_EXIT_OK; /* which says on stderr that there is none, and why */
}

/* Values as --at takes them: a row of a table has blanks between them, because a macro's argument ends at a comma. */
static void print_values(const char *values)
{
  for (const char *p = values; *p; p++)
    putchar(*p == ' ' ? ',' : *p);
}

static void print_axis(const xb_axis *axis)
{
  printf("  --at %s=", axis->name);
  print_values(axis->values);
  if (axis->few) {
    printf(" (without it: ");
    print_values(axis->few);
    printf(")");
  }
  printf(": %s\n", axis->title);
}

XB_COLUMN_TEXT(number)
{
  const xb_variant *v = row;
  snprintf(out, XB_SHEET_TEXT, "%s/%u", v->benchmark->name, v->number);
}

static void list_variants(const xb_benchmark *b)
{
  static xb_sheet s; /* too large for a stack */
  const xb_column columns[] = {
      {"", (int)strlen(b->name) + 4, .left = true, .text = number},
      {"", 22, .left = true, .text = xb_text_member, .offset = offsetof(xb_variant, name)},
      {"", 1, .left = true, .text = xb_text_member, .offset = offsetof(xb_variant, title)},
  };
  s = (xb_sheet){XB_ROWS(b->variants, b->variant_count), .indent = 2};
  xb_sheet_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_sheet_fit(&s);
  xb_sheet_print_rows(&s);
}

static void list_benchmarks(void)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++) {
    printf("%s: %s (", b->name, b->title);
    for (int d = 0, shown = 0; d < XB_DTYPES; d++)
      if (xb_has_dtype(b, (xb_dtype)d))
        printf("%s%s", shown++ ? ", " : "", xb_dtype_name((xb_dtype)d));
    printf(")\n");
    list_variants(b);
    for (size_t a = 0; a < b->axis_count; a++)
      print_axis(&b->axes[a]);
  }
}

/* Today's hashes, to compare with those in saved results. */
static void list_sources(void)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++)
      for (const xb_language *l = xb_languages; l->backend; l++) {
        const uint64_t hash = xb_source_hash(v, l->backend);
        if (hash)
          printf("%s/%u_%s %s " XB_SOURCE_HASH_FORMAT "\n", b->name, v->number, v->name, l->backend, hash);
      }
}

/* ---- Command line ----------------------------------------------------------------------------------------------- */

static xb_device_choice given;
static const char *what; /* "": devices and benchmarks */

static const xb_option options[] = {
    {"backend", 'b', XB_OPT_BACKEND, &given.backend, "list the devices of this API only", .value = xb_each_backend},
    {"device", 'd', XB_OPT_TEXT, &given.device, "list this device only", .value = "INDEX|UUID|NAME"},
    {"long", 'l', XB_OPT_FLAG, &all_facts, .help = "show every fact of a device"},
    {0}};

static xb_command_line line = {.name = "xbench list",
                               .usage = "[OPTION...] [devices|benchmarks|sources|capabilities]",
                               .where = "list: ",
                               .options = options};

static int take(const char *const *words)
{
  static const char *const names[] = {"devices", "benchmarks", "sources", "capabilities"};
  size_t place;
  what = words[0] ? words[0] : "";
  if (words[0] && words[1])
    return xb_report_error(
        XB_EXIT_USAGE, "list: expected one of devices, benchmarks, sources and capabilities, not also '%s'", words[1]);
  return !*what || xb_parse_word("list", what, names, 4, &place) ? -1 : XB_EXIT_USAGE;
}

static int run(void)
{
  int code = XB_EXIT_OK;
  xb_fold_stdout();
  const bool sources = !strcmp(what, "sources");
  if (!strcmp(what, "capabilities")) {
    xb_list_capabilities();
    return code;
  }
  if (sources)
    list_sources();
  if (!sources && strcmp(what, "benchmarks") != 0)
    code = list_devices(&given);
  if (!*what)
    printf("\n");
  if (!sources && strcmp(what, "devices") != 0)
    list_benchmarks();
  return code;
}

const xb_subcommand xb_command_list = {"list", &line, take, run};
