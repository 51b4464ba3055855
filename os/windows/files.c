/* Files and folders. */
#include "os/paths.h"
#include "wide.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool xb_widen(const char *text, wchar_t *out, size_t most)
{
  return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, out, (int)most) > 0;
}

bool xb_narrow(const wchar_t *text, char *out, size_t most)
{
  return WideCharToMultiByte(CP_UTF8, 0, text, -1, out, (int)most, NULL, NULL) > 0;
}

/* From 248 characters on, a path must be absolute and say that it may be long, whatever the system is set to. */
static bool widen_path(const char *path, wchar_t out[XB_WIDE])
{
  static const wchar_t local[] = L"\\\\?\\", server[] = L"\\\\?\\UNC";
  enum { ROOM = sizeof server / sizeof *server, SHORT = 248 };
  wchar_t full[XB_WIDE];
  if (!xb_widen(path, out, XB_WIDE)) {
    SetLastError(ERROR_INVALID_NAME);
    return false;
  }
  const DWORD length = GetFullPathNameW(out, XB_WIDE - ROOM, full, NULL);
  if (length >= SHORT && length < XB_WIDE - ROOM && wcsncmp(full, local, 4) != 0) {
    const bool shared = full[0] == '\\' && full[1] == '\\';
    wcscat(wcscpy(out, shared ? server : local), full + shared);
  }
  return true;
}

void xb_use_slashes(char *path)
{
  for (; *path; path++)
    *path = *path == '\\' ? '/' : *path;
}

int xb_failed(void)
{
  static const struct {
    DWORD error;
    int number;
  } known[] = {
      {ERROR_FILE_NOT_FOUND, ENOENT},    {ERROR_PATH_NOT_FOUND, ENOENT}, {ERROR_ACCESS_DENIED, EACCES},
      {ERROR_SHARING_VIOLATION, EACCES}, {ERROR_ALREADY_EXISTS, EEXIST}, {ERROR_FILE_EXISTS, EEXIST},
      {ERROR_DISK_FULL, ENOSPC},         {ERROR_INVALID_NAME, ENOENT},   {ERROR_DIRECTORY, ENOTDIR},
      {ERROR_NOT_ENOUGH_MEMORY, ENOMEM}, {ERROR_WRITE_PROTECT, EROFS},   {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
      {ERROR_BROKEN_PIPE, EPIPE},        {ERROR_BAD_NETPATH, ENOENT},
  };
  const DWORD error = GetLastError();
  errno = EIO;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].error == error)
      errno = known[i].number;
  return -1;
}

/* ---- Facts of a file -------------------------------------------------------------------------------------------- */

static int status_of(HANDLE file, struct xb_stat *status)
{
  BY_HANDLE_FILE_INFORMATION info;
  *status = (struct xb_stat){0};
  if (GetFileType(file) != FILE_TYPE_DISK) {
    status->st_mode = S_IFCHR | 0666;
    return 0;
  }
  if (!GetFileInformationByHandle(file, &info))
    return xb_failed();
  const bool folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
  const bool read_only = info.dwFileAttributes & FILE_ATTRIBUTE_READONLY;
  const uint64_t ticks = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
  const int64_t of_100_ns = (int64_t)ticks - 116444736000000000; /* since 1970 instead of 1601 */
  status->st_dev = info.dwVolumeSerialNumber;
  status->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
  status->st_mode = (unsigned short)((folder ? S_IFDIR | 0111 : S_IFREG) | (read_only ? 0444 : 0666));
  status->st_size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
  status->st_mtim = (struct timespec){of_100_ns / 10000000, (long)(of_100_ns % 10000000 * 100)};
  return 0;
}

static int status_at(const char *path, DWORD how, struct xb_stat *status)
{
  wchar_t wide[XB_WIDE];
  if (!widen_path(path, wide))
    return xb_failed();
  HANDLE file = CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | how, NULL);
  if (file == INVALID_HANDLE_VALUE)
    return xb_failed();
  const int failed = status_of(file, status);
  CloseHandle(file);
  return failed;
}

int xb_stat(const char *path, struct xb_stat *status)
{
  return status_at(path, 0, status);
}

/* A link is neither a file nor a folder. */
int xb_lstat(const char *path, struct xb_stat *status)
{
  wchar_t wide[XB_WIDE];
  const int failed = status_at(path, FILE_FLAG_OPEN_REPARSE_POINT, status);
  if (!failed && widen_path(path, wide) && GetFileAttributesW(wide) & FILE_ATTRIBUTE_REPARSE_POINT)
    status->st_mode = 0;
  return failed;
}

int xb_fstat(int fd, struct xb_stat *status)
{
  const intptr_t handle = fd < 0 ? -1 : _get_osfhandle(fd);
  if (handle == -1) {
    errno = EBADF;
    return -1;
  }
  return status_of((HANDLE)handle, status);
}

char *realpath(const char *path, char *out)
{
  wchar_t wide[XB_WIDE], full[XB_WIDE];
  char text[3 * XB_WIDE];
  HANDLE file = INVALID_HANDLE_VALUE;
  DWORD length = 0;
  if (widen_path(path, wide))
    file = CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file != INVALID_HANDLE_VALUE) {
    length = GetFinalPathNameByHandleW(file, full, XB_WIDE, 0);
    if (!length) /* Wine's takes 260 characters */
      length = GetFullPathNameW(wide, XB_WIDE, full, NULL);
    CloseHandle(file);
  }
  if (!length || length >= XB_WIDE || !xb_narrow(full, text, sizeof text)) {
    xb_failed();
    return NULL;
  }
  const char *plain = !strncmp(text, "\\\\?\\UNC\\", 8) ? text + 6 : !strncmp(text, "\\\\?\\", 4) ? text + 4 : text;
  if (out && strlen(plain) >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  out = out ? strcpy(out, plain) : strdup(plain);
  if (out && plain == text + 6)
    *out = '\\'; /* "\\server\share" */
  if (out)
    xb_use_slashes(out);
  return out;
}

/* ---- Changes ---------------------------------------------------------------------------------------------------- */

int xb_make_folder(const char *path)
{
  wchar_t wide[XB_WIDE];
  return widen_path(path, wide) && CreateDirectoryW(wide, NULL) ? 0 : xb_failed();
}

int xb_unlink(const char *path)
{
  wchar_t wide[XB_WIDE];
  return widen_path(path, wide) && DeleteFileW(wide) ? 0 : xb_failed();
}

int xb_has_access(const char *path, int how)
{
  wchar_t wide[XB_WIDE];
  return widen_path(path, wide) ? _waccess(wide, how & (R_OK | W_OK)) : xb_failed();
}

/* A file that is open cannot be replaced, but be moved away. */
int xb_rename(const char *from, const char *to)
{
  wchar_t wide[2][XB_WIDE], away[XB_WIDE];
  if (!widen_path(from, wide[0]) || !widen_path(to, wide[1]) || wcslen(wide[1]) >= XB_WIDE - 8)
    return xb_failed();
  if (MoveFileExW(wide[0], wide[1], MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
    return 0;
  if (GetLastError() != ERROR_ACCESS_DENIED && GetLastError() != ERROR_SHARING_VIOLATION)
    return xb_failed();
  wcscat(wcscpy(away, wide[1]), L".away");
  if (!MoveFileExW(wide[1], away, MOVEFILE_REPLACE_EXISTING))
    return xb_failed();
  if (!MoveFileExW(wide[0], wide[1], MOVEFILE_WRITE_THROUGH)) {
    xb_failed();
    MoveFileExW(away, wide[1], 0);
    return -1;
  }
  DeleteFileW(away);
  return 0;
}

int xb_open(const char *path, int flags, ...)
{
  wchar_t wide[XB_WIDE];
  const DWORD access = flags & O_RDWR ? GENERIC_READ | GENERIC_WRITE : flags & O_WRONLY ? GENERIC_WRITE : GENERIC_READ;
  const DWORD how = !(flags & O_CREAT) ? (flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING)
                    : flags & O_EXCL   ? CREATE_NEW
                    : flags & O_TRUNC  ? CREATE_ALWAYS
                                       : OPEN_ALWAYS;
  SECURITY_ATTRIBUTES inherit = {sizeof inherit, NULL, !(flags & O_CLOEXEC)};
  if (!strcmp(path, "/dev/null"))
    path = "NUL";
  if (!widen_path(path, wide))
    return xb_failed();
  const HANDLE file = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherit, how,
                                  FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE)
    return xb_failed();
  return _open_osfhandle((intptr_t)file, flags & (O_APPEND | O_CLOEXEC));
}

FILE *xb_fopen(const char *path, const char *mode)
{
  const int change = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  const int make = *mode == 'r' ? 0 : O_CREAT | (strchr(mode, 'x') ? O_EXCL : *mode == 'w' ? O_TRUNC : O_APPEND);
  const char binary[] = {*mode, 'b', change == O_RDWR ? '+' : 0, 0};
  const int fd = open(path, change | make | (strchr(mode, 'e') || make & O_EXCL ? O_CLOEXEC : 0));
  return fd < 0 ? NULL : fdopen(fd, binary);
}

int fchmod(int fd, unsigned mode)
{
  (void)fd, (void)mode;
  return 0;
}

int fsync(int fd)
{
  return _commit(fd);
}

ssize_t pread(int fd, void *out, size_t bytes, off_t offset)
{
  const int64_t before = _lseeki64(fd, 0, SEEK_CUR);
  if (before < 0 || _lseeki64(fd, offset, SEEK_SET) < 0)
    return -1;
  const int n = _read(fd, out, bytes > 1 << 30 ? 1 << 30 : (unsigned)bytes);
  _lseeki64(fd, before, SEEK_SET);
  return n;
}

/* ---- Temporary files -------------------------------------------------------------------------------------------- */

static int fill_in(char *path, int suffix_bytes, int (*make)(const char *path))
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  static unsigned number;
  char folder[MAX_PATH], suffix[16] = "";
  const size_t all = strlen(path);
  if (GetTempPathA(sizeof folder, folder) >= sizeof folder || strspn(path, "X") < strlen(XB_TEMPORARY))
    return -1;
  snprintf(suffix, sizeof suffix, "%s", path + all - (size_t)suffix_bytes);
  snprintf(path, all + 1, "%sxbench-XXXXXX%s", folder, suffix);
  xb_use_slashes(path);
  char *const x = path + strlen(path) - suffix_bytes - 6;
  for (int i = 0; i < 100; i++) {
    uint64_t random = GetTickCount64() * 1000003 + GetCurrentProcessId() * 7919ull + ++number * 104729ull;
    for (int k = 0; k < 6; k++, random /= 36)
      x[k] = letters[random % 36];
    const int made = make(path);
    if (made >= 0 || errno != EEXIST)
      return made;
  }
  return -1;
}

static int make_file(const char *path)
{
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | _O_BINARY, 0600);
}

int xb_mkstemp(char *path)
{
  return fill_in(path, 0, make_file);
}

int mkstemps(char *path, int suffix_bytes)
{
  return fill_in(path, suffix_bytes, make_file);
}

char *mkdtemp(char *path)
{
  return fill_in(path, 0, xb_make_folder) < 0 ? NULL : path;
}

/* ---- Folders ---------------------------------------------------------------------------------------------------- */

int alphasort(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

int scandir(const char *folder, struct dirent ***entries, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
  DIR *files = opendir(folder);
  int count = 0;
  *entries = NULL;
  for (struct dirent *e; files && (e = readdir(files));) {
    if (filter && !filter(e))
      continue;
    struct dirent **more = realloc(*entries, ((size_t)count + 1) * sizeof *more), *copy = malloc(sizeof *copy);
    if (more)
      *entries = more;
    if (!more || !copy) {
      free(copy);
      break;
    }
    *copy = *e;
    more[count++] = copy;
  }
  if (!files)
    return -1;
  closedir(files);
  if (count)
    qsort(*entries, (size_t)count, sizeof **entries, (int (*)(const void *, const void *))compare);
  return count;
}
