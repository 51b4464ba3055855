/* A fake NVML with one GPU, for another process: the variable FAKE_NVML has its answers, as " name=number". A function
 * without an answer is not supported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, INSUFFICIENT_SIZE = 7 };
typedef struct nvml_device_st *nvml_device;

static int find(const char *name, unsigned long long *value)
{
  const char *answers = getenv("FAKE_NVML");
  char key[64];
  snprintf(key, sizeof key, " %s=", name);
  const char *found = answers ? strstr(answers, key) : NULL;
  if (found)
    *value = strtoull(found + strlen(key), NULL, 10);
  return found ? SUCCESS : NOT_SUPPORTED;
}

static int find_unsigned(const char *name, unsigned *value)
{
  unsigned long long wide = 0;
  const int code = find(name, &wide);
  *value = (unsigned)wide;
  return code;
}

int nvmlInit_v2(void)
{
  return SUCCESS;
}

int nvmlShutdown(void)
{
  return SUCCESS;
}

int nvmlSystemGetDriverVersion(char *version, unsigned bytes)
{
  snprintf(version, bytes, "580.1");
  return SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
  *count = 1;
  return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml_device *device)
{
  static int token;
  unsigned code = SUCCESS;
  *device = (nvml_device)(void *)&token;
  find_unsigned("handle", &code);
  return index ? NOT_SUPPORTED : (int)code;
}

const char *nvmlErrorString(int code)
{
  return code == 15 ? "GPU is lost" : "another error";
}

int nvmlDeviceGetUUID(nvml_device device, char *uuid, unsigned bytes)
{
  unsigned number = 0;
  (void)device;
  const int code = find_unsigned("uuid", &number);
  snprintf(uuid, bytes, "GPU-%08x-0000-0000-0000-000000000000", number);
  return code;
}

int nvmlDeviceGetName(nvml_device device, char *name, unsigned bytes)
{
  (void)device;
  snprintf(name, bytes, "Fake GPU");
  return SUCCESS;
}

#define ONE(function, key)                                                                                             \
  int function(nvml_device device, unsigned *value)                                                                    \
  {                                                                                                                    \
    (void)device;                                                                                                      \
    return find_unsigned(key, value);                                                                                  \
  }
ONE(nvmlDeviceGetPersistenceMode, "persistence")
ONE(nvmlDeviceGetComputeMode, "compute")
ONE(nvmlDeviceGetPowerManagementLimit, "limit")
ONE(nvmlDeviceGetPowerManagementDefaultLimit, "default")
ONE(nvmlDeviceGetEnforcedPowerLimit, "enforced")
ONE(nvmlDeviceGetMaxMigDeviceCount, "most_parts")

#define TWO(function, key)                                                                                             \
  int function(nvml_device device, unsigned *current, unsigned *pending)                                               \
  {                                                                                                                    \
    (void)device;                                                                                                      \
    *pending = 0;                                                                                                      \
    return find_unsigned(key, current);                                                                                \
  }
TWO(nvmlDeviceGetEccMode, "ecc")
TWO(nvmlDeviceGetMigMode, "mig")

int nvmlDeviceGetTotalEccErrors(nvml_device device, int kind, int counter, unsigned long long *errors)
{
  (void)device;
  return kind == 1 && !counter ? find("errors", errors) : NOT_SUPPORTED;
}

int nvmlDeviceGetRemappedRows(nvml_device device, unsigned *corrected, unsigned *uncorrected, unsigned *pending,
                              unsigned *failed)
{
  (void)device;
  *corrected = *uncorrected = 0;
  return find_unsigned("remap_pending", pending) & find_unsigned("remap_failed", failed);
}

int nvmlDeviceGetMigDeviceHandleByIndex(nvml_device device, unsigned index, nvml_device *part)
{
  unsigned parts;
  *part = device;
  return find_unsigned("parts", &parts) || index >= parts ? NOT_SUPPORTED : SUCCESS;
}

#define PROCESSES(function, key)                                                                                       \
  int function(nvml_device device, unsigned *count, void *processes)                                                   \
  {                                                                                                                    \
    (void)device;                                                                                                      \
    (void)processes;                                                                                                   \
    return find_unsigned(key, count) || !*count ? SUCCESS : INSUFFICIENT_SIZE;                                         \
  }
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3, "processes")
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3, "drawing")

typedef struct memory {
  unsigned version;
  unsigned long long total, reserved, free, used;
} memory;

int nvmlDeviceGetMemoryInfo_v2(nvml_device device, memory *m)
{
  (void)device;
  if (m->version != (sizeof *m | 2u << 24) || find("used", &m->used))
    return NOT_SUPPORTED;
  m->total = 4 * m->used;
  m->free = m->total - m->used;
  return SUCCESS;
}

int nvmlDeviceGetCurrentClocksEventReasons(nvml_device device, unsigned long long *reasons)
{
  (void)device;
  return find("reasons", reasons);
}
