/* Operations of a wave. Those that lanes meet at become a function that runs once for all lanes that are there
 * (words/waves.h); a lane gives it a struct of a value and a word, and finds its result there. */
#include "shader/shader.h"

#include <string.h>

enum {
  OP_SUBGROUP_BALLOT = 4421,
  OP_SUBGROUP_FIRST = 4422,
  OP_SUBGROUP_ALL = 4428,
  OP_SUBGROUP_ANY,
  OP_SUBGROUP_ALL_EQUAL,
  OP_ROTATE,
  OP_SUBGROUP_READ,
  OP_QUAD_ALL = 5110,
  OP_QUAD_ANY,
  OP_PARTITION = 5296,
  PARTITIONED_REDUCE = 6,
};

bool wave_meets(uint32_t op)
{
  switch (op) {
  case SpvOpGroupNonUniformInverseBallot:
  case SpvOpGroupNonUniformBallotBitExtract:
  case SpvOpGroupNonUniformBallotBitCount:
  case SpvOpGroupNonUniformBallotFindLSB:
  case SpvOpGroupNonUniformBallotFindMSB: return false;
  case OP_SUBGROUP_BALLOT:
  case OP_SUBGROUP_FIRST:
  case OP_SUBGROUP_ALL:
  case OP_SUBGROUP_ANY:
  case OP_SUBGROUP_ALL_EQUAL:
  case OP_ROTATE:
  case OP_SUBGROUP_READ:
  case OP_QUAD_ALL:
  case OP_QUAD_ANY:
  case OP_MATRIX_MULADD:
  case OP_PARTITION: return true;
  default:
    return (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) ||
           (op >= SpvOpGroupIAdd && op <= SpvOpGroupSMax) ||
           (op >= SpvOpGroupIAddNonUniformAMD && op <= SpvOpGroupSMaxNonUniformAMD);
  }
}

/* SPV_AMD_shader_ballot and older ones: the same operations with the same operands. */
static uint32_t newer(uint32_t op)
{
  static const uint32_t names[] = {SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformFAdd, SpvOpGroupNonUniformFMin,
                                   SpvOpGroupNonUniformUMin, SpvOpGroupNonUniformSMin, SpvOpGroupNonUniformFMax,
                                   SpvOpGroupNonUniformUMax, SpvOpGroupNonUniformSMax};
  const uint32_t i = op >= SpvOpGroupIAddNonUniformAMD ? op - SpvOpGroupIAddNonUniformAMD : op - SpvOpGroupIAdd;
  return i < sizeof names / sizeof *names ? names[i] : op;
}

/* Without others: what a ballot says. */
static bool read_ballot(shader *s, const uint32_t *at)
{
  const uint32_t id = word(at, 2), value = word(at, 4);
  switch (xb_spirv_op(at)) {
  case SpvOpGroupNonUniformInverseBallot: say(s, "v%u = XB_BIT(v%u, xb_lane());\n", id, value); return true;
  case SpvOpGroupNonUniformBallotBitExtract: say(s, "v%u = XB_BIT(v%u, v%u);\n", id, value, word(at, 5)); return true;
  case SpvOpGroupNonUniformBallotBitCount: {
    static const char *const ends[] = {"xb_block()->wave", "xb_lane() + 1", "xb_lane()"};
    say(s, "v%u = xb_count_bits(&v%u, %s);\n", id, word(at, 5), ends[value < 3 ? value : 0]);
    return true;
  }
  case SpvOpGroupNonUniformBallotFindLSB:
  case SpvOpGroupNonUniformBallotFindMSB:
    say(s, "v%u = xb_find_bit(&v%u, %d);\n", id, value, xb_spirv_op(at) == SpvOpGroupNonUniformBallotFindMSB);
    return true;
  default: return false;
  }
}

/* ---- Reductions and scans --------------------------------------------------------------------------------------- */

static const struct {
  uint32_t op;
  const char *initial, *combine; /* of A, so far, and B; %u: bits */
} reductions[] = {
    {SpvOpGroupNonUniformIAdd, "0", "A + B"},
    {SpvOpGroupNonUniformFAdd, "-0.0", "A + B"},
    {SpvOpGroupNonUniformIMul, "1", "1u * A * B"},
    {SpvOpGroupNonUniformFMul, "1", "A * B"},
    {SpvOpGroupNonUniformSMin, "~0ull >> (65 - %1$u)", "(int%1$u_t)B < (int%1$u_t)A ? B : A"},
    {SpvOpGroupNonUniformUMin, "~0ull", "B < A ? B : A"},
    {SpvOpGroupNonUniformFMin, "INFINITY", "B < A ? B : A"},
    {SpvOpGroupNonUniformSMax, "1ull << (%1$u - 1)", "(int%1$u_t)B > (int%1$u_t)A ? B : A"},
    {SpvOpGroupNonUniformUMax, "0", "B > A ? B : A"},
    {SpvOpGroupNonUniformFMax, "-INFINITY", "B > A ? B : A"},
    {SpvOpGroupNonUniformBitwiseAnd, "~0ull", "A & B"},
    {SpvOpGroupNonUniformBitwiseOr, "0", "A | B"},
    {SpvOpGroupNonUniformBitwiseXor, "0", "A ^ B"},
    {SpvOpGroupNonUniformLogicalAnd, "1", "A && B"},
    {SpvOpGroupNonUniformLogicalOr, "0", "A || B"},
    {SpvOpGroupNonUniformLogicalXor, "0", "!A != !B"},
};

static bool say_reduction(shader *s, const uint32_t *at)
{
  static const char *const kinds[] = {"XB_REDUCE", "XB_INCLUSIVE", "XB_EXCLUSIVE"};
  const uint32_t scalar = scalar_of(s, word(at, 1)), kind = word(at, 4), count = elements(s, word(at, 1));
  const bool clustered = kind == SpvGroupOperationClusteredReduce, partitioned = kind >= PARTITIONED_REDUCE;
  if (newer(xb_spirv_op(at)) != xb_spirv_op(at) && constant(s, word(at, 3)) != SpvScopeSubgroup)
    shader_refuse(s, XB_UNSUPPORTED, "%s of a group is not translated", opcode_name(xb_spirv_op(at)));
  if ((kind >= 3 && !clustered && !partitioned) || kind > PARTITIONED_REDUCE + 2)
    return false;
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
    if (reductions[i].op != newer(xb_spirv_op(at)))
      continue;
    say_work(s, "%s(struct w, t%u, %u, %s, %u, ", partitioned ? "XB_COMBINE_PARTS" : "XB_COMBINE", scalar, count,
             kinds[clustered     ? 0
                   : partitioned ? kind - PARTITIONED_REDUCE
                                 : kind],
             clustered ? constant(s, word(at, 6)) : 0);
    say_work(s, reductions[i].initial, width_of(s, scalar));
    say_work(s, ", ");
    say_work(s, reductions[i].combine, width_of(s, scalar));
    say_work(s, ")");
    return true;
  }
  return false;
}

/* ---- What lanes meet for ----------------------------------------------------------------------------------------- */

/* What a lane gives: operand words of a value and of a number, 0: none; `work`: what is done; `word`: the result is the
 * number. */
typedef struct meeting {
  uint32_t op;
  uint8_t value, number;
  bool word;
  const char *work;
} meeting;

static const meeting meetings[] = {
    {SpvOpGroupNonUniformElect, 0, 0, true, "XB_ELECT(struct w)"},
    {SpvOpGroupNonUniformAll, 0, 4, true, "XB_VOTE(struct w, 1, A && K)"},
    {SpvOpGroupNonUniformAny, 0, 4, true, "XB_VOTE(struct w, 0, A || K)"},
    {SpvOpGroupNonUniformAllEqual, 4, 0, true, "XB_ALL_EQUAL(struct w)"},
    {SpvOpGroupNonUniformBroadcast, 4, 5, false, "XB_MOVE(struct w, V, K)"},
    {SpvOpGroupNonUniformBroadcastFirst, 4, 0, false, "const uint32_t F = xb_first(w); XB_MOVE(struct w, V, F)"},
    {SpvOpGroupNonUniformBallot, 0, 4, false, "XB_BALLOT(struct w)"},
    {SpvOpGroupNonUniformShuffle, 4, 5, false, "XB_MOVE(struct w, V, K)"},
    {SpvOpGroupNonUniformShuffleXor, 4, 5, false, "XB_MOVE(struct w, V, L ^ K)"},
    {SpvOpGroupNonUniformShuffleUp, 4, 5, false, "XB_MOVE(struct w, V, L - K)"},
    {SpvOpGroupNonUniformShuffleDown, 4, 5, false, "XB_MOVE(struct w, V, L + K)"},
    {SpvOpGroupNonUniformQuadBroadcast, 4, 5, false, "XB_MOVE(struct w, V, (L & ~3u) | (K & 3))"},
    {SpvOpGroupNonUniformQuadSwap, 4, 5, false, "XB_MOVE(struct w, V, L ^ (K + 1))"},
    {OP_ROTATE, 4, 5, false, "XB_ROTATE(struct w, V, %u)"},
    {OP_PARTITION, 3, 0, false, "XB_PARTITION(struct w)"},
    {OP_QUAD_ALL, 0, 3, true, "XB_QUAD_VOTE(struct w, 1, A && K)"},
    {OP_QUAD_ANY, 0, 3, true, "XB_QUAD_VOTE(struct w, 0, A || K)"},
    {OP_SUBGROUP_BALLOT, 0, 3, false, "XB_BALLOT(struct w)"},
    {OP_SUBGROUP_FIRST, 3, 0, false, "const uint32_t F = xb_first(w); XB_MOVE(struct w, V, F)"},
    {OP_SUBGROUP_ALL, 0, 3, true, "XB_VOTE(struct w, 1, A && K)"},
    {OP_SUBGROUP_ANY, 0, 3, true, "XB_VOTE(struct w, 0, A || K)"},
    {OP_SUBGROUP_ALL_EQUAL, 3, 0, true, "XB_ALL_EQUAL(struct w)"},
    {OP_SUBGROUP_READ, 3, 4, false, "XB_MOVE(struct w, V, K)"},
};

static const meeting *meeting_of(uint32_t op)
{
  static const meeting reduction = {0, 5, 0, false, NULL};
  for (size_t i = 0; i < sizeof meetings / sizeof *meetings; i++)
    if (meetings[i].op == op)
      return &meetings[i];
  return &reduction;
}

/* A partition gives the lanes of its parts as a ballot beside the value; a value that takes its place is as large. */
bool waves(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at), id = word(at, 2);
  if (read_ballot(s, at))
    return true;
  if (!wave_meets(op))
    return false;
  const meeting *m = meeting_of(op);
  const uint32_t value = m->value ? word(at, m->value) : 0, given = value ? type_of(s, value) : word(at, 1);
  const bool partitioned = !m->work && word(at, 4) >= PARTITIONED_REDUCE, ballot = partitioned || op == OP_PARTITION;
  say_work(
      s, "static void work%u(const xb_cpu_wave *w) { typedef t%u V; struct w { V v; uint32_t k; uint32_t part[4]; }; ",
      id, given);
  if (m->work)
    say_work(s, m->work, op == OP_ROTATE && xb_spirv_length(at) > 6 ? constant(s, word(at, 6)) : 0);
  else if (!say_reduction(s, at))
    return false;
  say_work(s, " }\n");
  char file[256];
  say(s, "{ struct { t%u v; uint32_t k; uint32_t part[4]; } own_; ", given);
  if (value)
    say(s, "own_.v = v%u; ", value);
  if (m->number && m->number < xb_spirv_length(at))
    say(s, "own_.k = v%u; ", word(at, m->number));
  if (partitioned)
    say(s, "__builtin_memcpy(own_.part, &v%u, 16); ", word(at, 6));
  const uint32_t words = say_row(s);
  say(s, "runtime->wave(work%u, &own_, row, base + %u, \"%s\", %u); ", id, words, quoted(s->file, file), s->line);
  if (ballot && !partitioned)
    say(s, "__builtin_memcpy(&v%u, own_.part, 16); }\n", id);
  else
    say(s, "v%u = own_.%s; }\n", id, m->word ? "k" : "v");
  return true;
}
