/* What the Vulkan tests share: cmocka, the shim, and when to skip. */
#ifndef TEST_VULKAN_SUPPORT_H
#define TEST_VULKAN_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shim/shim.h"
#include "xb/gpu.h"

extern const xb_shim_control *shim;
extern const xb_backend *vulkan;

/* Restarts the program so that the shim stands before the loader, then looks for a device, and for the validation layer
 * where it is `needed`. 0, or the exit code of a test that cannot run (77: skip), its reason printed. */
int support_start(char **argv, bool layer_needed);
bool support_has_layer(void);

/* XB_OK, or the test fails with the message. */
void expect_ok(xb_code code, const xb_error *err);
/* Nothing wrong was called and, after a close, nothing is left. */
void expect_clean(void);
/* XB_OK or not, the code has to be this one and the message has to contain the text. */
void expect_error(xb_code code, const xb_error *err, xb_code wanted, const char *text);

xb_device *open_device(bool validation);
void close_device(xb_device *device);
/* tests/shaders/step.hlsl: two bindings, struct step_args. */
xb_kernel_desc step_desc(void);
xb_code step_kernel(xb_device *device, xb_kernel **kernel, xb_error *err);

#endif
