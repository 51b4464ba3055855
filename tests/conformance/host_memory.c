/* Memory of the host: ordinary memory that is copied, memory that is imported, and the kinds that not every device has;
 * and memory that two devices share. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "patience.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if __has_include(<sys/eventfd.h>)
#include <sys/eventfd.h>
#endif

enum { GUARD = 0x5a5a5a5a, BYTE_GUARD = 0xa7, ROOM = 128, WORDS = 1000 };

static uint32_t pattern(uint64_t i)
{
  return (uint32_t)(i * 2654435761u + 777u);
}

static void *pages_of(uint64_t bytes)
{
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED);
  return pages;
}

/* ---- Ordinary memory -------------------------------------------------------------------------------------------- */

/* Uploads `bytes` to `offset` from an address that is `align` past a multiple of 64, and downloads them to another. */
static void there_and_back(xb_buffer *buffer, uint64_t offset, uint64_t bytes, uint64_t align)
{
  const uint64_t all = xb_buffer_bytes(buffer);
  xb_error err;
  unsigned char *in = aligned_alloc(64, (bytes + 2 * ROOM) / 64 * 64 + 64);
  unsigned char *out = aligned_alloc(64, (bytes + 2 * ROOM) / 64 * 64 + 64);
  uint32_t *seen = malloc(all);
  assert_true(in && out && seen);
  for (uint64_t i = 0; i < bytes; i++)
    in[align + i] = (unsigned char)pattern(i);
  memset(out, BYTE_GUARD, bytes + 2 * ROOM);
  fill_buffer(buffer, GUARD);
  CHECK(xb_upload(buffer, offset, in + align, bytes, &err), &err);
  CHECK(xb_download(buffer, offset, out + ROOM - align, bytes, &err), &err);
  assert_memory_equal(out + ROOM - align, in + align, bytes);
  for (uint64_t i = 0; i < ROOM - align; i++)
    assert_int_equal(out[i], BYTE_GUARD);
  for (uint64_t i = ROOM - align + bytes; i < bytes + 2 * ROOM; i++)
    assert_int_equal(out[i], BYTE_GUARD);
  read_buffer(buffer, 0, seen, all);
  assert_memory_equal((char *)seen + offset, in + align, bytes);
  for (uint64_t i = 0; i < all / 4; i++)
    if (i * 4 < offset || i * 4 >= offset + bytes)
      SAME_WORD(i, seen[i], GUARD);
  free(in);
  free(out);
  free(seen);
}

CASE(pageable_sizes)
{
  static const uint64_t sizes[] = {4, 12, 4092, 65536, 65540, (4 << 20) - 4, 4 << 20, (8 << 20) + 4, (13 << 20) + 12};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    there_and_back(buffer_of(XB_MEM_DEVICE, sizes[s] + 2 * ROOM), ROOM, sizes[s], 0);
    suite_end_case(NULL);
  }
}

CASE(pageable_alignments)
{
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 10004);
  for (uint64_t align = 0; align <= 64; align++)
    there_and_back(buffer, align % 8 * 4, 9000 + align % 5 * 4, align);
}

CASE(pageable_refused)
{
  xb_error err;
  uint32_t word = 0;
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, 64), *up = buffer_of(XB_MEM_UPLOAD, 64);
  static const struct {
    uint64_t offset, bytes;
  } bad[] = {{0, 0}, {0, 3}, {2, 4}, {0, 68}, {64, 4}, {68, 4}, {4, UINT64_MAX - 3}, {UINT64_MAX - 3, 4}};
  for (size_t i = 0; i < COUNT(bad); i++) {
    REFUSED(xb_upload(buffer, bad[i].offset, &word, bad[i].bytes, &err), &err, XB_INVALID, "xb_upload");
    REFUSED(xb_download(buffer, bad[i].offset, &word, bad[i].bytes, &err), &err, XB_INVALID, "xb_download");
  }
  REFUSED(xb_upload(buffer, 0, NULL, 4, &err), &err, XB_INVALID, "no buffer or no memory");
  REFUSED(xb_download(up, 0, &word, 4, &err), &err, XB_INVALID, "through xb_buffer_host");
  there_and_back(buffer, 0, 64, 0);
}

/* ---- Kinds that not every device has ----------------------------------------------------------------------------- */

/* NULL if the device lacks it, which it says. */
static xb_buffer *optional(xb_mem mem, void *host, uint64_t bytes)
{
  xb_error err = {0};
  xb_buffer *buffer;
  const xb_buffer_desc desc = {.label = "optional", .mem = mem, .bytes = bytes, .host = host};
  const xb_code code = xb_buffer_create(suite_device, &desc, &buffer, &err);
  if (code == XB_UNSUPPORTED) {
    assert_true(strlen(err.message) > 20);
    print_message("%s\n", err.message);
    return NULL;
  }
  CHECK(code, &err);
  assert_non_null(xb_buffer_host(buffer));
  return keep_buffer(buffer);
}

/* A kernel reads what the host wrote, and writes what the host reads. */
static void step_between(xb_buffer *from, xb_buffer *to, uint32_t first)
{
  const struct step_args args = {.count = WORDS, .mul = 3, .add = 1};
  for (uint32_t i = 0; i < WORDS; i++)
    ((uint32_t *)xb_buffer_host(from))[i] = pattern(i + first);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel_of("step"), "step", (xb_binding[]){bound(from, XB_READ), bound(to, XB_WRITE)}, &args, 16, 1, 1);
  run(c);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, ((uint32_t *)xb_buffer_host(to))[i], pattern(i + first) * 3 + 1);
}

CASE(write_combined)
{
  xb_buffer *from = optional(XB_MEM_UPLOAD_COMBINED, NULL, WORDS * 4);
  for (uint32_t round = 0; round < 3 && from; round++)
    step_between(from, buffer_of(XB_MEM_READBACK, WORDS * 4), round);
}

CASE(device_memory_that_the_host_sees)
{
  xb_buffer *from = optional(XB_MEM_DEVICE_MAPPED, NULL, WORDS * 4);
  xb_buffer *to = from ? optional(XB_MEM_DEVICE_MAPPED, NULL, WORDS * 4) : NULL;
  for (uint32_t round = 0; round < 3 && from; round++)
    step_between(from, to, round);
}

/* ---- Imported memory --------------------------------------------------------------------------------------------- */

CASE(imported)
{
  const uint64_t align = suite_info->import_align;
  if (!align)
    skip();
  const uint64_t bytes = (WORDS * 4 + align - 1) / align * align;
  unsigned char *pages = pages_of(5 * align + 2 * bytes); /* a page between, and one at each end */
  memset(pages, BYTE_GUARD, 5 * align + 2 * bytes);
  unsigned char *first = (unsigned char *)(((uintptr_t)pages + 2 * align - 1) / align * align);
  unsigned char *second = first + bytes + align;
  xb_buffer *from = optional(XB_MEM_IMPORTED, first, bytes), *to = optional(XB_MEM_IMPORTED, second, bytes);
  assert_true(from && to);
  assert_ptr_equal(xb_buffer_host(from), first);
  assert_int_equal(xb_buffer_bytes(to), bytes);
  for (uint32_t round = 0; round < 3; round++)
    step_between(from, to, round);

  xb_buffer *device = buffer_of(XB_MEM_DEVICE, bytes);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy(c, device, 0, to, 0, bytes);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, from, 0, device, 0, WORDS * 4);
  run(c);
  assert_memory_equal(first, second, WORDS * 4);
  suite_end_case(NULL);
  for (unsigned char *p = pages; p < pages + 5 * align + 2 * bytes; p++)
    if ((p < first || p >= first + WORDS * 4) && (p < second || p >= second + WORDS * 4))
      assert_int_equal(*p, BYTE_GUARD);
  munmap(pages, 5 * align + 2 * bytes);
}

CASE(import_refused)
{
  xb_error err;
  xb_buffer *buffer;
  const uint64_t align = suite_info->import_align ? suite_info->import_align : 4096;
  unsigned char *pages = pages_of(4 * align), *at = pages + align - (uintptr_t)pages % align;
#define REFUSE(code, text, ...)                                                                                        \
  REFUSED(xb_buffer_create(suite_device, &(xb_buffer_desc){__VA_ARGS__}, &buffer, &err), &err, code, text)
  REFUSE(XB_INVALID, "not XB_MEM_IMPORTED", .mem = XB_MEM_UPLOAD, .bytes = align, .host = at);
  if (suite_info->import_align) {
    REFUSE(XB_INVALID, "must be multiples of", .mem = XB_MEM_IMPORTED, .bytes = align);
    REFUSE(XB_INVALID, "must be multiples of", .mem = XB_MEM_IMPORTED, .bytes = align, .host = at + 4);
    REFUSE(XB_INVALID, "must be multiples of", .mem = XB_MEM_IMPORTED, .bytes = align / 2, .host = at);
    for (int rights = PROT_NONE; rights <= PROT_READ; rights++) {
      assert_int_equal(mprotect(at + align, align, rights), 0);
      REFUSE(XB_INVALID, "are not all readable and writable", .mem = XB_MEM_IMPORTED, .bytes = 2 * align, .host = at);
    }
    munmap(at + align, align); /* memory that has gone away */
    REFUSE(XB_INVALID, "not all memory of this process", .mem = XB_MEM_IMPORTED, .bytes = 2 * align, .host = at);
  } else {
    REFUSE(XB_UNSUPPORTED, "cannot import host memory", .mem = XB_MEM_IMPORTED, .bytes = align, .host = at);
  }
  munmap(pages, 4 * align);
  there_and_back(buffer_of(XB_MEM_DEVICE, 64), 0, 64, 0);
}

/* A page belongs to one buffer of a device at a time. */
CASE(imported_twice)
{
  const uint64_t align = suite_info->import_align;
  xb_error err;
  xb_buffer *buffer;
  if (!align)
    skip();
  unsigned char *pages = pages_of(6 * align), *at = pages + align - (uintptr_t)pages % align;
  for (int round = 0; round < 2; round++) {
    xb_buffer *first = optional(XB_MEM_IMPORTED, at + align, 2 * align), *behind;
    for (uint64_t i = 0; i < 3; i++)
      REFUSE(XB_INVALID, "another buffer already imports", .mem = XB_MEM_IMPORTED, .bytes = 2 * align,
             .host = at + i * align);
    behind = optional(XB_MEM_IMPORTED, at + 3 * align, align);
    assert_true(first && behind);
    suite_end_case(NULL);
  }
  munmap(pages, 6 * align);
}

/* Destroyed in flight: the memory may go away when the work is done, and be imported again. */
CASE(imported_memory_goes_away)
{
  const uint64_t align = suite_info->import_align, bytes = align << 4;
  xb_error err;
  if (!align)
    skip();
  for (int round = 0; round < 4; round++) {
    void *pages = pages_of(bytes + align);
    uint32_t *at = (uint32_t *)(((uintptr_t)pages + align - 1) / align * align);
    xb_buffer *buffer, *device = buffer_of(XB_MEM_DEVICE, bytes);
    const xb_buffer_desc desc = {.label = "pages", .mem = XB_MEM_IMPORTED, .bytes = bytes, .host = at};
    CHECK(xb_buffer_create(suite_device, &desc, &buffer, &err), &err);
    for (uint64_t i = 0; i < bytes / 4; i++)
      at[i] = pattern(i + (uint64_t)round);
    xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
    xb_cmd_copy(c, device, 0, buffer, 0, bytes);
    const xb_point point = submit(c);
    xb_buffer_destroy(buffer);
    wait_for(point);
    suite_end_case(NULL); /* the list held the buffer, too */
    munmap(pages, bytes + align);
  }
  there_and_back(buffer_of(XB_MEM_DEVICE, 64), 0, 64, 0);
}

/* ---- Memory of another device ------------------------------------------------------------------------------------ */

CASE(shared_refused)
{
  xb_error err;
  xb_buffer *buffer, *own = buffer_of(XB_MEM_DEVICE, 64);
  xb_shared shared;
  REFUSE(XB_INVALID, "only XB_MEM_DEVICE", .mem = XB_MEM_UPLOAD, .bytes = 64, .exportable = true);
  REFUSED(xb_buffer_export(own, &shared, &err), &err, XB_INVALID, "not created as exportable");
  if (suite_info->imports) {
    REFUSE(XB_INVALID, "is too small", .mem = XB_MEM_SHARED, .bytes = 64, .shared = {.fd = -1, .bytes = 64});
    REFUSE(XB_INVALID, "is too small", .mem = XB_MEM_SHARED, .bytes = 64, .shared = {.fd = 0, .bytes = 60});
    if (!suite_info->imports_peers)
      REFUSE(XB_UNSUPPORTED, "does not see the memory of another GPU", .mem = XB_MEM_SHARED, .bytes = 64,
             .shared = {.fd = 0, .bytes = 64, .uuid = "another GPU"});
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    xb_shared plain = {.fd = ends[1], .bytes = 64};
    memcpy(plain.uuid, suite_info->uuid, sizeof plain.uuid);
    REFUSE(XB_INVALID, "is a pipe", .mem = XB_MEM_SHARED, .bytes = 64, .shared = plain);
    close(ends[0]);
    close(ends[1]);
    REFUSE(XB_INVALID, "is not open", .mem = XB_MEM_SHARED, .bytes = 64, .shared = plain);
#if __has_include(<sys/eventfd.h>) /* lavapipe would crash */
    plain.fd = eventfd(0, 0);
    REFUSE(XB_INVALID, "is an event of the system", .mem = XB_MEM_SHARED, .bytes = 64, .shared = plain);
    close(plain.fd);
#endif
  } else {
    REFUSE(XB_UNSUPPORTED, "cannot import memory", .mem = XB_MEM_SHARED, .bytes = 64, .shared = {.fd = 0, .bytes = 64});
  }
  if (!suite_info->exports)
    REFUSE(XB_UNSUPPORTED, "cannot export memory", .bytes = 64, .exportable = true);
}

static void copy_between(xb_device *device, xb_buffer *to, xb_buffer *from, uint64_t bytes)
{
  xb_commands *c;
  xb_point done;
  xb_error err;
  CHECK(xb_commands_create(device, &(xb_commands_desc){.label = "copy"}, &c, &err), &err);
  xb_cmd_copy(c, to, 0, from, 0, bytes);
  CHECK(xb_submit(device, &(xb_submission){.commands = c}, &done, &err), &err);
  CHECK(xb_wait(device, done, patience_ns(), &err), &err);
  xb_commands_destroy(c);
}

/* Both devices write, both see it; the memory outlives the buffer that exported it. */
CASE(shared_by_two_devices)
{
  const uint64_t bytes = WORDS * 4;
  const xb_device_desc again = {
      .backend = suite_backend, .index = suite_info->index, .launch_mode = suite_info->launch_mode, .wave = suite_wave};
  uint32_t in[WORDS], out[WORDS];
  xb_error err;
  xb_device *other;
  xb_buffer *owner, *user, *own;
  xb_shared shared;
  if (!suite_info->exports || !suite_info->imports)
    skip();
  CHECK(xb_buffer_create(suite_device, &(xb_buffer_desc){.bytes = bytes, .exportable = true}, &owner, &err), &err);
  CHECK(xb_buffer_export(owner, &shared, &err), &err);
  CHECK(xb_device_open(&again, &other, &err), &err);
  const xb_buffer_desc desc = {.mem = XB_MEM_SHARED, .bytes = bytes, .shared = shared};
  CHECK(xb_buffer_create(other, &desc, &user, &err), &err);
  CHECK(xb_buffer_create(other, &(xb_buffer_desc){.bytes = bytes}, &own, &err), &err);
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = pattern(i);
  write_buffer(owner, 0, in, bytes);
  copy_between(other, own, user, bytes);
  CHECK(xb_download(own, 0, out, bytes, &err), &err);
  assert_memory_equal(in, out, bytes);
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = pattern(i + 9);
  CHECK(xb_upload(user, 0, in, bytes, &err), &err);
  read_buffer(owner, 0, out, bytes);
  assert_memory_equal(in, out, bytes);
  suite_end_case(NULL);
  xb_buffer_destroy(owner);
  memset(out, 0, sizeof out);
  CHECK(xb_download(user, 0, out, bytes, &err), &err);
  assert_memory_equal(in, out, bytes);
  xb_buffer_destroy(user);
  xb_buffer_destroy(own);
  CHECK(xb_device_close(other, &err), &err);
}

/* The device that made the memory is closed: the other one still has it. */
CASE(shared_memory_outlives_its_device)
{
  const uint64_t bytes = WORDS * 4;
  const xb_device_desc again = {
      .backend = suite_backend, .index = suite_info->index, .launch_mode = suite_info->launch_mode, .wave = suite_wave};
  uint32_t in[WORDS], out[WORDS] = {0};
  xb_error err;
  xb_device *other;
  xb_buffer *owner, *user;
  xb_shared shared;
  if (!suite_info->exports || !suite_info->imports)
    skip();
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = pattern(i + 5);
  CHECK(xb_device_open(&again, &other, &err), &err);
  CHECK(xb_buffer_create(other, &(xb_buffer_desc){.bytes = bytes, .exportable = true}, &owner, &err), &err);
  CHECK(xb_buffer_export(owner, &shared, &err), &err);
  CHECK(xb_upload(owner, 0, in, bytes, &err), &err);
  const xb_buffer_desc desc = {.mem = XB_MEM_SHARED, .bytes = bytes, .shared = shared};
  CHECK(xb_buffer_create(suite_device, &desc, &user, &err), &err);
  keep_buffer(user);
  xb_buffer_destroy(owner);
  CHECK(xb_device_close(other, &err), &err);
  CHECK(xb_download(user, 0, out, bytes, &err), &err);
  assert_memory_equal(in, out, bytes);
  fill_buffer(user, 7);
  read_buffer(user, 0, out, bytes);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, out[i], 7);
  shared.fd = -1; /* the descriptor went with the import */
  REFUSED(xb_buffer_create(suite_device, &(xb_buffer_desc){.mem = XB_MEM_SHARED, .bytes = bytes, .shared = shared},
                           &user, &err),
          &err, XB_INVALID, "pass the result of xb_buffer_export");
}

TEST_SOURCE(SUITE);
