/* What the host does by itself: code of both of NVRTC's forms, and memory on its NUMA nodes. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "benchmarks/startup/compile.h"
#include "compile/compile.h"
#include "judge/judge.h"
#include "os/numa.h"
#include "test.h"

/* A kernel for an H200, as text and as machine code. */
TEST(test_nvrtc)
{
  const xb_device_info info = {.code = "fatbin", .compute_capability = 90};
  xb_arena arena = {0};
  xb_kernel_desc desc;
  xb_error err;
  double ns;
  if (!xb_nvrtc_find())
    skip();
  assert_int_equal(xb_startup_compile(&info, 77, XB_TO_TEXT, &arena, &desc, &ns, &err), XB_OK);
  assert_non_null(strstr(desc.code, ".visible .entry startup"));
  assert_int_equal(desc.code_bytes, strlen(desc.code));
  assert_int_equal(xb_startup_compile(&info, 77, XB_TO_MACHINE, &arena, &desc, &ns, &err), XB_OK);
  const unsigned char *code = desc.code;
  assert_memory_equal(code, "\177ELF", 4);
  assert_int_equal(code[18], 190); /* EM_CUDA */
  assert_true(desc.code_bytes > 1000 && ns > 0);
  xb_arena_free(&arena);
}

TEST(test_nodes)
{
  enum { BYTES = 1 << 16 };
  char *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(pages, MAP_FAILED);
  if (!xb_numa_bind(0)) /* a container may forbid it */
    skip();
  memset(pages, 1, BYTES);
  xb_numa_free();
  assert_int_equal(xb_numa_node_of(pages), 0);
  assert_true(xb_numa_nodes() >= 1);
  assert_false(xb_numa_bind(xb_numa_nodes()));
  assert_false(xb_numa_bind(64));
  assert_int_equal(xb_numa_node_of(NULL), -1);
  munmap(pages, BYTES);
}

/* What the guide and the deck say of the first and of the third generation, 16 lanes. */
TEST(test_bus)
{
  assert_true(xb_bus_gbps(2.5, 16) == 4);
  assert_true(xb_bus_gbps(8, 16) > 15.7 && xb_bus_gbps(8, 16) < 16);
}
