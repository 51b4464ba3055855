/* A fake NVML with one GPU. A test sets its answers in cells: a cell is a number with a name, initially 0. A function
 * returns the value of the cell with its name. Thread rule: one thread. */
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };
enum { CLOCK_SM = 1, CLOCK_MEM = 2, CELLS = 64 };

static const char UUID[] = "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf";

typedef struct nvml_device_st *nvml_device; /* same name as in the program: a sanitizer may compare types */
typedef struct nvml_violation {
  unsigned long long reference_us, violation_ns;
} nvml_violation;

static struct {
  char name[64];
  unsigned long long value;
} cells[CELLS];
static int token, part_token;
static const nvml_device THE_DEVICE = (void *)&token, THE_PART = (void *)&part_token;

/* Notes that the library was opened, even if it is closed by now. */
__attribute__((constructor)) static void opened(void)
{
  setenv("FAKE_NVML_OPENED", "1", 1);
}

/* Returns the cell with this name, for reading and writing. "reset" clears all cells. */
unsigned long long *fake_nvml(const char *name)
{
  if (!strcmp(name, "reset"))
    memset(cells, 0, sizeof cells);
  int i = 0;
  while (cells[i].name[0] && strcmp(cells[i].name, name) && i < CELLS - 1)
    i++;
  strncpy(cells[i].name, name, sizeof cells[i].name - 1);
  return &cells[i].value;
}

/* Returns the result of a function on the device. */
static int enter(const char *function, nvml_device d)
{
  if (!*fake_nvml("initialized"))
    return UNINITIALIZED;
  if (d != THE_DEVICE)
    return INVALID_ARGUMENT;
  ++*fake_nvml("calls");
  return (int)*fake_nvml(function);
}

static int answer(const char *function, nvml_device d, const char *cell, unsigned *out)
{
  const int result = enter(function, d);
  *out = result ? 0xDEAD : (unsigned)*fake_nvml(cell); /* the caller must not use it then */
  return result;
}

int nvmlInit_v2(void)
{
  const int result = (int)*fake_nvml(__func__);
  if (!result)
    ++*fake_nvml("initialized");
  return result;
}

int nvmlShutdown(void)
{
  if (!*fake_nvml("initialized"))
    ++*fake_nvml("shut down too often");
  else
    --*fake_nvml("initialized");
  return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, nvml_device *d)
{
  *d = !strncmp(uuid, "MIG-b", 5) ? THE_PART : THE_DEVICE;
  const int result = enter(__func__, THE_DEVICE);
  return result || !strcmp(uuid, UUID) || *d == THE_PART ? result : NOT_FOUND;
}

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvml_device part, nvml_device *d)
{
  *d = THE_DEVICE;
  return part == THE_PART ? enter(__func__, THE_DEVICE) : NOT_FOUND;
}

int nvmlSystemGetDriverVersion(char *version, unsigned bytes)
{
  static const char text[] = "580.159.04";
  if (bytes < sizeof text)
    return INSUFFICIENT_SIZE;
  memcpy(version, text, sizeof text);
  return enter(__func__, THE_DEVICE);
}

int nvmlDeviceGetClockInfo(nvml_device d, int clock, unsigned *mhz)
{
  if (clock != CLOCK_SM && clock != CLOCK_MEM)
    return INVALID_ARGUMENT;
  return answer(__func__, d, clock == CLOCK_SM ? "clock" : "memory clock", mhz);
}

int nvmlDeviceGetTemperature(nvml_device d, int sensor, unsigned *celsius)
{
  return sensor ? INVALID_ARGUMENT : answer(__func__, d, "temperature", celsius);
}

int nvmlDeviceGetPowerUsage(nvml_device d, unsigned *milliwatts)
{
  return answer(__func__, d, "milliwatts", milliwatts);
}

int nvmlDeviceGetCurrentClocksEventReasons(nvml_device d, unsigned long long *reasons)
{
  const int result = enter(__func__, d);
  *reasons = result ? ~0ull : *fake_nvml("reasons");
  return result;
}

int nvmlDeviceGetViolationStatus(nvml_device d, int policy, nvml_violation *v)
{
  char name[] = "policy 00", failing[] = "policy 00 returns";
  name[7] = failing[7] = (char)('0' + policy / 10);
  name[8] = failing[8] = (char)('0' + policy % 10);
  int result = enter(__func__, d);
  if (!result)
    result = (int)*fake_nvml(failing);
  *v = (nvml_violation){*fake_nvml("calls"), result ? *fake_nvml("calls") : *fake_nvml(name)};
  return result;
}
