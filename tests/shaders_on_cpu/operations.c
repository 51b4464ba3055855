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

/* The inputs of operations.spvasm: 7, -7, 3, 5.5, -2.25, NaN, 0. */
static uint32_t inputs[] = {7, 0xfffffff9, 3, 0x40b00000, 0xc0100000, 0x7fc00000, 0};
static const operation operations[] = {
    {"OpFOrdNotEqual of 5.5 and -2.25", 0x1},
    {"OpFOrdNotEqual of 5.5 and NaN", 0x0},
    {"OpFOrdNotEqual of 5.5 and 5.5", 0x0},
    {"OpFOrdGreaterThanEqual of 5.5 and -2.25", 0x1},
    {"OpFOrdGreaterThanEqual of 5.5 and NaN", 0x0},
    {"OpFOrdGreaterThanEqual of 5.5 and 5.5", 0x1},
    {"OpFUnordEqual of 5.5 and -2.25", 0x0},
    {"OpFUnordEqual of 5.5 and NaN", 0x1},
    {"OpFUnordEqual of 5.5 and 5.5", 0x1},
    {"OpFUnordNotEqual of 5.5 and -2.25", 0x1},
    {"OpFUnordNotEqual of 5.5 and NaN", 0x1},
    {"OpFUnordNotEqual of 5.5 and 5.5", 0x0},
    {"OpFUnordLessThan of 5.5 and -2.25", 0x0},
    {"OpFUnordLessThan of 5.5 and NaN", 0x1},
    {"OpFUnordLessThan of 5.5 and 5.5", 0x0},
    {"OpFUnordLessThanEqual of 5.5 and -2.25", 0x0},
    {"OpFUnordLessThanEqual of 5.5 and NaN", 0x1},
    {"OpFUnordLessThanEqual of 5.5 and 5.5", 0x1},
    {"OpFUnordGreaterThan of 5.5 and -2.25", 0x1},
    {"OpFUnordGreaterThan of 5.5 and NaN", 0x1},
    {"OpFUnordGreaterThan of 5.5 and 5.5", 0x0},
    {"OpFUnordGreaterThanEqual of 5.5 and -2.25", 0x1},
    {"OpFUnordGreaterThanEqual of 5.5 and NaN", 0x1},
    {"OpFUnordGreaterThanEqual of 5.5 and 5.5", 0x1},
    {"OpLogicalAnd of 0 and 0", 0x0},
    {"OpLogicalAnd of 0 and 1", 0x0},
    {"OpLogicalAnd of 1 and 0", 0x0},
    {"OpLogicalAnd of 1 and 1", 0x1},
    {"OpLogicalOr of 0 and 0", 0x0},
    {"OpLogicalOr of 0 and 1", 0x1},
    {"OpLogicalOr of 1 and 0", 0x1},
    {"OpLogicalOr of 1 and 1", 0x1},
    {"OpLogicalEqual of 0 and 0", 0x1},
    {"OpLogicalEqual of 0 and 1", 0x0},
    {"OpLogicalEqual of 1 and 0", 0x0},
    {"OpLogicalEqual of 1 and 1", 0x1},
    {"OpLogicalNotEqual of 0 and 0", 0x0},
    {"OpLogicalNotEqual of 0 and 1", 0x1},
    {"OpLogicalNotEqual of 1 and 0", 0x1},
    {"OpLogicalNotEqual of 1 and 1", 0x0},
    {"OpLogicalNot", 0x0},
    {"OpConstantFalse", 0x0},
    {"OpConstantNull", 0x0},
    {"OpSpecConstantTrue", 0x1},
    {"OpSRem of -7 and 3", 0xffffffff},
    {"OpFRem of -2.25 and 1.5", 0xbf400000},
    {"OpQuantizeToF16 of 1/3", 0x3eaaa000},
    {"OpVectorTimesScalar", 0xc1460000},
    {"OpVectorExtractDynamic", 0xc0100000},
    {"OpVectorInsertDynamic", 0x40b00000},
    {"OpCompositeInsert", 0xc0100000},
    {"OpCopyObject", 0x7},
    {"OpPtrAccessChain", 0x3},
    {"OpUndef, not used", 0x7},
    {"OpCopyMemory", 0x7},
    {"OpPhi", 0x7},
    {"OpAtomicIIncrement", 0x8},
    {"before it", 0x7},
    {"OpAtomicIDecrement", 0x6},
    {"before it", 0x7},
    {"OpAtomicISub", 0x4},
    {"before it", 0x7},
    {"OpAtomicSMin", 0xfffffff9},
    {"before it", 0x7},
    {"OpAtomicSMax", 0x7},
    {"before it", 0xfffffff9},
    {"OpAtomicLoad", 0x7},
    {"what it loads", 0x7},
    {"OpAtomicStore", 0x3},
    {"OpGroupNonUniformFMax of one lane", 0x40b00000},
    {"OpGroupNonUniformFMul of one lane", 0x40b00000},
    {"OpGroupNonUniformLogicalAnd of one lane", 0x1},
    {"OpGroupNonUniformLogicalOr of one lane", 0x0},
    {"OpGroupNonUniformLogicalXor of one lane", 0x1},
    {"OpGroupIAdd of one lane", 0x7},
    {"OpGroupIAddNonUniformAMD of one lane", 0x7},
    {"OpGroupFAdd of one lane", 0x40b00000},
    {"OpGroupFAddNonUniformAMD of one lane", 0x40b00000},
    {"OpGroupFMin of one lane", 0x40b00000},
    {"OpGroupFMinNonUniformAMD of one lane", 0x40b00000},
    {"OpGroupUMin of one lane", 0x7},
    {"OpGroupUMinNonUniformAMD of one lane", 0x7},
    {"OpGroupSMin of one lane", 0xfffffff9},
    {"OpGroupSMinNonUniformAMD of one lane", 0xfffffff9},
    {"OpGroupFMax of one lane", 0x40b00000},
    {"OpGroupFMaxNonUniformAMD of one lane", 0x40b00000},
    {"OpGroupUMax of one lane", 0x7},
    {"OpGroupUMaxNonUniformAMD of one lane", 0x7},
    {"OpGroupSMax of one lane", 0xfffffff9},
    {"OpGroupSMaxNonUniformAMD of one lane", 0xfffffff9},
    {"OpUCountLeadingZerosINTEL of 7", 0x1d},
    {"OpUCountLeadingZerosINTEL of 0", 0x20},
    {"OpUCountTrailingZerosINTEL of 0", 0x20},
    {"OpUCountTrailingZerosINTEL of 0x40000000", 0x1e},
    {"OpAbsISubINTEL of 7 and -7", 0xe},
    {"OpAbsUSubINTEL of 7 and -7", 0xfffffff2},
    {"OpIAddSatINTEL of 0x7fffffff and 7", 0x7fffffff},
    {"OpUAddSatINTEL of 7 and 0xfffffff9", 0xffffffff},
    {"OpISubSatINTEL of 0x80000000 and 7", 0x80000000},
    {"OpUSubSatINTEL of 3 and 7", 0x0},
    {"OpIAverageINTEL of -7 and 0", 0xfffffffc},
    {"OpUAverageINTEL of 7 and 0", 0x3},
    {"OpIAverageRoundedINTEL of -7 and 0", 0xfffffffd},
    {"OpUAverageRoundedINTEL of 7 and 0", 0x4},
    {"OpIMul32x16INTEL of 7 and -7", 0xffffffcf},
    {"OpUMul32x16INTEL of 7 and 0xfff9", 0x6ffcf},
    {"NMin of 5.5 and NaN", 0x40b00000},
    {"NMax of NaN and 5.5", 0x40b00000},
    {"NClamp of NaN", 0xc0100000},
    {"ModfStruct of -2.25", 0xbe800000},
    {"its whole part", 0xc0000000},
    {"Frexp of 5.5", 0x3f300000},
    {"its exponent", 0x3},
    {"MatrixInverse", 0x3fc00000},
    {"OpLessOrGreater of 5.5 and -2.25", 0x1},
    {"OpLessOrGreater of 5.5 and NaN", 0x0},
    {"OpOrdered of 5.5 and -2.25", 0x1},
    {"OpOrdered of 5.5 and NaN", 0x0},
    {"OpUnordered of 5.5 and -2.25", 0x0},
    {"OpUnordered of 5.5 and NaN", 0x1},
    {"OpIsFinite of 5.5", 0x1},
    {"OpIsFinite of NaN", 0x0},
    {"OpSignBitSet of -2.25", 0x1},
    {"OpSatConvertSToU of -7", 0x0},
    {"OpPtrEqual", 0x0},
    {"OpPtrNotEqual", 0x1},
    {"OpPtrDiff", 0x2},
    {"OpSubgroupBallotKHR of one lane", 0x1},
    {"OpSubgroupFirstInvocationKHR", 0x7},
    {"OpSubgroupReadInvocationKHR", 0xfffffff9},
    {"OpSubgroupAllKHR of yes", 0x1},
    {"OpSubgroupAllKHR of no", 0x0},
    {"OpSubgroupAnyKHR of no", 0x0},
    {"OpSubgroupAllEqualKHR of no", 0x1},
    {"OpUDotAccSat", 0xffffffff},
    {"OpSUDotAccSat", 0xfffffff2},
    {"OpExpectKHR", 0x7},
    {"OpReadClockKHR", 0x1},
    {"OpAtomicFMinEXT gives what was there", 0x40b00000},
    {"OpAtomicFMinEXT", 0xc0100000},
    {"OpAtomicFMaxEXT gives what was there", 0x40b00000},
    {"OpAtomicFMaxEXT", 0x40b00000},
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

/* A module whose function is this instruction. No group has 63 threads: what is translated is refused before it is
 * compiled. */
static bool is_refused(uint32_t op, const char *name, uint32_t set, uint32_t number)
{
  const uint32_t words[] = {
      0x07230203,
      0x00010300,
      0,
      100,
      0,
      2 << 16 | 17,
      1,
      6 << 16 | 11,
      30,
      0x4c534c47,
      0x6474732e,
      0x3035342e,
      0,
      3 << 16 | 14,
      0,
      1,
      5 << 16 | 15,
      5,
      1,
      0x6e69616d,
      0,
      6 << 16 | 16,
      1,
      17,
      1,
      1,
      1,
      2 << 16 | 19,
      2,
      3 << 16 | 33,
      3,
      2,
      4 << 16 | 21,
      4,
      32,
      0,
      4 << 16 | 43,
      4,
      5,
      1,
      5 << 16 | 54,
      2,
      1,
      0,
      3,
      2 << 16 | 248,
      6,
      9 << 16 | op,
      strncmp(name, "OpType", 6) ? 4 : 21,
      20,
      set,
      number,
      5,
      5,
      5,
      5,
      1 << 16 | 253,
      1 << 16 | 56,
  };
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
