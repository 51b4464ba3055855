/* Opcodes: each is refused by its name, or a module of these tests has it. And those that no front end here writes, for
 * one thread, beside what they give. */
#include <stdio.h>
#include <string.h>

#include "shader_run.h"

#include "opcode_names.h"

typedef struct operation {
  const char *what;
  uint32_t expected;
} operation;

/* The inputs of operations.txt: 7, -7, 3, 5.5, -2.25, NaN, 0. */
static uint32_t inputs[] = {7, 0xfffffff9, 3, 0x40b00000, 0xc0100000, 0x7fc00000, 0};
static const operation operations[] = {
#include "operations.h"
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

TEST(test_operations)
{
  uint32_t words[OPERATIONS] = {0};
  run_shader(
      &(shader_run){.name = "operations",
                    .group = 1,
                    .groups = 1,
                    .buffers = {{{0, 0, 0}, inputs, sizeof inputs, false}, {{0, 1, 0}, words, sizeof words, false}}});
  for (uint32_t i = 0; i < OPERATIONS; i++)
    if (words[i] != operations[i].expected)
      fail_msg("%s: 0x%x, expected 0x%x", operations[i].what, words[i], operations[i].expected);
}

/* ---- Every opcode ----------------------------------------------------------------------------------------------- */

enum { OPCODES = 1 << 16 };

/* The opcodes of the modules of these tests, and the functions of GLSL.std.450 that they call. */
static void note_module(const char *path, bool *used, bool *called)
{
  static uint32_t words[1 << 16];
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  const size_t count = fread(words, 4, sizeof words / 4, file);
  assert_true(count > 5 && count < sizeof words / 4);
  fclose(file);
  uint32_t glsl = 0;
  for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16) {
    const uint32_t op = words[at] & 0xffff;
    used[op] = true;
    if (op == 11 && !memcmp(&words[at + 2], "GLSL", 4)) /* OpExtInstImport, OpExtInst */
      glsl = words[at + 1];
    if (op == 12 && words[at + 3] == glsl && words[at + 4] < OPCODES)
      called[words[at + 4]] = true;
  }
}

static void note_modules(bool *used, bool *called)
{
  static const char list[] = SHADER_MODULES;
  for (const char *name = list; *name;) {
    char path[512];
    const size_t length = strcspn(name, ",");
    snprintf(path, sizeof path, "%s/%.*s.spv", SHADER_FOLDER, (int)length, name);
    note_module(path, used, called);
    name += length + (name[length] == ',');
  }
}

#define OP(words, op) ((words) << 16 | (op))

/* A module whose function is this instruction. No group has 63 threads: what is translated is refused before it is
 * compiled. */
static bool is_refused(uint32_t op, const char *name, uint32_t set, uint32_t number)
{
  const uint32_t type = strncmp(name, "OpType", 6) ? 4 : 21;
  const uint32_t words[] = {0x07230203, 0x00010300, 0,          100,       0,         OP(2, 17), 1,      OP(6, 11), 30,
                            0x4c534c47, 0x6474732e, 0x3035342e, 0,         OP(3, 14), 0,         1,      OP(5, 15), 5,
                            1,          0x6e69616d, 0,          OP(6, 16), 1,         17,        1,      1,         1,
                            OP(2, 19),  2,          OP(3, 33),  3,         2,         OP(4, 21), 4,      32,        0,
                            OP(4, 43),  4,          5,          1,         OP(5, 54), 2,         1,      0,         3,
                            OP(2, 248), 6,          OP(9, op),  type,      20,        set,       number, 5,         5,
                            5,          5,          OP(1, 253), OP(1, 56)};
  xb_error err = {0};
  const xb_code code = load_shader(words, sizeof words, "main", 63, 0, &err);
  assert_true(code);
  const char *found = strstr(err.message, name);
  const char after = found ? found[strlen(name)] : 'x';
  return found && !(after >= 'a' && after <= 'z') && !(after >= 'A' && after <= 'Z') &&
         strstr(err.message, "not translated");
}

/* Some have two names. */
static const char *first_name(uint32_t op)
{
  size_t i = 0;
  while (opcode_names[i].op != op)
    i++;
  return opcode_names[i].name;
}

/* What neither is refused nor in a module would be unknown: whether it is right, nobody has seen. */
TEST(test_every_opcode)
{
  static bool used[OPCODES], called[OPCODES];
  uint32_t unknown = 0;
  note_modules(used, called);
  for (size_t i = 0; i < sizeof opcode_names / sizeof *opcode_names; i++)
    if (!used[opcode_names[i].op] && !is_refused(opcode_names[i].op, first_name(opcode_names[i].op), 5, 5)) {
      printf("%s is neither refused by its name nor in a module of these tests\n", opcode_names[i].name);
      unknown++;
    }
  for (size_t i = 0; i < sizeof glsl_names / sizeof *glsl_names; i++)
    if (!called[glsl_names[i].op] && !is_refused(12, glsl_names[i].name, 30, glsl_names[i].op)) {
      printf("%s is neither refused by its name nor in a module of these tests\n", glsl_names[i].name);
      unknown++;
    }
  assert_int_equal(unknown, 0);
}
