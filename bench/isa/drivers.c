/* Drivers that compile: of the devices that are here, and RADV, which compiles for each of AMD's GPUs when
 * RADV_FORCE_FAMILY names one. Each works in a process of its own, as a compiler may crash: it writes the name of each
 * kernel before it compiles it, and the whole row after. */
#include "isa/isa.h"

#include "base/exit_codes.h"
#include "os/child.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_S = 120 /* of one kernel */ };

/* ---- The process that compiles ---------------------------------------------------------------------------------- */

typedef struct work {
  xb_device *device;
  const xb_isa_choice *choice;
  uint32_t capability; /* of a device whose driver keeps NVIDIA's code; else 0 */
  FILE *out;
  size_t index, first; /* kernels before the first one are done */
} work;

static void send(const work *w, const json_t *row)
{
  json_dumpf(row, w->out, JSON_COMPACT);
  fputc('\n', w->out);
  fflush(w->out);
}

static void set_count(json_t *row, const char *key, uint32_t value, bool known)
{
  if (known)
    json_object_set_new(row, key, json_integer(value));
}

static void describe(json_t *row, const xb_kernel_info *k)
{
  set_count(row, "wave", k->subgroup_size, k->subgroup_size);
  set_count(row, "registers", k->registers, k->registers);
  set_count(row, "scalar_registers", k->scalar_registers, k->scalar_registers);
  set_count(row, "spilled_registers", k->spilled_registers, k->spills_known);
  set_count(row, "spilled_scalars", k->spilled_scalars, k->spills_known);
  set_count(row, "spill_bytes", k->spill_bytes, k->spills_known);
  set_count(row, "shared_bytes", k->shared_bytes, k->code_bytes);
  set_count(row, "code_bytes", k->code_bytes, k->code_bytes);
  set_count(row, "instructions", k->instructions, k->instructions);
  set_count(row, "waves_per_simd", k->waves_per_simd, k->waves_per_simd);
  set_count(row, "groups", k->groups_per_multiprocessor, k->groups_per_multiprocessor);
}

/* What a driver made of a kernel, if it gives it: a text, or data that has NVIDIA's code. */
static void take_code(const work *w, const xb_kernel *kernel, json_t *row)
{
  const char *text = xb_kernel_get_info(kernel)->text, *why = NULL;
  const void *data;
  size_t bytes, count;
  xb_arena arena = {0};
  xb_error error;
  if (text) {
    xb_isa_set_hash(row, text, strlen(text));
    if (w->choice->text)
      json_object_set_new(row, "text", json_string(text));
  } else if (w->capability && !xb_kernel_binary(kernel, &data, &bytes, &error)) {
    const unsigned char *code = xb_isa_shader_code(data, bytes, &arena, &count, &why);
    if (code) {
      xb_isa_set_hash(row, code, count);
      json_object_set_new(row, "instructions", json_integer(xb_isa_count_code(code, count)));
    }
    if (code && w->choice->text)
      xb_isa_list_raw(code, count, w->capability, row);
    if (why)
      json_object_set_new(row, "no_text", json_string(why));
  }
  xb_arena_free(&arena);
}

static void compile(xb_isa_case *k, void *user)
{
  work *w = user;
  xb_kernel *kernel;
  xb_error error;
  if (w->index++ >= w->first) {
    k->desc.keep_text = true;
    if (w->capability)
      k->desc.binary_form = XB_BINARY_CACHE;
    json_object_set_new(k->row, "driver", json_string(k->c->device->driver));
    json_object_set_new(k->row, "api", json_string(k->c->device->backend));
    send(w, k->row);
    alarm(LIMIT_S);
    if (k->why)
      xb_isa_refuse(k->row, k->why, false);
    else if (xb_kernel_create(w->device, &k->desc, &kernel, &error))
      xb_isa_refuse(k->row, error.message, error.code == XB_UNSUPPORTED);
    else {
      describe(k->row, xb_kernel_get_info(kernel));
      take_code(w, kernel, k->row);
      if (w->capability)
        xb_isa_add_groups(k, w->capability);
      xb_kernel_destroy(kernel);
    }
    alarm(0);
    json_object_set_new(k->row, "done", json_true());
    send(w, k->row);
  }
  json_decref(k->row);
}

/* A driver's manifest that the environment names counts; otherwise the first that is installed. */
static void choose_driver(const char *family)
{
  static const char *const places[] = {"/etc/vulkan/icd.d/radeon_icd*.json",
                                       "/usr/local/share/vulkan/icd.d/radeon_icd*.json",
                                       "/usr/share/vulkan/icd.d/radeon_icd*.json"};
  const char *named = getenv("VK_DRIVER_FILES") ? getenv("VK_DRIVER_FILES") : getenv("VK_ICD_FILENAMES");
  glob_t found = {0};
  setenv("RADV_FORCE_FAMILY", family, 1);
  setenv("XB_ALLOW_NEWER_SPIRV", "1", 0);
  if (named && strstr(named, "radeon"))
    return;
  for (size_t i = 0; i < sizeof places / sizeof *places && !found.gl_pathc; i++)
    glob(places[i], 0, NULL, &found);
  setenv("VK_DRIVER_FILES", found.gl_pathc ? found.gl_pathv[0] : "/nonexistent", 1);
  setenv("VK_ICD_FILENAMES", found.gl_pathc ? found.gl_pathv[0] : "/nonexistent", 1);
}

static bool open_device(const xb_isa_target *target, xb_device **device, xb_error *error)
{
  if (target->here)
    return !xb_device_open(&(xb_device_desc){.backend = target->here}, device, error);
  choose_driver(target->family);
  for (size_t i = 0; xb_backend_at(i); i++)
    if (!xb_device_open(&(xb_device_desc){.backend = xb_backend_at(i), .compile_only = true}, device, error))
      return true;
  return false;
}

typedef struct order {
  const xb_isa_choice *choice; /* NULL: nothing is compiled */
  const xb_isa_target *target;
  size_t first; /* kernel */
} order;

/* Returns 0 if all kernels were compiled, and 1 if there is no device. */
static int work_apart(FILE *to, void *user)
{
  const order *o = user;
  work w = {.choice = o->choice, .capability = o->target->here_capability, .out = to, .first = o->first};
  xb_error error;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGALRM, SIG_DFL);
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  if (!open_device(o->target, &w.device, &error))
    return 1;
  if (o->choice)
    xb_isa_each(o->choice, xb_device_get_info(w.device), compile, &w);
  return 0;
}

/* ---- This process ------------------------------------------------------------------------------------------------ */

/* RADV counts up to 10 waves a SIMD for all of gfx9. gfx90a has room for 8 (LLVM, IsaInfo::getMaxWavesPerEU). */
static void limit_waves(json_t *row, const char *gpu)
{
  enum { MOST = 8 };
  json_t *waves = json_object_get(row, "waves_per_simd");
  if (!strcmp(gpu, "gfx90a") && json_integer_value(waves) > MOST)
    json_integer_set(waves, MOST);
}

/* Adds finished rows; returns the one that was begun and not finished, or NULL. */
static json_t *take_rows(FILE *from, const xb_isa_target *target, json_t *rows)
{
  json_t *row, *begun = NULL;
  while ((row = json_loadf(from, JSON_DISABLE_EOF_CHECK, NULL))) {
    json_object_set_new(row, "for", json_string(target->name));
    limit_waves(row, target->name);
    json_decref(begun);
    begun = row;
    if (json_object_del(row, "done"))
      continue;
    json_array_append_new(rows, row);
    begun = NULL;
  }
  return begun;
}

/* Returns what waitpid says of a process that begins with this kernel; -1: there is none. */
static int start(const xb_isa_choice *choice, const xb_isa_target *target, size_t first, json_t *rows, json_t **begun)
{
  xb_copy copy;
  order o = {choice, target, first};
  xb_flush_stdout();
  if (!xb_copy_start(&copy, work_apart, &o))
    return -1;
  *begun = take_rows(copy.from, target, rows);
  return xb_copy_end(&copy);
}

bool xb_isa_driver_knows(const char *family)
{
  json_t *rows = json_array(), *begun = NULL;
  const int status = start(NULL, &(xb_isa_target){.family = family}, 0, rows, &begun);
  json_decref(begun);
  json_decref(rows);
  return !status;
}

void xb_isa_ask_driver(const xb_isa_choice *choice, const xb_isa_target *target, json_t *rows)
{
  const size_t before = json_array_size(rows);
  for (;;) {
    json_t *begun = NULL;
    char why[96];
    const int status = start(choice, target, json_array_size(rows) - before, rows, &begun);
    if (!begun && (!status || (target->here && !WIFSIGNALED(status))))
      return;   /* all is compiled, or this API has no device here */
    if (!begun) /* it ended before the first kernel or after the last */
      begun = json_pack("{s:s, s:s, s:s, s:i, s:b, s:s, s:s, s:s, s:s}", "kernel", "none", "part", "", "dtype", "none",
                        "group", 0, "default", 0, "at", "", "for", target->name, "api", "", "driver", "");
    const bool over = !json_integer_value(json_object_get(begun, "group"));
    if (over && !WIFSIGNALED(status))
      snprintf(why, sizeof why, "the driver no longer compiles for it");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      snprintf(why, sizeof why, "the compiler took longer than %d s", LIMIT_S);
    else
      snprintf(why, sizeof why, "the compiler crashed (%s)",
               WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ended the process");
    json_object_set_new(begun, "error", json_string(why));
    json_array_append_new(rows, begun);
    if (over)
      return;
  }
}
