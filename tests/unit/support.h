/* Shared by the unit tests: a host device, and short functions that create objects on it and fail the test on an error.
 */
#ifndef UNIT_SUPPORT_H
#define UNIT_SUPPORT_H

#include "host/host.h"
#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A backend with another version of the contract, in the registry after the host backend. */
extern const xb_backend unit_other_version;

typedef struct unit {
  xb_device *device;
  xb_buffer *a, *b;           /* device memory, 1024 bytes each */
  xb_kernel *reader, *writer; /* one binding, no arguments; the writer adds 1 to the first word */
  xb_kernel *two;             /* two writable bindings, 8 bytes of arguments */
  xb_commands *c;             /* on the compute queue, no timestamps */
} unit;

/* UNIT(name) { ... } is a test whose *state is a unit. The teardown checks that nothing leaked and no rule was
 * broken. */
int unit_setup(void **state);
int unit_teardown(void **state);
/* UNIT_BARE: the same, without objects. */
int unit_setup_bare(void **state);
int unit_teardown_bare(void **state);

#define UNIT(name) TEST_WITH(name, unit_setup, unit_teardown)
#define UNIT_BARE(name) TEST_WITH(name, unit_setup_bare, unit_teardown_bare)

xb_device *unit_open(uint32_t index);
void unit_close(xb_device *device);
xb_buffer *unit_buffer(xb_device *device, xb_mem mem, uint64_t bytes);
xb_kernel *unit_kernel(xb_device *device, const char *label, uint32_t bindings, uint32_t read_only, uint32_t arg_bytes);
xb_commands *unit_commands(xb_device *device, xb_queue queue, uint32_t timestamps);
void unit_dispatch(xb_commands *c, xb_kernel *kernel, const xb_binding *bindings, uint32_t count);
xb_point unit_submit(xb_device *device, xb_commands *c);
void unit_wait(xb_device *device, xb_point point);

/* Code with a valid checksum; group size 4 x 1 x 1, entry "main". */
host_code unit_code(uint32_t bindings, uint32_t read_only, uint32_t arg_bytes);
xb_kernel_desc unit_kernel_desc(const host_code *code);

/* Checks that the call failed with `code`, that `err` has the same code, and that its message contains `text`. */
void unit_refused(xb_code got, const xb_error *err, xb_code code, const char *text, const char *file, int line);
#define REFUSED(call, err, code, text) unit_refused(call, err, code, text, __FILE__, __LINE__)
/* Checks that the host backend has no objects left, and that no rule was broken. */
void unit_clean(const char *file, int line);

#endif
