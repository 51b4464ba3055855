/* The machine, and memory of whole pages. */
#include "os/cpu.h"
#include "os/numa.h"
#include "wide.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* GetVersion() would name the version that the manifest asks for. */
int uname(struct utsname *name)
{
  LONG(WINAPI * version_of)(OSVERSIONINFOW *);
  OSVERSIONINFOW version = {.dwOSVersionInfoSize = sizeof version};
  const FARPROC found = GetProcAddress(GetModuleHandleA("ntdll.dll"), "RtlGetVersion");
  *name = (struct utsname){.sysname = "Windows", .machine = "x86_64"};
  memcpy(&version_of, &found, sizeof found);
  if (version_of && !version_of(&version))
    snprintf(name->release, sizeof name->release, "%lu.%lu.%lu", version.dwMajorVersion, version.dwMinorVersion,
             version.dwBuildNumber);
  return xb_gethostname(name->nodename, sizeof name->nodename);
}

int xb_gethostname(char *name, size_t bytes)
{
  DWORD size = (DWORD)bytes;
  return GetComputerNameA(name, &size) ? 0 : xb_failed();
}

long sysconf(int name)
{
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return name == _SC_PAGESIZE ? (long)info.dwPageSize : (long)info.dwNumberOfProcessors;
}

int setenv(const char *name, const char *value, int replace)
{
  return !replace && getenv(name) ? 0 : _putenv_s(name, value);
}

void xb_cpu_info(const char *words, char *out, size_t out_bytes)
{
  static const char key[] = "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
  DWORD bytes = (DWORD)out_bytes, mhz = 0, size = sizeof mhz;
  *out = 0;
  if (!strcmp(words, "model name"))
    RegGetValueA(HKEY_LOCAL_MACHINE, key, "ProcessorNameString", RRF_RT_REG_SZ, NULL, out, &bytes);
  else if (!RegGetValueA(HKEY_LOCAL_MACHINE, key, "~MHz", RRF_RT_REG_DWORD, NULL, &mhz, &size))
    snprintf(out, out_bytes, "%lu", mhz);
}

/* Only the name of the program itself. */
ssize_t readlink(const char *path, char *out, size_t bytes)
{
  wchar_t wide[XB_WIDE];
  errno = EINVAL;
  return !strcmp(path, "/proc/self/exe") && GetModuleFileNameW(NULL, wide, XB_WIDE) && xb_narrow(wide, out, bytes)
             ? (ssize_t)strlen(out)
             : -1;
}

/* ---- Pages ------------------------------------------------------------------------------------------------------ */

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
  (void)at, (void)protection, (void)offset;
  void *pages =
      fd < 0 && flags & MAP_ANONYMOUS ? VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) : NULL;
  if (!pages)
    errno = fd < 0 ? ENOMEM : ENOSYS;
  return pages ? pages : MAP_FAILED;
}

int munmap(void *pages, size_t bytes)
{
  (void)bytes;
  return VirtualFree(pages, 0, MEM_RELEASE) ? 0 : xb_failed();
}

int msync(void *begin, size_t bytes, int flags)
{
  (void)flags;
  MEMORY_BASIC_INFORMATION info;
  for (char *p = begin; p < (char *)begin + bytes; p = (char *)info.BaseAddress + info.RegionSize)
    if (!VirtualQuery(p, &info, sizeof info) || info.State != MEM_COMMIT) {
      errno = ENOMEM;
      return -1;
    }
  return 0;
}

/* ---- NUMA, which is left out ------------------------------------------------------------------------------------- */

bool xb_numa_bind(uint32_t node)
{
  (void)node;
  return false;
}

void xb_numa_free(void)
{
}

int xb_numa_node_of(const void *page)
{
  (void)page;
  return -1;
}

uint32_t xb_numa_nodes(void)
{
  return 1;
}

/* ---- Sleep ------------------------------------------------------------------------------------------------------ */

/* MinGW's only yields the processor if it is less than a millisecond, so a loop of them takes a whole one. */
int nanosleep(const struct timespec *duration, struct timespec *left)
{
  const LARGE_INTEGER due = {.QuadPart = -((int64_t)duration->tv_sec * 10000000 + (duration->tv_nsec + 99) / 100)};
  enum { HIGH_RESOLUTION = 2 }; /* missing in MinGW's headers */
  HANDLE timer = CreateWaitableTimerExW(NULL, NULL, HIGH_RESOLUTION, TIMER_ALL_ACCESS);
  (void)left;
  if (!timer)
    return xb_failed();
  SetWaitableTimer(timer, &due, 0, NULL, NULL, FALSE);
  WaitForSingleObject(timer, INFINITE);
  CloseHandle(timer);
  return 0;
}
