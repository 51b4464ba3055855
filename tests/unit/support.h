/* What the unit tests share: a host device, and short ways to make things on it. Creators fail the test on an error. */
#ifndef UNIT_SUPPORT_H
#define UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/host.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A backend of another contract version, beside the host backend in the registry. */
extern const xb_backend unit_other_version;

typedef struct unit {
  xb_device *device;
  xb_buffer *a, *b;           /* device memory, 1024 bytes each */
  xb_kernel *reader, *writer; /* one binding, no arguments; the writer adds 1 to the first word */
  xb_kernel *two;             /* two bindings that it can write, 8 bytes of arguments */
  xb_commands *c;             /* on the compute queue, no timestamps */
} unit;

/* For cmocka_unit_test_setup_teardown: *state is a unit. Teardown holds that nothing is left and no promise broken. */
int unit_setup(void **state);
int unit_teardown(void **state);
/* Without anything made. */
int unit_setup_bare(void **state);
int unit_teardown_bare(void **state);

#define UNIT(f) cmocka_unit_test_setup_teardown(f, unit_setup, unit_teardown)
#define UNIT_BARE(f) cmocka_unit_test_setup_teardown(f, unit_setup_bare, unit_teardown_bare)

xb_device *unit_open(uint32_t index);
void unit_close(xb_device *device);
xb_buffer *unit_buffer(xb_device *device, xb_mem mem, uint64_t bytes);
xb_kernel *unit_kernel(xb_device *device, const char *label, uint32_t bindings, uint32_t read_only, uint32_t arg_bytes);
xb_commands *unit_commands(xb_device *device, xb_queue queue, uint32_t timestamps);
void unit_dispatch(xb_commands *c, xb_kernel *kernel, const xb_binding *bindings, uint32_t count);
xb_point unit_submit(xb_device *device, xb_commands *c);
void unit_wait(xb_device *device, xb_point point);

/* Sealed code of one binding; group size 4 x 1 x 1, entry "main". */
host_code unit_code(uint32_t bindings, uint32_t read_only, uint32_t arg_bytes);
xb_kernel_desc unit_kernel_desc(const host_code *code);

/* The call failed with `code`, `err` agrees, and its message has `text` in it. */
void unit_refused(xb_code got, const xb_error *err, xb_code code, const char *text, const char *file, int line);
#define REFUSED(call, err, code, text) unit_refused(call, err, code, text, __FILE__, __LINE__)
/* Nothing left in the host backend, no promise broken. */
void unit_clean(const char *file, int line);

#endif
