/* The files to scan. */
#include "guide/scan/scan.h"

#include "base/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file_list {
  char **paths; /* ends with NULL */
  size_t count;
  bool out_of_memory;
} file_list;

static void append(file_list *list, const char *path)
{
  char **more = realloc(list->paths, sizeof *more * (list->count + 2));
  char *copy = more ? malloc(strlen(path) + 1) : NULL;
  list->paths = more ? more : list->paths;
  list->out_of_memory |= !copy;
  if (!copy)
    return;
  strcpy(copy, path);
  list->paths[list->count++] = copy;
  list->paths[list->count] = NULL;
}

/* True for the sources and headers of CUDA; in other files of C++ only if they use it. */
static bool is_cuda_source(const char *path)
{
  static const char *const others[] = {".h", ".hpp", ".hh", ".inl", ".cpp", ".cc", ".cxx", ".c"};
  const char *end = strrchr(path, '.');
  char *text;
  if (!end || !strcmp(end, ".cu") || !strcmp(end, ".cuh"))
    return end;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(end, others[i])) {
      xb_arena arena = {0};
      const bool uses =
          !xb_scan_read(path, &arena, &text, NULL) && (strstr(text, "__global__") || strstr(text, "__device__") ||
                                                       strstr(text, "cuda_runtime") || strstr(text, "<cuda.h>"));
      xb_arena_free(&arena);
      return uses;
    }
  return false;
}

static void append_folder(file_list *list, const char *folder)
{
  struct dirent **entries;
  const int count = scandir(folder, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char path[PATH_MAX];
    struct stat info;
    const char *name = entries[i]->d_name;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (*name != '.' && length > 0 && (size_t)length < sizeof path && !lstat(path, &info)) {
      if (S_ISDIR(info.st_mode))
        append_folder(list, path);
      else if (S_ISREG(info.st_mode) && is_cuda_source(path))
        append(list, path);
    }
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

char **xb_scan_files(const char *path)
{
  file_list list = {0};
  struct stat info;
  if (strcmp(path, "-") != 0 && stat(path, &info))
    return NULL;
  if (strcmp(path, "-") != 0 && S_ISDIR(info.st_mode))
    append_folder(&list, path);
  else
    append(&list, path);
  if (list.out_of_memory || !list.count) {
    xb_scan_free_files(list.paths);
    errno = list.out_of_memory ? ENOMEM : 0; /* 0: no source in the folder */
    return NULL;
  }
  return list.paths;
}

void xb_scan_free_files(char **files)
{
  for (char **file = files; file && *file; file++)
    free(*file);
  free(files);
}

xb_code xb_scan_read(const char *path, xb_arena *arena, char **text, xb_error *err)
{
  size_t bytes;
  const xb_code code = strcmp(path, "-")
                           ? xb_read_file(path, XB_MAX_SOURCE_BYTES, arena, text, &bytes, err)
                           : xb_read_open_file(STDIN_FILENO, path, XB_MAX_SOURCE_BYTES, arena, text, &bytes, err);
  return code || strlen(*text) == bytes ? code
                                        : xb_fail(err, XB_INVALID, path, "is not text: expected a source in CUDA C++");
}
