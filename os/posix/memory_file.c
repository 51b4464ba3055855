#define _GNU_SOURCE /* fopencookie */
#include "os/memory_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory_file {
  char **text;
  size_t *length;
  size_t capacity, at;
} memory_file;

static ssize_t write_bytes(void *cookie, const char *bytes, size_t count)
{
  memory_file *m = cookie;
  if (m->at + count + 1 > m->capacity) {
    const size_t more = 2 * (m->at + count + 1);
    char *grown = realloc(*m->text, more);
    if (!grown) {
      errno = ENOMEM;
      return 0;
    }
    *m->text = grown;
    m->capacity = more;
  }
  memcpy(*m->text + m->at, bytes, count);
  m->at += count;
  *m->length = m->at > *m->length ? m->at : *m->length;
  (*m->text)[*m->length] = '\0';
  return (ssize_t)count;
}

static int seek(void *cookie, off64_t *offset, int whence)
{
  memory_file *m = cookie;
  const off64_t at = *offset + (off64_t)(whence == SEEK_CUR ? m->at : whence == SEEK_END ? *m->length : 0);
  if (at < 0 || (size_t)at > *m->length) {
    errno = EINVAL;
    return -1;
  }
  m->at = (size_t)at;
  *offset = at;
  return 0;
}

static int release(void *cookie)
{
  free(cookie);
  return 0;
}

FILE *xb_memory_open(char **text, size_t *length)
{
  const cookie_io_functions_t functions = {.write = write_bytes, .seek = seek, .close = release};
  memory_file *m = calloc(1, sizeof *m);
  *length = 0;
  *text = calloc(1, 1);
  if (m)
    *m = (memory_file){.text = text, .length = length, .capacity = 1};
  FILE *file = m && *text ? fopencookie(m, "w", functions) : NULL;
  if (file)
    return file;
  free(m);
  free(*text);
  *text = NULL;
  return NULL;
}
