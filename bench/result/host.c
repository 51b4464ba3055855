#include "result/host.h"

#include "commit.h"
#include "os/cpu.h"
#include "version.h"

#include <sys/utsname.h>
#include <time.h>

const xb_result_host *xb_this_host(void)
{
  static struct utsname os;
  static char cpu[256], date[32];
  const time_t now = time(NULL);
  static xb_result_host host;
  uname(&os);
  xb_cpu_info("model name", cpu, sizeof cpu);
  if (!*date) /* when the program first asks, before it measures */
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  host = (xb_result_host){.version = XB_VERSION,
                          .os = os.sysname,
                          .kernel = os.release,
                          .cpu = cpu,
                          .compiler = XB_COMPILER,
                          .compiler_flags = XB_COMPILER_FLAGS,
                          .shader_compiler = XB_SHADER_COMPILER,
                          .shader_flags = XB_SHADER_FLAGS,
                          .cuda_compiler = XB_CUDA_COMPILER,
                          .cuda_flags = XB_CUDA_FLAGS,
                          .dxil_compiler = XB_DXIL_COMPILER,
                          .dxil_flags = XB_DXIL_FLAGS,
                          .commit = XB_COMMIT,
                          .modified = XB_MODIFIED,
                          .date = date};
  return &host;
}
