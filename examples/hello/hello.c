/* hello BACKEND FILE: encrypts "helloworld" on the first device of a backend, vulkan or cuda, with the kernel in FILE:
 * hello.spv or hello.fatbin. Prints "khoorzruog". Exit code: 1 if something failed. */
#include <stdio.h>
#include <string.h>

#include "hello_args.h"
#include "xb/gpu.h"

enum { BYTES = 12, MOST_CODE = 1 << 20 }; /* the text has 10 letters, in whole words */

static struct {
  xb_device *device;
  xb_buffer *upload, *text, *readback;
  xb_kernel *kernel;
  xb_commands *commands;
} h;

static xb_code run(const char *backend, const void *code, size_t code_bytes, char message[BYTES], xb_error *err)
{
  const struct hello_args args = {.letters = (uint32_t)strlen(message), .shift = 3};
  xb_point done;
  if (xb_device_open(&(xb_device_desc){.backend = xb_backend_find(backend)}, &h.device, err) ||
      xb_buffer_create(h.device, &(xb_buffer_desc){.mem = XB_MEM_UPLOAD, .bytes = BYTES}, &h.upload, err) ||
      xb_buffer_create(h.device, &(xb_buffer_desc){.mem = XB_MEM_DEVICE, .bytes = BYTES}, &h.text, err) ||
      xb_buffer_create(h.device, &(xb_buffer_desc){.mem = XB_MEM_READBACK, .bytes = BYTES}, &h.readback, err) ||
      xb_kernel_create(h.device,
                       &(xb_kernel_desc){.code = code,
                                         .code_bytes = code_bytes,
                                         .entry = "hello",
                                         .group_size = {32, 1, 1},
                                         .binding_count = 1,
                                         .arg_bytes = sizeof args},
                       &h.kernel, err) ||
      xb_commands_create(h.device, &(xb_commands_desc){0}, &h.commands, err))
    return err->code;
  memcpy(xb_buffer_host(h.upload), message, BYTES);
  xb_cmd_copy(h.commands, h.text, 0, h.upload, 0, BYTES);
  xb_cmd_barrier(h.commands);
  xb_cmd_dispatch(h.commands, &(xb_dispatch){.kernel = h.kernel,
                                             .bindings = &(xb_binding){.buffer = h.text, .access = XB_READ_WRITE},
                                             .binding_count = 1,
                                             .args = &args,
                                             .arg_bytes = sizeof args,
                                             .groups = {1, 1, 1}});
  xb_cmd_barrier(h.commands);
  xb_cmd_copy(h.commands, h.readback, 0, h.text, 0, BYTES);
  if (xb_commands_finish(h.commands, err) ||
      xb_submit(h.device, &(xb_submission){.commands = h.commands}, &done, err) ||
      xb_wait(h.device, done, 10000000000u, err)) /* ns */
    return err->code;
  memcpy(message, xb_buffer_host(h.readback), BYTES);
  return XB_OK;
}

int main(int argc, char **argv)
{
  static char code[MOST_CODE];
  char message[BYTES] = "helloworld";
  xb_error err = {0};
  FILE *file = argc == 3 && xb_backend_find(argv[1]) ? fopen(argv[2], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: hello vulkan hello.spv, or hello cuda hello.fatbin\n");
    return 1;
  }
  const size_t bytes = fread(code, 1, sizeof code, file);
  fclose(file);
  const bool failed = run(argv[1], code, bytes, message, &err);
  printf("%s\n", failed ? err.message : message);
  xb_commands_destroy(h.commands);
  xb_kernel_destroy(h.kernel);
  xb_buffer_destroy(h.readback);
  xb_buffer_destroy(h.text);
  xb_buffer_destroy(h.upload);
  xb_device_close(h.device, NULL);
  return failed;
}
