/* CUDA C++ compiled by the host's compiler, for a backend that runs it on the processor. The program carries the
 * headers that stand for CUDA's; they are written into the cache's folder. The object has a table of the kernel that is
 * wanted. Where its name alone does not say which one that is, another object tells first which kernels there are. */
#include "base/program.h"
#include "base/whole_file.h"
#include "compile/compile.h"
#include "compile/conditional.h"
#include "compile/object.h"
#include "os/temporary.h"
#include "os/written_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static uint32_t checks_of_run;

void xb_set_checks(uint32_t checks)
{
  checks_of_run = checks;
}

uint32_t xb_checks_in_code(void)
{
  return checks_of_run & (XB_CHECK_RACES | XB_CHECK_MEMORY);
}

/* ---- Options ---------------------------------------------------------------------------------------------------- */

/* Those that C++ compilers have, too: nvcc's own say nothing here. */
bool xb_cplusplus_takes(const char *flag)
{
  static const char *const begin[] = {"-D", "-U", "-I", "-std", "-f", "-W", "-w", "-mfma"};
  for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
    if (!strncmp(flag, begin[i], strlen(begin[i])))
      return true;
  return false;
}

/* The compilers' instrumentation, with functions of our own behind it (backend_cpu/cuda/watch.cpp). Without builtins:
 * a memset or memcpy that is expanded in place is not instrumented by g++. Sections: for xb_object_list_unwatched. What
 * g++ inlines has the line before it, where blocks keep their order. clang's `bounds` traps, too, without a line. */
static void add_watch_options(xb_pair_job *j)
{
  xb_pair_add_words(
      j,
      "-O1 -fno-wrapv -U_FORTIFY_SOURCE -fno-builtin-memset -fno-builtin-memcpy -fno-builtin-memmove "
      "-fno-builtin-memcmp -fsanitize=thread -fsanitize=shift,signed-integer-overflow,float-cast-overflow,alignment");
  xb_pair_add_word(j, xb_arena_text(j->arena, "-DXB_CPU_WATCHES=%u", j->source->checks));
  xb_pair_add_words(j, xb_is_clang(j) ? "-fsanitize=array-bounds -mllvm -tsan-distinguish-volatile=1"
                                      : "-fsanitize=bounds -fno-reorder-blocks --param=tsan-distinguish-volatile=1");
}

/* -fsanitize: for words/floats.h. Casts of floats saturate, as in CUDA; a module's variables are its own. Sections: for
 * link_module. */
void xb_cplusplus_add_options(xb_pair_job *j)
{
  const char *folder = xb_cpu_headers(j->arena);
  xb_pair_add_words(j, "-std=c++17 -O2 -g1 -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-exceptions -fno-rtti "
                       "-ffunction-sections -fdata-sections -fwrapv -fno-finite-loops -fstack-clash-protection "
                       "-pthread -w -fsanitize=float-cast-overflow "
                       "-DXB_CPU_HOST_CODE");
  xb_pair_add_word(j, xb_is_clang(j) ? "-fno-strict-float-cast-overflow" : "-fno-gnu-unique");
  if (!j->source->lists_kernels && (!j->device_only || j->host_headers))
    xb_pair_add_word(j, "-DXB_CPU_HOST_HEADERS");
  if (j->source->checks)
    add_watch_options(j);
  xb_precompiled_add(j);
  xb_pair_add_words(j, "-x c++");
  if (j->device_only)
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s", j->headers));
  if (folder) {
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s/backend_cpu/cuda", folder));
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s/backend_cpu/runtime", folder));
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s/bench/compile", folder));
  }
  xb_pair_add_folder(j);
  for (const char *const *f = j->source->flags; f && *f; f++)
    if (xb_cplusplus_takes(*f) || (f > j->source->flags && strchr("DUI", f[-1][1]) && !f[-1][2]))
      xb_pair_add_word(j, *f);
}

/* Behind `__global__`: "saxpy" of "void __launch_bounds__(64) saxpy(int n)". */
static const char *name_behind(const char *p, xb_arena *arena)
{
  for (;;) {
    const char *open = p + strcspn(p, "(;{"), *end = open, *name;
    while (end > p && isspace((unsigned char)end[-1]))
      end--;
    for (name = end; name > p && (isalnum((unsigned char)name[-1]) || name[-1] == '_');)
      name--;
    if (*open != '(' || name == end)
      return NULL;
    if (strncmp(name, "__", 2) != 0)
      return xb_arena_text(arena, "%.*s", (int)(end - name), name);
    for (int depth = 0; *open && (*open != ')' || depth > 1); open++)
      depth += (*open == '(') - (*open == ')');
    p = open + (*open != 0);
  }
}

/* The kernel that is wanted or, with no name given, the only one that the text has. It may be another one: the object
 * tells. NULL: none, or several. */
static const char *expected_kernel(const xb_pair_job *j)
{
  static const char word[] = "__global__";
  char *text;
  size_t bytes;
  const char *found = NULL;
  if (j->entry || xb_read_whole_file(j->input, j->arena, &text, &bytes, NULL))
    return j->entry;
  for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) {
    const char *name = name_behind(p + strlen(word), j->arena);
    if (!name || (found && strcmp(found, name) != 0))
      return NULL;
    found = name;
  }
  return found;
}

/* ---- Compiling --------------------------------------------------------------------------------------------------- */

/* The source; where the compiler would make something else of it than CUDA, a copy in `folder` that says whose lines it
 * has. */
static const char *path_of_source(const xb_pair_job *j, const char *folder, bool *saturates, const char **beside)
{
  char *text, *real = realpath(j->input, NULL);
  const char *full = real ? xb_arena_text(j->arena, "%s", real) : NULL;
  size_t bytes;
  free(real);
  if (!full || xb_read_whole_file(full, j->arena, &text, &bytes, NULL))
    return full;
  text += strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3; /* the mark of UTF-8 belongs at a beginning */
  const char *cast = *saturates ? xb_saturate_casts(text, j->arena) : text;
  const char *kept = xb_is_clang(j) ? cast : xb_keep_conditionals(cast, j->arena);
  *saturates = cast != text;
  if (kept == text)
    return full;
  const char *copy = xb_arena_text(j->arena, "%s/source.cu", folder);
  const char *class_of_casts =
      *saturates ? xb_arena_text(j->arena, "#include \"%s/bench/compile/saturated.hpp\"\n", xb_cpu_headers(j->arena))
                 : "";
  kept = xb_arena_text(j->arena, "%s#line 1 \"%s\"\n%s", class_of_casts ? class_of_casts : "", full, kept);
  *beside = xb_arena_text(j->arena, "%.*s", (int)(strrchr(full, '/') - full + 1), full);
  return copy && kept && *beside && xb_write_whole_file(copy, kept, strlen(kept)) ? copy : NULL;
}

/* The file that is compiled: the source, and with `entry` also the table of that one entry point. */
static xb_code write_unit(xb_pair_job *j, const char *entry, const char *full, const char *path, xb_error *err)
{
  const char *last = entry ? strrchr(entry, ':') : NULL;
  const char *name = xb_is_template(entry) ? "instance" : last ? last + 1 : entry;
  const char *text =
      full ? xb_arena_text(j->arena,
                           "#undef __global__\n"
                           "#define __global__ __attribute__((XB_CPU_WHOLE used, noinline, section(\"xb_kernels\")))\n"
                           "#include \"%s\"\n",
                           full)
           : NULL;
  const char *address = text && entry ? xb_instance_address(entry, j->arena) : NULL;
  if (text && entry)
    text = xb_arena_text(j->arena,
                         "%s#include \"describe.hpp\"\nXB_CPU_ENTRY_AS(%s, %s)\nXB_DESCRIBE(%s, %s)\nXB_CPU_MODULE\n",
                         text, name, address ? address : "", name, address ? address : "");
  if (full && j->source->lists_kernels)
    text = xb_arena_text(j->arena, "#include \"%s\"\nXB_CPU_MODULE\n", full);
  return text && xb_write_whole_file(path, text, strlen(text))
             ? XB_OK
             : xb_fail(err, XB_INVALID, j->source->path, "cannot be compiled: %s", xb_temporary_why());
}

/* True for a mistake at a line of a file: not for a compiler that does not take what is precompiled. */
static bool is_of_source(const char *said)
{
  for (const char *p = said; (p = strstr(p, ": error: ")); p++)
    if (p > said && isdigit((unsigned char)p[-1]))
      return true;
  return !strstr(said, XB_PRECOMPILED_NAME ": No such file") /* g++: what is precompiled is not valid */
         && (strstr(said, "No such file") || strstr(said, "file not found"));
}

/* `beside`: where the source includes "files" from, if it is compiled from a copy; else NULL. */
static xb_code run_compiler(const xb_pair_job *j, const char *unit, const char *out, const char *beside, char **said,
                            xb_error *err)
{
  const char *words[XB_MOST_COMPILER_WORDS + 8];
  const char *const end[] = {"-c", unit, "-o", out, beside ? "-iquote" : NULL, beside, NULL};
  memcpy(words, j->words, (size_t)j->count * sizeof *words);
  memcpy(words + j->count, end, sizeof end);
  return xb_run_program(words, j->arena, said, err);
}

/* A mistake in what write_unit adds behind the source: no kernel has this name there. */
static bool is_of_table(const char *said, const char *folder, xb_arena *arena)
{
  for (int line = 5; line < 7; line++) {
    const char *place = xb_arena_text(arena, "%s/unit.cpp:%d:", folder, line);
    if (place && strstr(said, place))
      return true;
  }
  return false;
}

/* Writes and compiles the unit. `saturates`: with its casts rewritten; false afterwards if it has none. */
static xb_code compile_unit(xb_pair_job *j, const char *folder, const char *entry, const char *out, bool *saturates,
                            char **said, xb_error *err)
{
  const char *unit = xb_arena_text(j->arena, "%s/unit.cpp", folder);
  const char *beside = NULL, *full = path_of_source(j, folder, saturates, &beside);
  xb_code code = write_unit(j, entry, full, unit, err);
  if (code)
    return code;
  code = run_compiler(j, unit, out, beside, said, err);
  if (code == XB_INVALID && j->uses_precompiled && !is_of_source(*said)) {
    xb_precompiled_leave_out(j);
    code = run_compiler(j, unit, out, beside, said, err);
    if (!code)
      xb_precompiled_was_wrong(j);
  }
  return code;
}

static xb_code make_object(xb_pair_job *j, const char *folder, const char *entry, xb_elf *object, char **said,
                           xb_error *err)
{
  const char *out = xb_arena_text(j->arena, "%s/unit.o", folder);
  char *data;
  size_t bytes;
  bool saturates = !j->keeps_casts;
  xb_code code = compile_unit(j, folder, entry, out, &saturates, said, err);
  if (code == XB_INVALID && saturates && !is_of_table(*said, folder, j->arena)) {
    saturates = false; /* as where a declaration looks like a cast */
    code = compile_unit(j, folder, entry, out, &saturates, said, err);
    j->keeps_casts = !code;
  }
  code = code ? code : xb_read_whole_file(out, j->arena, &data, &bytes, err);
  if (!code)
    xb_elf_open(object, data, bytes);
  return code;
}

/* The object that has the table of the kernel that is wanted. */
static xb_code make_table(xb_pair_job *j, const char *folder, xb_object_kernel *kernel, xb_elf *object, char **said,
                          xb_error *err)
{
  const char *expected = expected_kernel(j);
  xb_code code = expected ? make_object(j, folder, expected, object, said, err) : XB_OK;
  if (code && !is_of_table(*said, folder, j->arena))
    return code;
  if (xb_is_template(expected)) {
    kernel->found = expected;
    return code;
  }
  if (expected && !code) {
    code = xb_object_choose(j, object, kernel, err);
    if (code || !strcmp(kernel->found, expected))
      return code;
  }
  *kernel = (xb_object_kernel){.wanted = j->entry};
  code = make_object(j, folder, NULL, object, said, err);
  code = code ? code : xb_object_choose(j, object, kernel, err);
  return code ? code : make_object(j, folder, kernel->found, object, said, err);
}

/* What instrumented code calls, and what is not instrumented in it. NULL: it does not compile. */
static const char *make_watch(xb_pair_job *j, const char *folder, const xb_elf *object, const char *headers,
                              char **said, xb_error *err)
{
  char unwatched[XB_UNWATCHED_BYTES] = "";
  if (!xb_is_clang(j)) /* g++ does not instrument the copy that a call makes of a struct */
    xb_object_list_unwatched(object, ".text._ZN6xb_cpu5entry", j->arena, unwatched);
  const char *out = xb_arena_text(j->arena, "%s/watch.o", folder);
  xb_pair_job watch = {.arena = j->arena};
  xb_pair_add_word(&watch, j->tool);
  xb_pair_add_words(&watch, "-O2 -fPIC -fvisibility=hidden -fno-exceptions -fno-builtin -w -c");
  xb_pair_add_word(&watch, xb_arena_text(j->arena, "-DXB_CPU_WATCHES=%u", j->source->checks));
  xb_pair_add_word(&watch, xb_arena_text(j->arena, "-DXB_CPU_UNWATCHED=\"%s\"", unwatched));
  xb_pair_add_word(&watch, xb_arena_text(j->arena, "-I%s/backend_cpu/runtime", headers));
  xb_pair_add_word(&watch, xb_arena_text(j->arena, "%s/backend_cpu/cuda/watch.cpp", headers));
  const char *kept;
  char *data;
  size_t bytes;
  xb_cache_key key = {{0}};
  xb_cache_add_tool(&key, j->tool);
  for (int i = 1; i < watch.count; i++)
    xb_cache_add(&key, watch.words[i], strlen(watch.words[i]));
  xb_pair_add_word(&watch, "-o"); /* not in the key: the folder's name has a hash of the source */
  xb_pair_add_word(&watch, out);
  if (xb_cache_get(&key, j->arena, &kept, &bytes))
    return xb_write_whole_file(out, kept, bytes)
               ? out
               : (xb_fail(err, XB_INVALID, j->source->path, "cannot be compiled: %s", xb_temporary_why()), NULL);
  if (xb_run_program(watch.words, j->arena, said, err))
    return NULL;
  if (!xb_read_whole_file(out, j->arena, &data, &bytes, NULL))
    xb_cache_put(&key, data, bytes, j->arena);
  return out;
}

/* Makes all `extern __shared__` arrays the same memory: thread-local variables that the object does not define. */
static void unite_shared(const xb_elf *object, const char *headers, xb_pair_job *link)
{
  const int before = link->count;
  for (xb_elf_symbols walk = {0}; xb_elf_next_symbol(object, &walk);) {
    const char *name = walk.name;
    if (ELF64_ST_TYPE(walk.symbol.st_info) != STT_TLS || walk.symbol.st_shndx != SHN_UNDEF)
      continue;
    xb_pair_add_word(link, xb_arena_text(link->arena, "-Wl,--defsym=%s=xb_cpu_dynamic_shared", name));
    xb_pair_add_word(
        link, /* what would initialize it, by the C++ ABI */
        strncmp(name, "_Z", 2) != 0
            ? xb_arena_text(link->arena, "-Wl,--defsym=_ZTH%zu%s=xb_cpu_no_initializer", strlen(name), name)
            : xb_arena_text(link->arena, "-Wl,--defsym=_ZTH%s=xb_cpu_no_initializer", name + 2));
  }
  if (link->count == before)
    return;
  xb_pair_add_words(link, "-fPIC -fvisibility=hidden");
  xb_pair_add_word(link, xb_arena_text(link->arena, "-I%s/backend_cpu/runtime", headers));
  xb_pair_add_word(link, xb_arena_text(link->arena, "%s/backend_cpu/cuda/extern_shared.cpp", headers));
}

/* Host code that no kernel calls may need functions of libraries that are not here. So the linker keeps what the
 * entry, the variables of kernels and static initializers need, and exports the symbols that the loader looks for. */
static bool keep_what_is_used(xb_pair_job *link, const char *folder, const xb_elf *object)
{
  const char *path = xb_arena_text(link->arena, "%s/exports", folder), *names = "";
  for (xb_elf_symbols walk = {0}; xb_elf_next_symbol(object, &walk);)
    if (walk.symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(walk.symbol.st_info) == STT_OBJECT &&
        ELF64_ST_BIND(walk.symbol.st_info) != STB_LOCAL && walk.symbol.st_other == STV_DEFAULT &&
        strncmp(walk.name, "_ZT", 3) != 0) /* tables of classes */
      names = xb_arena_text(link->arena, "%s %s;", names, walk.name);
  const char *text = names ? xb_arena_text(link->arena, "{ global: xb_cpu_*;%s local: *; };\n", names) : NULL;
  xb_pair_add_words(link, "-Wl,--gc-sections -Wl,-z,defs");
  xb_pair_add_word(link, xb_arena_text(link->arena, "-Wl,--version-script=%s", path));
  return path && text && xb_write_whole_file(path, text, strlen(text));
}

static xb_code link_module(xb_pair_job *j, const char *folder, const xb_elf *object, xb_pair_binary *binary,
                           char **said, xb_error *err)
{
  const char *headers = xb_cpu_headers(j->arena), *out = xb_arena_text(j->arena, "%s/unit.so", folder),
             *unit = xb_arena_text(j->arena, "%s/unit.o", folder);
  const char *watch = j->source->checks ? make_watch(j, folder, object, headers ? headers : "", said, err) : NULL;
  if (j->source->checks && !watch)
    return err->code;
  xb_pair_job link = {.arena = j->arena};
  xb_pair_add_word(&link, j->tool);
  xb_pair_add_words(&link, "-shared -Wl,-Bsymbolic -o");
  xb_pair_add_word(&link, out);
  xb_pair_add_word(&link, unit);
  if (watch)
    xb_pair_add_word(&link, watch);
  xb_pair_add_word(&link, "-lm");
  unite_shared(object, headers ? headers : "", &link);
  if (!keep_what_is_used(&link, folder, object))
    return xb_fail(err, XB_INVALID, j->source->path, "cannot be compiled: %s", xb_temporary_why());
  char *data;
  size_t bytes;
  xb_code code = xb_run_program(link.words, j->arena, said, err);
  if (code && !xb_read_whole_file(unit, j->arena, &data, &bytes, NULL) &&
      xb_object_leave_out_initializers(object, data) && xb_write_whole_file(unit, data, bytes))
    code = xb_run_program(link.words, j->arena, said, err);
  code = code ? code : xb_read_whole_file(out, j->arena, &data, &binary->bytes, err);
  binary->data = code ? NULL : data;
  return code;
}

xb_code xb_cplusplus_compile(xb_pair_job *j, xb_pair_binary *binary, const char **said, xb_error *err)
{
  char folder[XB_TEMPORARY_BYTES], *messages = "";
  xb_object_kernel kernel = {.wanted = j->entry};
  xb_elf object = {0};
  if (!xb_cpu_headers(j->arena))
    return xb_fail(err, XB_INVALID, j->source->path,
                   "the emulation's CUDA headers cannot be written: set XDG_CACHE_HOME to a folder "
                   "of yours");
  if (!xb_temporary_folder(folder))
    return xb_fail(err, XB_INVALID, j->source->path, "cannot be compiled: %s", xb_temporary_why());
  xb_precompiled_make(j);
  xb_code code = j->source->lists_kernels ? make_object(j, folder, NULL, &object, &messages, err)
                                          : make_table(j, folder, &kernel, &object, &messages, err);
  if (!code && kernel.found)
    code = xb_object_check_shared(j, &object, &kernel, &messages, err);
  code = code ? code : link_module(j, folder, &object, binary, &messages, err);
  xb_temporary_remove(folder);
  *said = messages;
  return code;
}
