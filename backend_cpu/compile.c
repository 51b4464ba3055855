/* The C of a translated shader, compiled by the machine's C compiler to a module, and kept: in XDG_CACHE_HOME/xbench
 * (else ~/.cache/xbench), under a hash of all that it was made from, with a hash of its bytes behind them. */
#include "cpu.h"

#include "blob.h"
#include "os/child.h"
#include "os/temporary.h"
#include "os/trusted.h"
#include "os/written_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern const xb_blob cpu_words[]; /* what the C is written with, in the order of its parts */

enum {
  PATH_BYTES = 4096,
  FILE_BYTES = PATH_BYTES + 16,
  MOST_MODULE_BYTES = 64 << 20,
  TRAILER = sizeof(uint64_t),
  LIMIT_S = 60
};

/* ISO C: numbers narrower than float are rounded at each operation. */
static const char *const flags[] = {"-std=c11",
                                    "-D_GNU_SOURCE",
                                    "-O2",
                                    "-g1",
                                    "-fPIC",
                                    "-fvisibility=hidden",
                                    "-fno-strict-aliasing",
                                    "-fwrapv",
                                    "-fno-finite-loops",
                                    "-fstack-clash-protection",
                                    "-ffp-contract=off",
                                    "-fno-math-errno",
                                    "-pthread",
                                    "-w",
                                    "-shared",
                                    "-Wl,-Bsymbolic"};
enum { FLAGS = sizeof flags / sizeof *flags };

/* ---- The compiler ----------------------------------------------------------------------------------------------- */

static bool find_in(const char *folders, const char *name, char path[PATH_BYTES])
{
  while (folders) {
    const int length = (int)strcspn(folders, XB_PATH_SEPARATOR);
    snprintf(path, PATH_BYTES, "%.*s%s%s", length, folders, length ? "/" : "", name);
    if (xb_is_program(path))
      return true;
    folders = folders[length] ? folders + length + 1 : NULL;
  }
  return false;
}

static xb_code find_compiler(const char *where, char path[PATH_BYTES], xb_error *err)
{
  static const char *const names[] = {"cc", "gcc", "clang"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (find_in(getenv("PATH"), names[i], path))
      return XB_OK;
  return xb_fail(err, XB_UNAVAILABLE, where,
                 "shaders on the CPU need a C compiler, and none was found: install gcc (Debian: apt-get "
                 "install gcc libc6-dev)");
}

static bool write_unit(const char *folder, const char *name, const cpu_shader *shader, char path[FILE_BYTES])
{
  snprintf(path, FILE_BYTES, "%s/shader.c", folder);
  FILE *file = fopen(path, "we");
  if (!file)
    return false;
  fprintf(file, "#define XB_SHADER_NAME \"");
  for (; *name; name++)
    fputc(*name < ' ' || *name == '"' || *name == '\\' || *name == '?' ? '_' : *name, file);
  fprintf(file, shader->checks ? "\"\n#define XB_WATCHED 1\n" : "\"\n");
  for (const xb_blob *b = cpu_words; b->name; b++) {
    fprintf(file, "#line 1 \"%s\"\n", b->name);
    fwrite(b->data, 1, b->bytes, file);
  }
  fprintf(file, "#line 1 \"shader.c\"\n");
  fwrite(shader->text, 1, shader->bytes, file);
  const bool written = !ferror(file);
  return !fclose(file) && written;
}

/* The first error in the compiler's messages, else their first line. */
static void first_error(FILE *file, char line[240])
{
  char next[240];
  *line = 0;
  rewind(file);
  while (fgets(next, sizeof next, file)) {
    const bool error = strstr(next, "error: ");
    if (*line && !error)
      continue;
    next[strcspn(next, "\n")] = 0;
    memcpy(line, next, sizeof next);
    if (error)
      return;
  }
}

/* As of the other compilers that the program runs. */
static double limit_s(void)
{
  const char *text = getenv("XB_COMPILER_LIMIT_S");
  const double limit = text ? strtod(text, NULL) : 0;
  return limit > 0 ? limit : LIMIT_S;
}

static xb_code run_compiler(const char *where, const char *compiler, const char *unit, const char *out, xb_error *err)
{
  const char *words[FLAGS + 8] = {compiler};
  memcpy(words + 1, flags, sizeof flags);
  const char *const end[] = {"-o", out, unit, "-lm", NULL};
  memcpy(words + 1 + FLAGS, end, sizeof end);
  FILE *said = xb_tmpfile();
  if (!said)
    return xb_fail(err, XB_INVALID, where, "the shader cannot be compiled: %s", xb_temporary_why());
  const xb_child child = {
      .argv = words, .input = -1, .output = fileno(said), .error = fileno(said), .limit_s = limit_s()};
  int status = 0;
  char line[240];
  const int error = xb_run_child(&child, &status);
  first_error(said, line);
  fclose(said);
  if (error == ETIMEDOUT)
    return xb_fail(err, XB_TIMEOUT, where, "%s did not end within %g s (XB_COMPILER_LIMIT_S: the limit)", compiler,
                   limit_s());
  if (error)
    return xb_fail(err, XB_INVALID, where, "%s cannot be run: %s", compiler, strerror(error));
  if (!WIFEXITED(status) || WEXITSTATUS(status))
    return xb_fail(err, XB_UNSUPPORTED, where, "%s does not compile the C translation of the shader: %.200s", compiler,
                   *line ? line : "it printed nothing");
  return XB_OK;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static bool read_file(const char *path, char **data, size_t *bytes)
{
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  bool whole = false;
  *data = NULL;
  *bytes = 0;
  if (file >= 0 && !fstat(file, &status) && status.st_size > 0 && status.st_size <= MOST_MODULE_BYTES) {
    *data = malloc((size_t)status.st_size);
    while (*data && *bytes < (size_t)status.st_size) {
      const ssize_t n = read(file, *data + *bytes, (size_t)status.st_size - *bytes);
      if (n <= 0)
        break;
      *bytes += (size_t)n;
    }
    whole = *bytes == (size_t)status.st_size;
  }
  if (file >= 0)
    close(file);
  if (!whole) {
    free(*data);
    *data = NULL;
  }
  return whole;
}

static uint64_t hash_of(uint64_t hash, const void *data, size_t bytes)
{
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * UINT64_C(1099511628211);
  return hash;
}

/* The file of the cache; "": there is none, or others could have put code there. */
static void name_kept(const char *compiler, const char *name, const cpu_shader *shader, char path[PATH_BYTES])
{
  const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
  char base[PATH_BYTES / 4], folder[PATH_BYTES / 2];
  struct stat tool = {0};
  uint64_t hash[2];
  *path = 0;
  if (cache && *cache == '/')
    snprintf(base, sizeof base, "%s", cache);
  else if (home && *home)
    snprintf(base, sizeof base, "%s/.cache", home);
  else
    return;
  stat(compiler, &tool);
  const int64_t facts[] = {tool.st_size, tool.st_mtim.tv_sec, tool.st_mtim.tv_nsec};
  for (unsigned i = 0; i < 2; i++) {
    hash[i] = hash_of(UINT64_C(14695981039346656037) + i, compiler, strlen(compiler));
    hash[i] = hash_of(hash[i], facts, sizeof facts);
    for (size_t f = 0; f < FLAGS; f++)
      hash[i] = hash_of(hash[i], flags[f], strlen(flags[f]) + 1);
    for (const xb_blob *b = cpu_words; b->name; b++)
      hash[i] = hash_of(hash[i], b->data, b->bytes);
    hash[i] = hash_of(hash_of(hash[i], name, strlen(name) + 1), shader->text, shader->bytes);
  }
  snprintf(folder, sizeof folder, "%s/xbench", base);
  mkdir(base, 0700);
  mkdir(folder, 0700);
  if (xb_is_private(folder))
    snprintf(path, PATH_BYTES, "%s/%016llx%016llx.shader", folder, (unsigned long long)hash[0],
             (unsigned long long)hash[1]);
}

static bool take_kept(const char *path, char **data, size_t *bytes)
{
  uint64_t hash;
  if (!*path || !xb_is_private(path) || !read_file(path, data, bytes))
    return false;
  if (*bytes > TRAILER) {
    *bytes -= TRAILER;
    memcpy(&hash, *data + *bytes, TRAILER);
    if (hash == hash_of(0, *data, *bytes))
      return true;
  }
  free(*data);
  *data = NULL;
  return false;
}

static void keep(const char *path, const char *data, size_t bytes)
{
  char *all = *path ? malloc(bytes + TRAILER) : NULL;
  if (!all)
    return;
  const uint64_t hash = hash_of(0, data, bytes);
  memcpy(all, data, bytes);
  memcpy(all + bytes, &hash, TRAILER);
  xb_write_private(path, all, bytes + TRAILER);
  free(all);
}

xb_code cpu_shader_compile(const char *where, const char *name, const cpu_shader *shader, char **module, size_t *bytes,
                           xb_error *err)
{
  char compiler[PATH_BYTES], kept[PATH_BYTES], folder[XB_TEMPORARY_BYTES], unit[FILE_BYTES], out[FILE_BYTES];
  xb_code code = find_compiler(where, compiler, err);
  if (code)
    return code;
  name_kept(compiler, name, shader, kept);
  if (take_kept(kept, module, bytes))
    return XB_OK;
  if (!xb_temporary_folder(folder))
    return xb_fail(err, XB_INVALID, where, "the shader cannot be compiled: %s", xb_temporary_why());
  snprintf(out, sizeof out, "%s/shader.so", folder);
  if (!write_unit(folder, name, shader, unit))
    code = xb_fail(err, XB_INVALID, where, "the shader cannot be compiled: %s cannot be written: %s", unit,
                   strerror(errno));
  code = code ? code : run_compiler(where, compiler, unit, out, err);
  if (!code && !read_file(out, module, bytes))
    code = xb_fail(err, XB_NOMEM, where, "out of memory for the module from %s", compiler);
  xb_temporary_remove(folder);
  if (!code)
    keep(kept, *module, *bytes);
  return code;
}
