/* The headers that stand for CUDA's take most of a small kernel's compilation. So a compiler reads them once for its
 * options, and the cache keeps what it made of them. A folder of the cache has
 *
 *   precompiled-HASH/first.h.gch   what g++ made of cuda_runtime.h; .pch: clang++. Under another name: once g++ has
 * read it, a source's own <cuda_runtime.h> must be found behind this folder read          the files that it was made
 * from, as the compiler's -MD lists them state         a hash of their sizes and times of change, and of the .gch's own
 *                    refused       in place of these: this compiler cannot make it or use it
 *
 * An empty folder says that one kernel was compiled without: the second one pays the 0.5 to 2 s, the first does not. A
 * process writes into a folder of its own, and renames it. */
#include "base/fnv.h"
#include "base/program.h"
#include "base/whole_file.h"
#include "compile/compile.h"
#include "os/temporary.h"
#include "os/written_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "precompiled-"
enum { MOST_KEPT = 8 }; /* up to 50 MB each */

bool xb_is_clang(const xb_pair_job *j)
{
  char *real = realpath(j->tool, NULL);
  const bool clang = real && strstr(real, "clang");
  free(real);
  return clang;
}

/* g++ looks by itself whether a macro of the user's changes what is precompiled; clang++ does not. */
static bool flags_allow_it(const xb_pair_job *j)
{
  static const char *const harmless[] = {"-I", "-W", "-w", "-D", "-U"};
  const size_t count = xb_is_clang(j) ? 3 : 5;
  if (getenv("CPATH") || getenv("CPLUS_INCLUDE_PATH")) /* headers in the place of others */
    return false;
  for (const char *const *f = j->source->flags; f && *f; f++) {
    size_t i = 0;
    while (i < count && strncmp(*f, harmless[i], 2) != 0)
      i++;
    if (i == count && xb_cplusplus_takes(*f))
      return false;
  }
  return true;
}

/* ---- Is it still what the compiler would make? ------------------------------------------------------------------- */

static uint64_t add_status(uint64_t hash, const struct stat *status)
{
  const int64_t facts[] = {status->st_size, status->st_mtim.tv_sec, status->st_mtim.tv_nsec};
  return xb_fnv1a(hash, facts, sizeof facts);
}

static const char *made_in(const xb_pair_job *j, const char *folder)
{
  return xb_arena_text(j->arena, "%s/" XB_PRECOMPILED_NAME ".%s", folder, xb_is_clang(j) ? "pch" : "gch");
}

/* Reads the next name of a rule for make, and returns the text behind it; NULL: there are no more. */
static const char *next_name(const char *p, char name[4096])
{
  size_t length = 0;
  while (*p == ' ' || *p == '\n' || (p[0] == '\\' && p[1] == '\n'))
    p++;
  for (; *p && *p != ' ' && *p != '\n' && length < 4095; p++) {
    p += (p[0] == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\')) || (p[0] == '$' && p[1] == '$');
    name[length++] = *p;
  }
  name[length] = '\0';
  return length ? p : NULL;
}

/* 0: something is missing. */
static uint64_t state_of(const xb_pair_job *j, const char *folder)
{
  char *text, name[4096];
  size_t bytes;
  const char *made = made_in(j, folder), *read = xb_arena_text(j->arena, "%s/read", folder);
  struct stat status;
  if (!made || !read || stat(made, &status) || xb_read_whole_file(read, j->arena, &text, &bytes, NULL))
    return 0;
  uint64_t hash = add_status(XB_FNV_START, &status);
  const char *p = strchr(text, ':');
  for (p = p ? p + 1 : ""; (p = next_name(p, name));) {
    if (stat(name, &status))
      return 0;
    hash = add_status(xb_fnv1a(hash, name, strlen(name)), &status);
  }
  return hash;
}

static bool is_current(xb_pair_job *j)
{
  char *text;
  size_t bytes;
  const char *path = xb_arena_text(j->arena, "%s/state", j->precompiled);
  if (!path || xb_read_whole_file(path, j->arena, &text, &bytes, NULL) || bytes != sizeof j->precompiled_state)
    return false;
  memcpy(&j->precompiled_state, text, bytes);
  return j->precompiled_state && j->precompiled_state == state_of(j, j->precompiled);
}

/* ---- In the words of a job --------------------------------------------------------------------------------------- */

static void set_words(xb_pair_job *j, bool use)
{
  const char **words = j->words + j->precompiled_word;
  const bool clang = use && xb_is_clang(j);
  j->uses_precompiled = use;
  words[0] = clang ? "-include-pch" : "-include";
  words[1] = clang ? made_in(j, j->precompiled) : use ? XB_PRECOMPILED_NAME : "cuda_runtime.h";
  words[2] = use && !clang ? "-fpch-preprocess" : "-w";
  words[3] = use && !clang ? xb_arena_text(j->arena, "-I%s", j->precompiled) : "-w"; /* before that of the header */
}

void xb_precompiled_add(xb_pair_job *j)
{
  const char *cache = xb_cache_folder(j->arena), *headers = xb_cpu_headers(j->arena);
  xb_cache_key key = {{0}};
  xb_cache_add_tool(&key, j->tool);
  for (int i = 0; i < j->count; i++)
    xb_cache_add(&key, j->words[i], strlen(j->words[i]));
  if (headers)
    xb_cache_add(&key, headers, strlen(headers)); /* this name has a hash of what is in them */
  j->precompiled = cache && headers && flags_allow_it(j)
                       ? xb_arena_text(j->arena, "%s/%s%016llx", cache, PREFIX, (unsigned long long)key.hash[0])
                       : NULL;
  j->precompiled_word = j->count;
  for (int i = 0; i < 4; i++)
    xb_pair_add_word(j, "");
  set_words(j, j->precompiled && is_current(j));
}

/* ---- Making it --------------------------------------------------------------------------------------------------- */

/* Of too many, that which was made first goes: also what a process left that was ended. */
static void remove_oldest(xb_arena *arena)
{
  const char *cache = xb_cache_folder(arena), *oldest = NULL;
  DIR *all = cache ? opendir(cache) : NULL;
  time_t since = 0;
  int count = 0;
  for (struct dirent *e; all && (e = readdir(all));) {
    struct stat status;
    const char *path =
        !strncmp(e->d_name, PREFIX, strlen(PREFIX)) ? xb_arena_text(arena, "%s/%s", cache, e->d_name) : NULL;
    if (!path || stat(path, &status))
      continue;
    count++;
    oldest = !oldest || status.st_mtim.tv_sec < since ? path : oldest;
    since = oldest == path ? status.st_mtim.tv_sec : since;
  }
  if (all)
    closedir(all);
  if (count > MOST_KEPT)
    xb_temporary_remove(oldest);
}

/* In another folder than the job's. `said`: what the compiler wrote, if it failed. */
static bool make(const xb_pair_job *j, const char *folder, char **said)
{
  const char *headers = xb_cpu_headers(j->arena), *state_path = xb_arena_text(j->arena, "%s/state", folder);
  xb_pair_job header = {.arena = j->arena, .count = j->precompiled_word};
  xb_error why;
  memcpy(header.words, j->words, (size_t)j->precompiled_word * sizeof *j->words);
  xb_pair_add_word(&header, xb_arena_text(j->arena, "-I%s/backend_cpu/cuda", headers));
  xb_pair_add_word(&header, xb_arena_text(j->arena, "-I%s/backend_cpu/runtime", headers));
  xb_pair_add_words(&header, "-x c++-header -MD -MT made -MF");
  xb_pair_add_word(&header, xb_arena_text(j->arena, "%s/read", folder));
  xb_pair_add_word(&header, xb_arena_text(j->arena, "%s/backend_cpu/cuda/cuda_runtime.h", headers));
  xb_pair_add_word(&header, "-o");
  xb_pair_add_word(&header, made_in(j, folder));
  if (!state_path || xb_run_program(header.words, j->arena, said, &why))
    return false;
  const uint64_t state = state_of(j, folder);
  return state && xb_write_whole_file(state_path, &state, sizeof state);
}

static void refuse(const xb_pair_job *j)
{
  const char *path = xb_arena_text(j->arena, "%s/refused", j->precompiled);
  xb_temporary_remove(j->precompiled);
  if (path && !mkdir(j->precompiled, 0700))
    xb_write_whole_file(path, "", 0);
}

void xb_precompiled_make(xb_pair_job *j)
{
  const char *refused = xb_arena_text(j->arena, "%s/refused", j->precompiled ? j->precompiled : "");
  const char *part = xb_arena_text(j->arena, "%s.%ld", j->precompiled ? j->precompiled : "", (long)getpid());
  char *said = "";
  if (!j->precompiled || j->uses_precompiled || !refused || !part)
    return;
  if (!mkdir(j->precompiled, 0700) || !access(refused, F_OK) || mkdir(part, 0700))
    return;
  remove_oldest(j->arena);
  if (make(j, part, &said)) {
    xb_temporary_remove(j->precompiled); /* what another process puts there now is as good */
    rename(part, j->precompiled);
  } else if (*said) { /* one that a signal or the time limit ended says nothing: the next kernel asks it again */
    refuse(j);
  }
  xb_temporary_remove(part);
  set_words(j, is_current(j));
}

void xb_precompiled_leave_out(xb_pair_job *j)
{
  set_words(j, false);
}

void xb_precompiled_was_wrong(xb_pair_job *j)
{
  const uint64_t used = j->precompiled_state;
  if (is_current(j) && j->precompiled_state == used) /* else another process replaced it meanwhile */
    refuse(j);
}
