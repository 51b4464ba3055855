#include "load/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char SAMPLE[] =
    "{\"schema\": \"xbench/1\",\n"
    "\"host\": {\"version\": \"0.1.0\", \"os\": \"Linux\", \"kernel\": null, \"cpu\": \"A CPU\", \"compiler\": \"\"},\n"
    "\"devices\": [{\"uuid\": \"00000000-0000-0000-0000-00000000002a\", \"backend\": \"vulkan\", \"name\": \"A GPU\",\n"
    "  \"type\": \"discrete\", \"launch_mode\": \"command_buffer\", \"memory_bytes\": 1024, \"queue_family\": 0,\n"
    "  \"timestamp_period_ns\": 1.0, \"robust_buffer_access\": false}],\n"
    "\"sampling\": {\"min_time_s\": 0.05, \"max_time_s\": 0.6, \"width\": 0.01, \"min_rounds\": 20, \"seed\": 1},\n"
    "\"results\": [\n"
    "{\"benchmark\": \"reduce\", \"variant\": \"9_single_pass\", \"title\": \"one\", \"backend\": \"vulkan\",\n"
    "  \"device\": \"00000000-0000-0000-0000-00000000002a\", \"launch_mode\": \"command_buffer\",\n"
    "  \"dtype\": \"float32\", \"size\": 1000, \"rows\": null, \"columns\": null, \"block\": 512, \"bytes\": 4000,\n"
    "  \"flops\": 999, \"cache\": \"hot\", \"queue\": \"compute\", \"clock\": \"device\", \"loop\": \"launch\",\n"
    "  \"seed\": 1, \"yardstick\": false, \"placements\": 2, \"samples_ns\": [10, 12.5, 11.0, 12.0],\n"
    "  \"host_samples_ns\": [20, 22, 21, 20], \"batch\": 5, \"median_ns\": 11.375, \"ci95_ns\": [-1.5, 24],\n"
    "  \"spread_ns\": 1.0, \"outliers\": 0, \"stopped_by\": \"interval\", \"gbps\": 351.6, \"verified\": true,\n"
    "  \"error\": null, \"throttled_samples\": 1, \"throttle\": [\"power\"],\n"
    "  \"gpu_state\": {\"before\": null, \"lowest\": {\"clock_mhz\": 1980, \"power_w\": 310.5}}},\n"
    "{\"benchmark\": \"reduce\", \"variant\": \"8_wave\", \"backend\": \"vulkan\",\n"
    "  \"device\": \"00000000-0000-0000-0000-00000000002a\", \"launch_mode\": \"command_buffer\",\n"
    "  \"dtype\": \"float32\", \"size\": 1000, \"cache\": \"hot\", \"samples_ns\": [],\n"
    "  \"median_ns\": null, \"verified\": false, \"error\": \"reduce/8: the sum is 41\"}],\n"
    "\"comparisons\": [{\"subject\": {\"result\": 0}, \"base\": {\"result\": 1}, \"ratio\": null, \"verdict\": null,\n"
    "  \"margin\": 0.01, \"reason\": \"no result\"}],\n"
    "\"geometric_means\": [{\"benchmark\": \"reduce\",\n"
    "  \"subject\": {\"backend\": \"vulkan\", \"launch_mode\": \"command_buffer\"},\n"
    "  \"base\": {\"backend\": \"vulkan\", \"launch_mode\": \"command_buffer\"}, \"compared\": 0, \"of\": 1}]}\n";

char *sample_with(const char *find, const char *replacement)
{
  const char *at = strstr(SAMPLE, find);
  char *changed = malloc(strlen(SAMPLE) + strlen(replacement) + 1);
  if (!at || !changed) {
    fprintf(stderr, "not in the sample: %s\n", find);
    abort();
  }
  sprintf(changed, "%.*s%s%s", (int)(at - SAMPLE), SAMPLE, replacement, at + strlen(find));
  return changed;
}
