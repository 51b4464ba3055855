/* Shared by the Vulkan tests: cmocka, the shim, and the reasons to skip. */
#ifndef TEST_VULKAN_SUPPORT_H
#define TEST_VULKAN_SUPPORT_H

#include <stdbool.h>

#include "../scenario/scenario.h"
#include "shim/shim.h"
#include "test.h"
#include "xb/gpu.h"

extern const xb_shim_control *shim;
extern const xb_backend *vulkan;

/* Restarts the program so that the shim replaces the loader. Then checks that there is a device and, with
 * `layer_needed`, the validation layer. Returns 0; if the test cannot run, prints the reason and returns the exit code
 * (77: skip). */
int support_start(bool layer_needed);
/* For TEST_SOURCE, without the layer. */
int support_begin(void);
bool support_has_layer(void);

/* Fails the test with the message unless `code` is XB_OK. */
void expect_ok(xb_code code, const xb_error *err);
/* Checks that no call was invalid and, after closing, that no object is left. */
void expect_clean(void);
/* Checks that the code is `wanted` (it may be XB_OK) and that the message contains `text`. */
void expect_error(xb_code code, const xb_error *err, xb_code wanted, const char *text);

xb_device *open_device(bool validation);
void close_device(xb_device *device);
/* tests/shaders/step.hlsl: two bindings, struct step_args. */
xb_kernel_desc step_desc(void);
xb_code step_kernel(xb_device *device, xb_kernel **kernel, xb_error *err);
/* tests/shaders/places.hlsl: four bindings in three descriptor sets, the first is a uniform buffer. */
xb_kernel_desc places_desc(void);
/* tests/shaders/texels.hlsl: an image, a texel buffer and two buffers; struct texels_args. */
xb_kernel_desc texels_desc(void);

/* For the scenario of tests/scenario (scenario.c). */
scenario_backend vulkan_scenario(void);

#endif
