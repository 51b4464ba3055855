/* Streams in memory. The C library of Windows has none, so they are files that the system keeps in its cache; their
 * text is read back when it is asked for. */
#include "os/memory_file.h"
#include "wide.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#undef fflush
#undef fclose
#undef stdout

FILE *xb_stdout; /* set by xb_start() */

typedef struct stream {
  FILE *file;
  char **text;
  size_t *bytes;
  struct stream *next;
} stream;

static stream *open_streams;
static CRITICAL_SECTION lock;

__attribute__((constructor)) static void prepare(void)
{
  InitializeCriticalSection(&lock);
  xb_stdout = __acrt_iob_func(1);
}

int memfd_create(const char *name, unsigned flags)
{
  wchar_t folder[MAX_PATH + 1], path[MAX_PATH];
  (void)name, (void)flags;
  if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"xb", 0, path))
    return xb_failed();
  return _wopen(path, _O_RDWR | _O_BINARY | _O_TEMPORARY | _O_SHORT_LIVED | _O_NOINHERIT, 0600);
}

FILE *xb_tmpfile(void)
{
  const int fd = memfd_create("", 0);
  return fd < 0 ? NULL : _fdopen(fd, "w+b");
}

FILE *open_memstream(char **text, size_t *bytes)
{
  stream *s = malloc(sizeof *s);
  FILE *file = s ? xb_tmpfile() : NULL;
  *text = file ? calloc(1, 1) : NULL;
  *bytes = 0;
  if (!*text) {
    if (file)
      fclose(file);
    free(s);
    return NULL;
  }
  EnterCriticalSection(&lock);
  *s = (stream){file, text, bytes, open_streams};
  open_streams = s;
  LeaveCriticalSection(&lock);
  return file;
}

FILE *xb_memory_open(char **text, size_t *length)
{
  return open_memstream(text, length);
}

/* The link to a file's stream; NULL: it is none in memory. */
static stream **find(FILE *file)
{
  stream **s = &open_streams;
  while (*s && (*s)->file != file)
    s = &(*s)->next;
  return *s ? s : NULL;
}

/* Returns EOF without memory. */
static int read_back(stream *s)
{
  const int fd = _fileno(s->file);
  const int64_t length = _filelengthi64(fd);
  char *text = length < 0 ? NULL : realloc(*s->text, (size_t)length + 1);
  if (!text) {
    errno = ENOMEM;
    return EOF;
  }
  *s->text = text;
  for (*s->bytes = 0; *s->bytes < (size_t)length;) {
    const ssize_t n = pread(fd, text + *s->bytes, (size_t)length - *s->bytes, (off_t)*s->bytes);
    if (n <= 0)
      break;
    *s->bytes += (size_t)n;
  }
  text[*s->bytes] = 0;
  return *s->bytes == (size_t)length ? 0 : EOF;
}

int xb_fflush(FILE *file)
{
  int failed = fflush(file);
  EnterCriticalSection(&lock);
  stream **s = file ? find(file) : NULL;
  if (s && !failed)
    failed = read_back(*s);
  LeaveCriticalSection(&lock);
  return failed;
}

int xb_fclose(FILE *file)
{
  EnterCriticalSection(&lock);
  stream **link = find(file), *s = link ? *link : NULL;
  int failed = s ? fflush(file) : 0;
  if (s) {
    failed = failed ? failed : read_back(s);
    *link = s->next;
    free(s);
  }
  LeaveCriticalSection(&lock);
  return fclose(file) ? EOF : failed;
}
