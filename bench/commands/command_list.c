/* xbench list: the devices, the benchmarks, the variants of one, or hashes of the sources. */
#include "base/fold.h"
#include "base/value_text.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "judge/judge.h"
#include "machine/choose.h"
#include "measure/occupancy.h"
#include "show/languages.h"
#include "show/twins.h"
#include "source/fingerprint.h"
#include "table/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Every fact of a device -------------------------------------------------------------------------------------- */

/* One line a fact. */

XB_COLUMN_PRINT(three, void, true, "%u x %u x %u", (&XB_MEMBER(uint32_t))[0], (&XB_MEMBER(uint32_t))[1],
                (&XB_MEMBER(uint32_t))[2])

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

static void add(char out[XB_TABLE_TEXT], const char *text)
{
  const size_t length = strlen(out);
  snprintf(out + length, XB_TABLE_TEXT - length, "%s%s", length ? ", " : "", text);
}

XB_COLUMN_TEXT(features)
{
  for (uint32_t bit = 1; xb_feature_name(bit); bit <<= 1)
    if (((const xb_device_info *)row)->features & bit)
      add(out, xb_feature_name(bit));
  if (!*out)
    add(out, "none");
}

XB_COLUMN_TEXT(launch_modes)
{
  for (uint32_t m = XB_LAUNCH_COMMAND_BUFFER; m <= XB_LAUNCH_HELD_STREAM; m++)
    if (((const xb_device_info *)row)->launch_modes >> m & 1)
      add(out, xb_launch_mode_name((xb_launch_mode)m));
}

XB_COLUMN_TEXT(queues)
{
  const xb_queue_info *queue = xb_field_member(c, row);
  snprintf(out, XB_TABLE_TEXT, queue->present ? "%u, family %u%s, %u timestamp bits" : "none", queue->count,
           queue->family, queue->graphics ? " with graphics" : "", queue->timestamp_bits);
}

/* A number that Linux tells of a device on the PCI bus; negative: it does not. */
static double linux_number(const char *pci, const char *fact)
{
  char path[96];
  double number = -1;
  const int end = snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", pci, fact);
  for (char *p = path; *p; p++)
    *p = (char)tolower((unsigned char)*p);
  FILE *file = *pci && end < (int)sizeof path ? fopen(path, "r") : NULL;
  if (file && fscanf(file, "%lf", &number) != 1)
    number = -1;
  if (file)
    fclose(file);
  return number;
}

/* Of the processor that the device is attached to. No API tells it. */
XB_COLUMN_TEXT(numa_node)
{
  const double node = linux_number(xb_field_member(c, row), "numa_node");
  if (node >= 0)
    snprintf(out, XB_TABLE_TEXT, "%.0f", node);
}

/* As it is now: a GPU that idles may have slowed it down. */
XB_COLUMN_TEXT(bus)
{
  const double rate = linux_number(xb_field_member(c, row), "current_link_speed");
  const double lanes = linux_number(xb_field_member(c, row), "current_link_width");
  if (rate > 0 && lanes > 0)
    snprintf(out, XB_TABLE_TEXT, "%g GT/s, %g lanes: at most %.3g GB/s each way", rate, lanes,
             xb_bus_gbps(rate, lanes));
}

/* What a multiprocessor gives out at a time, and grids at a time. No API tells them. */
XB_COLUMN_TEXT(steps)
{
  const xb_capability *k = xb_capability_of(((const xb_device_info *)row)->compute_capability);
  if (k)
    snprintf(out, XB_TABLE_TEXT, "%" PRIu32 " registers a %s, %" PRIu32 " bytes of shared memory", k->has.register_step,
             k->has.registers_by_group ? "group" : "wave", k->has.shared_step);
}

XB_COLUMN_TEXT(grids)
{
  const xb_capability *k = xb_capability_of(((const xb_device_info *)row)->compute_capability);
  if (k)
    snprintf(out, XB_TABLE_TEXT, "%" PRIu32, k->grids);
}

/* What is published of its compute capability, where the device tells something else. */
XB_COLUMN_TEXT(published)
{
  const xb_device_info *info = row;
  const xb_capability *k = xb_capability_of(info->compute_capability);
  if (!k)
    return;
  const struct {
    const char *name;
    uint64_t told, published;
  } list[] = {{"threads", info->threads_per_multiprocessor, k->has.threads},
              {"groups", info->groups_per_multiprocessor, k->has.groups},
              {"registers", info->registers_per_multiprocessor, k->has.registers},
              {"bytes of shared memory", info->shared_per_multiprocessor, k->has.shared_bytes},
              {"threads a group", info->max_group_threads, k->has.most_group},
              {"bytes of shared memory a group", info->shared_optin_bytes, k->most_shared_bytes}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i].told && list[i].told != list[i].published) {
      char text[64];
      snprintf(text, sizeof text, "%" PRIu64 " %s", list[i].published, list[i].name);
      add(out, text);
    }
  if (!*out)
    add(out, "the same (xbench list capabilities)");
}

#define AT(field) .offset = offsetof(xb_device_info, field)
#define OF(field) ((xb_device_info *)0)->field
#define KIND(field) _Generic(OF(field), uint32_t : XB_FIELD_KNOWN32, uint64_t : XB_FIELD_KNOWN, bool : XB_FIELD_BOOL)
/* clang-format off */
#define FACT(field) {#field, .kind = KIND(field), AT(field)}
#define SIZE(field) {#field, .kind = KIND(field), AT(field), .format = xb_as_bytes}
/* clang-format on */
static const xb_column facts[] = {
    SIZE(max_binding_bytes),
    SIZE(max_uniform_bytes),
    SIZE(max_buffer_bytes),
    SIZE(max_allocation_bytes),
    FACT(binding_align),
    FACT(uniform_align),
    {"max_groups", .text = three, AT(max_groups)},
    FACT(max_group_threads),
    {"max_group_size", .text = three, AT(max_group_size)},
    SIZE(shared_bytes),
    SIZE(shared_optin_bytes),
    FACT(max_arg_bytes),
    FACT(has_robust_access),
    {"features", .text = features},
    FACT(subgroup_size),
    FACT(subgroup_min),
    FACT(subgroup_max),
    SIZE(memory_bytes),
    {"compute queues", .text = queues, AT(queues[XB_QUEUE_COMPUTE])},
    {"copy queues", .text = queues, AT(queues[XB_QUEUE_COPY])},
    {"launch modes", .text = launch_modes},
    FACT(multiprocessors),
    FACT(threads_per_multiprocessor),
    FACT(groups_per_multiprocessor),
    FACT(registers_per_multiprocessor),
    SIZE(shared_per_multiprocessor),
    SIZE(shared_per_group),
    SIZE(cache_bytes),
    FACT(clock_khz),
    FACT(memory_clock_khz),
    FACT(memory_bus_bits),
    FACT(compute_capability),
    {"published limits", .text = published},
    {"allocated in steps of", .text = steps},
    {"kernels at a time", .text = grids},
    {"NUMA node", .text = numa_node, AT(pci)},
    {"bus", .text = bus, AT(pci)},
    FACT(calibrates),
    FACT(import_align),
    FACT(max_texels),
    FACT(storage_texels),
    FACT(exports),
    FACT(imports),
};

static void list_facts(const xb_device_info *info)
{
  xb_table s;
  xb_table_of_facts(&s, facts, sizeof facts / sizeof *facts);
  s.indent = 7;
  s.columns[0].width = 30;
  xb_table_add_thing(&s, info->backend, info);
  xb_table_fit(&s);
  xb_table_print_rows(&s);
}

/* ---- What is published of all ------------------------------------------------------------------------------------ */

XB_COLUMN_PRINT(version, xb_capability, true, "%" PRIu32 ".%" PRIu32, r->number / 10, r->number % 10)
/* A member of 32 bits. */
XB_COLUMN_VALUE(number, void, XB_MEMBER(uint32_t))
XB_COLUMN_VALUE(kib, void, XB_MEMBER(uint32_t) / 1024.0)
XB_COLUMN_PRINT(register_step, xb_capability, true, "%" PRIu32 " a %s", r->has.register_step,
                r->has.registers_by_group ? "group" : "wave")

static void list_capabilities(void)
{
#undef OF
#define OF(name) .offset = offsetof(xb_capability, name)
  static const xb_column columns[] = {
      {"capability", 10, .text = version},
      {"", 9, .left = true, .kind = XB_FIELD_TEXT, OF(name)},
      {"threads", 7, "%.0f", .number = number, OF(has.threads)},
      {"groups", 6, "%.0f", .number = number, OF(has.groups)},
      {"registers", 9, "%.0f", .number = number, OF(has.registers)},
      {"shared KiB", 10, "%.0f", .number = kib, OF(has.shared_bytes)},
      {"of a thread: registers", 22, "%.0f", .drop = 2, .number = number, OF(most_registers)},
      {"of a group: threads", 19, "%.0f", .drop = 3, .number = number, OF(has.most_group)},
      {"shared KiB", 10, "%.0f", .drop = 3, .number = kib, OF(most_shared_bytes)},
      {"kernels at a time", 17, "%.0f", .drop = 2, .number = number, OF(grids)},
      {"in steps: registers", 19, .drop = 1, .text = register_step},
      {"waves", 5, "%.0f", .drop = 1, .number = number, OF(has.wave_step)},
      {"shared B", 8, "%.0f", .drop = 1, .number = number, OF(has.shared_step)},
      {"besides", 7, "%.0f", .drop = 1, .number = number, OF(has.shared_besides)},
  };
  xb_table s = {XB_ROWS(xb_capabilities, 0)};
  while (xb_capabilities[s.rows].name)
    s.rows++;
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_table_fit(&s);
  printf(
      "a multiprocessor as NVIDIA publishes it, by compute capability; also the shared bytes that each group takes in "
      "addition\n%s\n",
      s.left_out ? "some columns are hidden; --wide shows all\n" : "");
  xb_table_print_heads(&s);
  xb_table_print_rows(&s);
}

static void list_api(bool all_facts, const xb_device_info *info)
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
    list_facts(info);
}

static void list_gpu(bool all_facts, const xb_device_choice *on, const xb_inventory *inventory, const xb_gpu *gpu)
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
      list_api(all_facts, gpu->by_backend[b]);
}

/* A backend that the user named must be available. If the user named none, one of them is enough. */
static int list_devices(bool all_facts, const xb_device_choice *on)
{
  xb_inventory inventory;
  const xb_gpu *any;
  bool lacks = false;
  xb_take_inventory(&inventory);
  printf("devices:\n");
  for (size_t i = 0; i < inventory.gpu_count; i++)
    if (xb_gpu_wanted(on, &inventory.gpus[i]))
      list_gpu(all_facts, on, &inventory, &inventory.gpus[i]);
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

XB_COLUMN_PRINT(name_of, xb_variant, true, "%s/%u", r->benchmark->name, r->number)

static void list_variants(const xb_benchmark *b)
{
  xb_table s;
  const xb_column columns[] = {
      {"", (int)strlen(b->name) + 4, .left = true, .text = name_of},
      {"", 22, .left = true, XB_AT(xb_variant, TEXT, name)},
      {"", 1, .left = true, XB_AT(xb_variant, TEXT, title)},
  };
  s = (xb_table){XB_ROWS(b->variants, b->variant_count), .indent = 2};
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_table_fit(&s);
  xb_table_print_rows(&s);
}

/* All, or this one; or a line for each. */
static void list_benchmarks(const xb_benchmark *only, bool in_short)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++) {
    if (only && b != only)
      continue;
    in_short ? printf("  %-13s %2zu  %s (", b->name, b->variant_count, b->title)
             : printf("%s: %s (", b->name, b->title);
    for (int d = 0, shown = 0; d < XB_DTYPES; d++)
      if (xb_has_dtype(b, (xb_dtype)d))
        printf("%s%s", shown++ ? ", " : "", xb_dtype_name((xb_dtype)d));
    printf(")\n");
    if (!in_short)
      list_variants(b);
    for (size_t a = 0; a < b->axis_count && !in_short; a++)
      print_axis(&b->axes[a]);
  }
}

/* Today's hashes, to compare with those in saved results: the same in every build. */
static void list_sources(void)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++)
      for (const xb_language *l = xb_source_languages; l->backend; l++) {
        const uint64_t hash = xb_source_hash_in(v, l);
        if (hash)
          printf("%s/%u_%s %s " XB_SOURCE_HASH_FORMAT "\n", b->name, v->number, v->name, l->backend, hash);
      }
}

/* ---- Command line ----------------------------------------------------------------------------------------------- */

typedef struct list_words {
  xb_device_choice on;
  bool all_facts;
  const char *what;          /* "": devices and benchmarks */
  const xb_benchmark *named; /* NULL: none */
} list_words;

static const xb_option options[] = {
    {"backend", 'b', XB_OPT_BACKEND, offsetof(list_words, on.backend), "list the devices of this API only",
     .value = xb_each_backend},
    {"device", 'd', XB_OPT_TEXT, offsetof(list_words, on.device), "list this device only", .value = "INDEX|UUID|NAME"},
    {"long", 'l', XB_OPT_FLAG, offsetof(list_words, all_facts), .help = "show every fact of a device"},
    {0}};

static int take(xb_invocation *in, const char *const *words)
{
  list_words *given = in->own;
  enum { LISTS = 4, MOST_NAMES = 128 };
  const char *names[MOST_NAMES] = {"devices", "benchmarks", "sources", "capabilities"};
  size_t place, count = LISTS;
  for (const xb_benchmark *b; count < MOST_NAMES && (b = xb_benchmark_at(count - LISTS)); count++)
    names[count] = b->name;
  given->what = words[0] ? words[0] : "";
  given->named = NULL;
  if (words[0] && words[1])
    return xb_report_error(
        XB_EXIT_USAGE,
        "list: expected a benchmark, or one of devices, benchmarks, sources and capabilities, not also '%s'", words[1]);
  if (*given->what && !xb_parse_word("list or benchmark", given->what, names, count, &place))
    return XB_EXIT_USAGE;
  given->named = *given->what && place >= LISTS ? xb_benchmark_at(place - LISTS) : NULL;
  return -1;
}

static int run(xb_invocation *in)
{
  list_words *given = in->own;
  int code = XB_EXIT_OK;
  xb_fold_stdout();
  if (!strcmp(given->what, "capabilities"))
    list_capabilities();
  else if (!strcmp(given->what, "sources"))
    list_sources();
  else if (given->named || !strcmp(given->what, "benchmarks"))
    list_benchmarks(given->named, false);
  else
    code = list_devices(given->all_facts, &given->on);
  if (!*given->what) {
    printf("\nbenchmarks, with their number of variants ('xbench list reduce' lists those of reduce):\n");
    list_benchmarks(NULL, true);
  }
  return code;
}

const xb_subcommand xb_command_list = {.name = "list",
                                       .usage = "[OPTION...] [BENCHMARK|devices|benchmarks|sources|capabilities]",
                                       .where = "list: ",
                                       .options = options,
                                       .own_bytes = sizeof(list_words),
                                       .take = take,
                                       .run = run};
