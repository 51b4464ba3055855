/* Semaphores and memory that two devices share: neither waits for the host. */
#define _GNU_SOURCE /* memfd_create */
#include "patience.h"
#include "suite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEPS = 40, PART = 64, BYTES = PART * 4 };

typedef struct side {
  xb_device *device;
  xb_buffer *buffer;
  xb_semaphore *semaphore;
  xb_commands *lists[STEPS];
  xb_point points[STEPS];
} side;

static void need_semaphores(void)
{
  xb_error err;
  xb_semaphore *s;
  int fd;
  if (!suite_info->imports_semaphores)
    REFUSED(xb_semaphore_import(suite_device, 0, &s, &err), &err, XB_UNSUPPORTED, "cannot import semaphores");
  if (!suite_info->exports_semaphores)
    REFUSED(xb_semaphore_create(suite_device, &s, &err), &err, XB_UNSUPPORTED, "cannot export semaphores");
  if (suite_info->imports_semaphores && suite_info->exports_semaphores)
    return;
  REFUSED(xb_semaphore_export(NULL, &fd, &err), &err, XB_INVALID, "the semaphore or the result pointer is NULL");
  print_message("'%s' shares no semaphores with itself\n", suite_info->name);
  skip();
}

/* The second device imports what the first one exports. Devices without shared memory use buffers of their own. */
static void open_sides(side sides[2])
{
  const xb_device_desc again = {
      .backend = suite_backend, .index = suite_info->index, .launch_mode = suite_info->launch_mode, .wave = suite_wave};
  const bool shares = suite_info->exports && suite_info->imports;
  const xb_buffer_desc own = {.label = "parts", .bytes = (STEPS + 1) * BYTES, .exportable = shares};
  xb_buffer_desc theirs = {.label = "their parts", .bytes = own.bytes};
  xb_error err;
  int fd;
  sides[0].device = suite_device;
  CHECK(xb_device_open(&again, &sides[1].device, &err), &err);
  CHECK(xb_buffer_create(suite_device, &own, &sides[0].buffer, &err), &err);
  if (shares) {
    theirs.mem = XB_MEM_SHARED;
    CHECK(xb_buffer_export(sides[0].buffer, &theirs.shared, &err), &err);
  }
  CHECK(xb_buffer_create(sides[1].device, &theirs, &sides[1].buffer, &err), &err);
  CHECK(xb_semaphore_create(suite_device, &sides[0].semaphore, &err), &err);
  CHECK(xb_semaphore_export(sides[0].semaphore, &fd, &err), &err);
  CHECK(xb_semaphore_import(sides[1].device, fd, &sides[1].semaphore, &err), &err);
}

static void close_sides(side sides[2])
{
  xb_error err;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < STEPS; k++)
      xb_commands_destroy(sides[i].lists[k]);
    xb_semaphore_destroy(sides[i].semaphore);
    xb_buffer_destroy(sides[i].buffer);
  }
  CHECK(xb_device_close(sides[1].device, &err), &err);
}

/* List k copies part k to part k + 1: without the order, it would copy what was there before. */
static void record(side *s, uint64_t k)
{
  xb_error err;
  CHECK(xb_commands_create(s->device, &(xb_commands_desc){.label = "step"}, &s->lists[k], &err), &err);
  xb_cmd_copy(s->lists[k], s->buffer, (k + 1) * BYTES, s->buffer, k * BYTES, BYTES);
  CHECK(xb_commands_finish(s->lists[k], &err), &err);
}

CASE(to_and_fro)
{
  need_semaphores();
  side sides[2] = {{0}};
  open_sides(sides);
  const bool shares = suite_info->exports && suite_info->imports;
  uint32_t first[PART], last[PART];
  xb_error err;
  for (uint64_t k = 0; k < STEPS; k++)
    record(&sides[k % 2], k);
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < PART; i++)
      first[i] = 1000 * round + i;
    CHECK(xb_upload(sides[0].buffer, 0, first, BYTES, &err), &err);
    for (uint64_t k = 0; k < STEPS; k++) {
      side *s = &sides[k % 2];
      const uint64_t value = round * STEPS + k;
      const xb_submission submission = {.commands = s->lists[k],
                                        .wait = s->semaphore,
                                        .wait_value = value,
                                        .signal = s->semaphore,
                                        .signal_value = value + 1};
      CHECK(xb_submit(s->device, &submission, &s->points[k], &err), &err);
    }
    for (uint64_t k = 0; k < STEPS; k++)
      CHECK(xb_wait(sides[k % 2].device, sides[k % 2].points[k], patience_ns(), &err), &err);
    CHECK(xb_download(sides[STEPS % 2].buffer, (uint64_t)STEPS * BYTES, last, BYTES, &err), &err);
    if (shares)
      assert_memory_equal(first, last, BYTES);
  }
  close_sides(sides);
}

/* The exporter destroys its semaphore and its buffer first: the other device still has both. */
CASE(the_exporter_goes_away)
{
  need_semaphores();
  side sides[2] = {{0}};
  open_sides(sides);
  xb_point done;
  xb_error err;
  xb_commands *c;
  CHECK(xb_commands_create(sides[0].device, &(xb_commands_desc){.label = "fill"}, &c, &err), &err);
  xb_cmd_fill(c, sides[0].buffer, 0, BYTES, 77);
  const xb_submission fill = {.commands = c, .signal = sides[0].semaphore, .signal_value = 1};
  CHECK(xb_submit(sides[0].device, &fill, &done, &err), &err);
  xb_commands_destroy(c);
  xb_semaphore_destroy(sides[0].semaphore); /* in flight */
  xb_buffer_destroy(sides[0].buffer);
  sides[0].semaphore = NULL;
  sides[0].buffer = NULL;
  CHECK(xb_wait(sides[0].device, done, patience_ns(), &err), &err);

  record(&sides[1], 0);
  const xb_submission copy = {.commands = sides[1].lists[0], .wait = sides[1].semaphore, .wait_value = 1};
  CHECK(xb_submit(sides[1].device, &copy, &done, &err), &err);
  CHECK(xb_wait(sides[1].device, done, patience_ns(), &err), &err);
  uint32_t got[PART];
  CHECK(xb_download(sides[1].buffer, BYTES, got, BYTES, &err), &err);
  for (uint32_t i = 0; i < PART && suite_info->exports; i++)
    SAME_WORD(i, got[i], 77);
  close_sides(sides);
}

/* The descriptor stays the caller's. */
static void refuse_semaphore(int fd, const char *text)
{
  xb_semaphore *s;
  xb_error err;
  REFUSED(xb_semaphore_import(suite_device, fd, &s, &err), &err, XB_INVALID, text);
  assert_null(s);
}

CASE(no_semaphore)
{
  need_semaphores();
  int ends[2];
  char name[] = "/tmp/xbench-no-semaphore-XXXXXX";
  unsigned char page[4096] = {0}, after[sizeof page];
  assert_int_equal(pipe(ends), 0);
  refuse_semaphore(ends[0], "is a pipe");
  close(ends[0]);
  close(ends[1]);
  refuse_semaphore(ends[0], "is not open");
  const int zero = open("/dev/zero", O_RDWR), folder = open("/", O_RDONLY), file = mkstemp(name);
  assert_true(zero >= 0 && folder >= 0 && file >= 0);
  refuse_semaphore(zero, "is a device file of the system");
  refuse_semaphore(folder, "is a folder");
  assert_int_equal(write(file, page, sizeof page), sizeof page);
  refuse_semaphore(file, "is a file on a disk");
  assert_int_equal(lseek(file, 0, SEEK_SET), 0);
  assert_int_equal(read(file, after, sizeof after), sizeof after);
  assert_memory_equal(page, after, sizeof page);
  unlink(name);
  if (suite_info->emulates) { /* a driver knows its own by means of its own */
    const int memory = memfd_create("no semaphore", 0);
    refuse_semaphore(file, "file descriptor");
    assert_int_equal(ftruncate(memory, sizeof page), 0);
    refuse_semaphore(memory, "is not a semaphore");
    close(memory);
  }
  close(zero);
  close(folder);
  close(file);
}

TEST_SOURCE(SUITE);
