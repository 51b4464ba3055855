/* Parses one value from the command line. The first byte selects the kind of value. */
#include "base/safe_text.h"
#include "base/word_list.h"
#include "commands/command_line.h"
#include "machine/choose.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void choose_device(const char *text)
{
  static xb_inventory inventory;
  static const char *const names[] = {"NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)", ""};
  const xb_device_choice options = {.device = text};
  const xb_gpu *gpu;
  inventory.gpu_count = 3;
  for (size_t i = 0; i < 3; i++) {
    xb_device_info *info = &inventory.infos[0][i];
    strcpy(info->name, names[i]);
    info->has_uuid = i < 2;
    info->uuid[0] = (uint8_t)i;
    inventory.gpus[i] = (xb_gpu){.by_backend = {info}, .any = info};
  }
  xb_choose_gpu(&inventory, &options, &gpu);
}

static void make_safe(const char *text)
{
  char *out = malloc(strlen(text) + 8);
  for (size_t bytes = 8; out && bytes <= strlen(text) + 8; bytes++)
    if (strlen(xb_safe_text(text, out, bytes)) >= bytes)
      abort();
  free(out);
}

static void find_name(const char *text)
{
  const char *const names[] = {"reduce", "transpose", text};
  char all[16];
  xb_nearest(text, names, 2);
  xb_join(names, 3, all, sizeof all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!size)
    return 0;
  static xb_choice what;
  static xb_device_choice on;
  xb_size sizes[XB_MAX_SIZES];
  size_t count = 0;
  double real;
  uint64_t whole;
  xb_error error;
  char *text = calloc(1, size);
  if (!text)
    return 0;
  memcpy(text, data + 1, size - 1);
  what.dtype_count = on.queue_family_count = what.at_count = 0;
  switch (data[0] % 16) {
  case 0: xb_parse_sizes(text, sizes, &count, &error); break;
  case 1: xb_parse_seconds("--min-time", text, 3600, &real); break;
  case 2: xb_parse_percent("--width", text, 0.01, &real); break;
  case 3: xb_parse_count("--seed", text, &whole); break;
  case 4: xb_parse_bytes("--flush-bytes", text, &whole); break;
  case 5: xb_parse_dtypes(text, &what); break;
  case 6: xb_parse_word("--cache", text, (const char *const[]){"hot", "cold"}, 2, &count); break;
  case 7: xb_check_file("--json", text); break;
  case 8: xb_parse_word("--loop", text, (const char *const[]){"launch", "kernel"}, 2, &count); break;
  case 9: xb_check_backend(text); break;
  case 10: choose_device(text); break;
  case 11: make_safe(text); break;
  case 12: find_name(text); break;
  case 13: xb_parse_sizes(text, sizes, &count, NULL); break;
  case 14: xb_parse_queue_families(text, &on); break;
  default: xb_parse_at(text, &what);
  }
  free(text);
  return 0;
}
