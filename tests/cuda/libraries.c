/* Runs the backend in separate processes, each with a faulty libcuda.so.1. */
#include <stddef.h>
#include <stdint.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "test.h"

static const char *folder; /* of the libraries for probe */
static const char *program;

/* Runs `probe arguments` with libcuda.so.1 from `library` and FAKE_CUDA set, and expects `text` in the output. */
static void probe(const char *library, const char *fake, const char *arguments, int status, const char *text)
{
  char command[1024], said[2048];
  snprintf(command, sizeof command, "LD_LIBRARY_PATH='%s/%s' FAKE_CUDA='%s' '%s' %s 2>&1", folder, library, fake,
           program, arguments);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
  const int got = pclose(pipe);
  if (!WIFEXITED(got) || WEXITSTATUS(got) != status || !strstr(said, text))
    fail_msg("%s\nended with %d, expected %d, and said\n%s\nexpected\n%s", command, got, status, said, text);
}

TEST(no_library)
{
  void *installed = dlopen("libcuda.so.1", RTLD_LAZY);
  if (!installed) /* else the loader finds the installed one */
    probe("empty", "", "list", 1, "XB_UNAVAILABLE cuda: libcuda.so.1 was not found: install the NVIDIA driver");
  else
    dlclose(installed);
  probe("damaged", "", "list", 1, "libcuda.so.1 cannot be loaded (");
  probe("nothing", "", "list", 1, "libcuda.so.1 is not a CUDA driver");
}

TEST(symbols)
{
  probe("bare", "", "list", 1, "XB_UNAVAILABLE cuda: libcuda.so.1 lacks cuGetProcAddress_v2");
  probe("fake", "lacks cuGraphLaunch", "list", 1,
        "XB_UNAVAILABLE cuda: libcuda.so.1 lacks cuGraphLaunch (CUDA 13.0): update the NVIDIA driver");
  probe("fake", "lacks cuFuncGetParamInfo, lacks cuFuncLoad", "open", 0, "XB_OK");
}

TEST(driver)
{
  probe(
      "fake", "old", "list", 1,
      "XB_UNAVAILABLE cuda: the driver supports CUDA 11.4, this program needs 12.0 or newer: update the NVIDIA driver");
  probe("fake", "broken", "list", 1, "XB_UNAVAILABLE cuInit: CUDA_ERROR_UNKNOWN: the NVIDIA driver does not start");
}

TEST(devices)
{
  probe("fake", "", "list", 0,
        "0 Fake 0, CUDA driver 13.0, pci 0000:ab:00.0, sm_90, uuid 10, luid 20, shared 49152/232448, launch 0\n"
        "1 Fake 1, CUDA driver 13.0, pci 0000:ab:01.0, sm_90, uuid 11, luid 21, shared 49152/232448, launch 0\nXB_OK");
  probe("fake", "no_device", "list", 1, "XB_UNAVAILABLE cuda: no CUDA device: none is installed, or CUDA_VISIBLE_DEV");
  probe("fake", "zero_devices", "list", 1, "XB_UNAVAILABLE cuda: no CUDA device");
  probe("fake", "no_device", "open", 1, "XB_UNAVAILABLE cuda: no CUDA device");
  probe("fake", "", "open 2", 1, "XB_UNAVAILABLE cuda: device 2 does not exist: there are 2");
}

TEST(modes)
{
  probe("fake", "", "open 0 0", 0, "launch 2\nXB_OK");
  probe("fake", "", "open 0 1", 1, "XB_UNSUPPORTED cuda: launch mode 'command buffer' is not supported");
  probe("fake", "", "open 0 2", 0, "launch 2\nXB_OK");
  probe("fake", "", "open 1 3", 0, "launch 3\nXB_OK");
  probe("fake", "exclusive", "open", 1,
        "XB_UNAVAILABLE cuDevicePrimaryCtxRetain: CUDA_ERROR_DEVICE_UNAVAILABLE: 'Fake 0' is in exclusive mode and "
        "another process uses it");
  probe("fake", "prohibited", "open", 1, "'Fake 0' is in prohibited mode");
  probe("fake", "busy", "open", 1, "'Fake 0' is busy or not available");
}

TEST(kernels)
{
  probe("fake", "", "kernel 2 90 good p2a12t64", 0,
        "registers 40, shared 512, spills 8, threads 64, groups 32, subgroup 32\nXB_OK");
  probe("fake", "", "kernel 2 90 bad p2a12t64", 1,
        "XB_INVALID it: CUDA_ERROR_INVALID_IMAGE: the driver refuses the code: line 1; no such thing");
  probe("fake", "", "kernel 2 80 good p2a12t64", 1,
        "XB_UNSUPPORTED it: CUDA_ERROR_NO_BINARY_FOR_GPU: the device is sm_90, but the kernel was built for sm_80: "
        "compile it for sm_90, too (xbench's own kernels: configure with -DXB_CUDA_ARCHITECTURES=90)");
  probe("fake", "driver_12", "kernel 1 90 'new PTX' p2a12t64", 1,
        "XB_UNSUPPORTED it: CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the driver supports CUDA 12.2, the kernel was compiled "
        "by a newer CUDA: update the NVIDIA driver; xbench also takes an older libnvrtc.so that XB_NVRTC names");
  probe("fake", "", "kernel 2 90 good mian", 1,
        "XB_INVALID it: CUDA_ERROR_NOT_FOUND: the code has no entry point 'mian'");
}

TEST(parameters)
{
  probe("fake", "", "kernel 2 90 good p1a12t64", 1,
        "XB_INVALID it: parameter 1 has 12 bytes in the code, 8 in the description (an address)");
  probe("fake", "", "kernel 2 90 good p3a12t64", 1,
        "XB_INVALID it: parameter 2 has 8 bytes in the code, 12 in the description (a value)");
  probe("fake", "", "kernel 2 90 good p2a8t64", 1, "XB_INVALID it: parameter 2 has 8 bytes in the code");
  probe("fake", "", "kernel 2 90 good p2a0t64", 1, "XB_INVALID it: the code has 2 parameters, the description has 2 b");
  probe("fake", "lacks cuFuncGetParamInfo", "kernel 2 90 good p1a12t64", 0, "XB_OK"); /* sizes are unknown */
  probe("fake", "", "kernel 2 90 good p2a12t32", 1,
        "XB_INVALID it: a group has 64 x 1 x 1 threads, the code allows 32");
}

TEST(shared_memory)
{
  probe("fake", "", "kernel 2 90 good p2a12t64 1000", 0, "XB_OK");
  probe("fake", "", "kernel 2 90 good p2a12t64 231936", 0, "XB_OK");
  probe("fake", "", "kernel 2 90 good p2a12t64 231940", 1,
        "XB_UNSUPPORTED it: 512 + 231940 bytes of shared memory (static + dynamic), this device allows 232448");
}

static int begin(void)
{
  if (test_argument_count != 2) {
    printf("FAILED: the arguments are PROBE FOLDER\n");
    return 2;
  }
  program = test_arguments[0];
  folder = test_arguments[1];
  return 0;
}

TEST_SOURCE(.begin = begin);
