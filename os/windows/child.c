#include "os/child.h"
#include "os/supervise.h"

#include "wide.h"

#include <errno.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COMMAND = 32767 /* the longest of Windows */ };

bool xb_is_program(const char *file)
{
  struct stat status;
  return !stat(file, &status) && S_ISREG(status.st_mode);
}

/* ---- Start ------------------------------------------------------------------------------------------------------ */

static size_t repeat(char *out, size_t at, size_t slashes)
{
  memset(out + at, '\\', slashes);
  return at + slashes;
}

/* Appends a word as programs read it again (CommandLineToArgvW): backslashes before a quote are doubled. */
static size_t append(char *out, size_t at, const char *word)
{
  const bool plain = *word && !strpbrk(word, " \t\n\v\"");
  size_t slashes = 0;
  if (at + 2 * strlen(word) + 4 > COMMAND)
    return COMMAND;
  if (at)
    out[at++] = ' ';
  if (!plain)
    out[at++] = '"';
  for (; *word; word++) {
    if (*word == '"')
      at = repeat(out, at, slashes + 1);
    slashes = *word == '\\' ? slashes + 1 : 0;
    out[at++] = *word;
  }
  if (!plain)
    at = repeat(out, at, slashes);
  if (!plain)
    out[at++] = '"';
  out[at] = 0;
  return at;
}

static bool command_of(const xb_child *child, wchar_t wide[COMMAND])
{
  static char text[COMMAND + 1];
  size_t at = 0;
  for (const char *const *word = child->argv; *word && at < COMMAND; word++)
    at = append(text, at, *word);
  return at < COMMAND && xb_widen(text, wide, COMMAND);
}

/* As a shell finds it, so not in the current folder. */
static bool find(const char *name, wchar_t path[XB_WIDE])
{
  wchar_t wide[XB_WIDE];
  if (!xb_widen(name, wide, XB_WIDE))
    return false;
  if (strpbrk(name, "/\\"))
    return GetFullPathNameW(wide, XB_WIDE, path, NULL);
  const wchar_t *folders = _wgetenv(L"PATH");
  return folders && SearchPathW(folders, wide, L".exe", XB_WIDE, path, NULL);
}

/* "A=1\0B=2\0\0". */
static bool environment_of(const xb_child *child, wchar_t *out, size_t most)
{
  size_t at = 0;
  for (const char *const *v = child->environment; *v; v++) {
    if (at + 1 >= most || !xb_widen(*v, out + at, most - at - 1))
      return false;
    at += wcslen(out + at) + 1;
  }
  out[at] = 0;
  return true;
}

/* A copy that the program inherits; of NUL for -1. */
static HANDLE inherited(int fd)
{
  SECURITY_ATTRIBUTES inherit = {sizeof inherit, NULL, TRUE};
  const HANDLE self = GetCurrentProcess();
  HANDLE copy = NULL;
  if (fd < 0)
    return CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
                       OPEN_EXISTING, 0, NULL);
  DuplicateHandle(self, (HANDLE)_get_osfhandle(fd), self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS);
  return copy;
}

/* The job ends with the handle, and with it all that the program started. */
static HANDLE make_job(void)
{
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
      .BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}};
  HANDLE job = CreateJobObjectW(NULL, NULL);
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

static int start(const xb_child *child, HANDLE job, PROCESS_INFORMATION *process)
{
  static wchar_t path[XB_WIDE], command[COMMAND], environment[XB_WIDE];
  STARTUPINFOW how = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES};
  if (!find(child->argv[0], path))
    return ENOENT;
  if (!command_of(child, command) || (child->environment && !environment_of(child, environment, XB_WIDE)))
    return E2BIG;
  how.hStdInput = inherited(child->input);
  how.hStdOutput = inherited(child->output);
  how.hStdError = inherited(child->error);
  const BOOL good = CreateProcessW(path, command, NULL, NULL, TRUE,
                                   CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | CREATE_NEW_PROCESS_GROUP,
                                   child->environment ? environment : NULL, NULL, &how, process);
  if (!good)
    xb_failed();
  CloseHandle(how.hStdInput);
  CloseHandle(how.hStdOutput);
  CloseHandle(how.hStdError);
  if (!good)
    return errno;
  AssignProcessToJobObject(job, process->hProcess);
  ResumeThread(process->hThread);
  return 0;
}

int xb_run_child(const xb_child *child, int *status)
{
  PROCESS_INFORMATION process;
  HANDLE job = make_job();
  DWORD code = 0;
  *status = 0;
  int error = start(child, job, &process);
  if (error) {
    CloseHandle(job);
    return error;
  }
  const ULONGLONG begin = GetTickCount64();
  while (!error && WaitForSingleObject(process.hProcess, 20) == WAIT_TIMEOUT)
    error = (double)(GetTickCount64() - begin) > child->limit_s * 1e3 ? ETIMEDOUT : 0;
  if (error)
    TerminateJobObject(job, 1);
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &code);
  *status = (int)code;
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
  CloseHandle(job);
  return error;
}

/* ---- Without fork(): here -------------------------------------------------------------------------------------- */

bool xb_copy_start(xb_copy *copy, int (*run)(FILE *to, void *user), void *user)
{
  (void)copy, (void)run, (void)user;
  return false;
}

int xb_copy_end(xb_copy *copy)
{
  (void)copy;
  return 0;
}

int xb_supervise(int (*run)(void *user), void *user, char why[XB_ENDED_BYTES])
{
  *why = 0;
  return run(user);
}

_Noreturn void xb_leave(int code)
{
  fflush(NULL);
  _exit(code);
}

void xb_confine(bool programs)
{
  (void)programs;
}

void xb_may_hang(double seconds)
{
  (void)seconds;
}

bool xb_write_stream(int stream, const char *text, size_t length)
{
  return write(stream, text, (unsigned)length) == (int)length;
}

int xb_supervised_stream(const char *path)
{
  (void)path;
  return 0;
}
