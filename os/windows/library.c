#include "wide.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char why[256];

static void keep_reason(const char *name)
{
  const DWORD error = GetLastError();
  const int length = snprintf(why, sizeof why, "%.120s: ", name);
  DWORD bytes = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, error, 0, why + length,
                               (DWORD)(sizeof why - (size_t)length), NULL);
  if (error == ERROR_MOD_NOT_FOUND) /* in one language */
    snprintf(why + length, sizeof why - (size_t)length, "No such file, or it needs another one that is missing");
  else if (!bytes)
    snprintf(why + length, sizeof why - (size_t)length, "error %lu", error);
  why[strcspn(why, "\r\n")] = 0;
}

void *dlopen(const char *name, int flags)
{
  wchar_t wide[1024];
  (void)flags;
  const bool has_folder = strpbrk(name, "/\\") != NULL;
  HMODULE library = NULL;
  if (!xb_widen(name, wide, sizeof wide / sizeof *wide))
    SetLastError(ERROR_INVALID_NAME);
  else if (!has_folder)
    library = LoadLibraryExW(wide, NULL, LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);
  else {
    wchar_t full[1024]; /* the flags want an absolute path, with backslashes */
    if (GetFullPathNameW(wide, sizeof full / sizeof *full, full, NULL))
      library = LoadLibraryExW(full, NULL, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
  }
  if (!library)
    keep_reason(name);
  return library;
}

void *dlsym(void *library, const char *name)
{
  const FARPROC function = GetProcAddress(library, name);
  void *symbol;
  memcpy(&symbol, &function, sizeof symbol);
  if (!symbol)
    keep_reason(name);
  return symbol;
}

int dlclose(void *library)
{
  return !FreeLibrary(library);
}

char *dlerror(void)
{
  return why;
}

int dladdr(const void *symbol, Dl_info *info)
{
  static _Thread_local char path[3 * MAX_PATH];
  wchar_t wide[MAX_PATH];
  HMODULE library;
  const DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExW(how, symbol, &library) || !GetModuleFileNameW(library, wide, MAX_PATH) ||
      !xb_narrow(wide, path, sizeof path))
    return 0;
  info->dli_fname = path;
  return 1;
}
