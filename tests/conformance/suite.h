/* Shared by the cases: one open device for each group of cases, and short functions that create objects on it. The
 * objects are destroyed when the case ends; an error fails the case with its message. */
#ifndef CONFORMANCE_SUITE_H
#define CONFORMANCE_SUITE_H

#include "kernels.h"
#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The backend from the command line, and its device with index 0 or XB_TEST_DEVICE. */
extern const xb_backend *suite_backend;
extern xb_device *suite_device;
extern const xb_device_info *suite_info;
/* Of "cpu:32": the backend runs shaders, with waves of 32. Else 0. */
extern uint32_t suite_wave;
/* Whose code it takes: the backend's name, or "vulkan" for shaders. */
const char *suite_code(void);

/* Runs in the process that the test of hang.c starts. Returns the exit status, or calls _exit. */
int hang_child(void);

/* Compute and copy queues that suite_open asks for. */
extern int32_t suite_wanted_queues[2];
int suite_open(void **state);
int suite_close(void **state);
int suite_end_case(void **state);
/* CASE(name) { ... } is a test, in a source with TEST_SOURCE(SUITE). */
#define CASE(name) TEST_WITH(name, NULL, suite_end_case)
#define SUITE .group_setup = suite_open, .group_teardown = suite_close

uint32_t suite_device_index(void);
xb_device_desc suite_desc(void); /* of the suite's device */

xb_buffer *buffer_of(xb_mem mem, uint64_t bytes);
xb_kernel *kernel_of(const char *name);
xb_kernel_desc desc_of(const char *name);
xb_commands *list_of(xb_queue queue, uint32_t timestamps);
/* Takes ownership of an object that the case created. */
xb_buffer *keep_buffer(xb_buffer *buffer);
xb_kernel *keep_kernel(xb_kernel *kernel);

xb_binding bound(xb_buffer *buffer, xb_access access);
/* `args` has the size from the kernel's description. */
void dispatch(xb_commands *c, xb_kernel *kernel, const char *name, const xb_binding *bindings, const void *args,
              uint32_t x, uint32_t y, uint32_t z);

xb_point submit(xb_commands *c);
void wait_for(xb_point point);
/* Submits and waits. */
void run(xb_commands *c);
/* Copies through staging buffers, and waits. */
void write_buffer(xb_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes);
void read_buffer(xb_buffer *buffer, uint64_t offset, void *data, uint64_t bytes);
void fill_buffer(xb_buffer *buffer, uint32_t word);
/* Runs a kernel with one binding, an output, and reads it. */
void output_of(xb_kernel *kernel, const char *name, const void *args, uint32_t groups, void *got, uint64_t bytes);

void check(xb_code code, const xb_error *err, const char *file, int line);
#define CHECK(call, err) check(call, err, __FILE__, __LINE__)
void refused(xb_code got, const xb_error *err, xb_code code, const char *text, const char *file, int line);
#define REFUSED(call, err, code, text) refused(call, err, code, text, __FILE__, __LINE__)
void same_word(uint64_t index, uint32_t got, uint32_t expected, const char *file, int line);
#define SAME_WORD(index, got, expected) same_word(index, got, expected, __FILE__, __LINE__)

double now_s(void);

/* A dispatch of the kernel "step" with this as its first binding fails with the code and the text. */
void refuse_binding(xb_binding binding, xb_code code, const char *text);

#endif
