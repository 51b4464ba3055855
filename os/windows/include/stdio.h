/* Streams in memory, and a stdout that can be replaced by one. */
#pragma once

#include_next <stdio.h>

#undef stdout
#define stdout xb_stdout
extern FILE *xb_stdout;
#define printf(...) fprintf(xb_stdout, __VA_ARGS__)
#define vprintf(format, arguments) vfprintf(xb_stdout, format, arguments)
#define puts(text) (fputs(text, xb_stdout) < 0 ? EOF : fputc('\n', xb_stdout))
#define putchar(c) fputc(c, xb_stdout)

/* Streams of functions: they cannot be made. */
typedef struct cookie_io_functions_t {
  ssize_t (*write)(void *cookie, const char *bytes, size_t count);
} cookie_io_functions_t;
#define fopencookie(cookie, mode, functions) ((void)(functions), (FILE *)NULL)

#define fopen xb_fopen /* knows the mode x, and long paths */
FILE *xb_fopen(const char *path, const char *mode);

/* The text is there after fflush() and fclose(). */
FILE *open_memstream(char **text, size_t *bytes);
#define fflush xb_fflush
#define fclose xb_fclose
#define tmpfile xb_tmpfile
int xb_fflush(FILE *file);
int xb_fclose(FILE *file);
FILE *xb_tmpfile(void);
