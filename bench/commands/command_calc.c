/* xbench calc: what the documents work out by hand, with numbers of one's own. */
#include "base/exit_codes.h"
#include "base/fold.h"
#include "base/word_list.h"
#include "calc/calc.h"
#include "commands/subcommands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 3, MOST_GPUS = 16, LARGEST = 1 << 20 };

/* The words of the command line. */
typedef struct calc_command {
  const struct topic *topic;
  const xb_calc_gpu *gpu; /* NULL: none was named */
  double clock_mhz, bits, rate;
  uint64_t numbers[MOST_NUMBERS]; /* without a unit, in the order of the topic's names */
  size_t count;
} calc_command;

typedef struct topic {
  const char *name, *usage;
  size_t numbers;
  uint64_t least[MOST_NUMBERS], defaults[MOST_NUMBERS];
  int (*run)(const calc_command *given);
} topic;

/* ---- The topics ------------------------------------------------------------------------------------------------- */

static int bandwidth(const calc_command *given)
{
  const xb_calc_gpu *gpu = given->gpu;
  const double clock = gpu ? gpu->clock_mhz : given->clock_mhz, bits = gpu ? gpu->bits : given->bits,
               rate = gpu           ? gpu->rate
                      : given->rate ? given->rate
                                    : 1,
               peak = xb_calc_bandwidth(clock, bits, rate);
  if (!(clock > 0) || !(bits > 0))
    return xb_report_error(XB_EXIT_USAGE,
                           "calc: bandwidth: name a clock and a width, such as 1107MHz 512bit ddr, or a GPU");
  if (gpu)
    printf("%s: %s\n", gpu->title, gpu->source);
  printf("%g MHz x %g bit / 8 x %g transfers a clock = %.4g GB/s (10^9), %.4g GiB/s (2^30)\n", clock, bits, rate, peak,
         peak / 1.073741824);
  if (!gpu || !gpu->hbm)
    printf("with ECC in GDDR memory: about 20 %% less, %.4g GB/s, and 6.25 %% less memory; HBM2 has separate bits "
           "for it\n",
           0.8 * peak);
  printf("source: Optimizing CUDA, slide 'Theoretical Bandwidth'; CUDA C++ Best Practices Guide, section 8.2.1\n"
         "measured: xbench copy; limits of this machine: xbench peaks\n");
  return XB_EXIT_OK;
}

static xb_calc_rules rules_of(const calc_command *given)
{
  return xb_calc_rules_of(given->gpu ? given->gpu->capability : 90);
}

static int banks(const calc_command *given)
{
  static const uint64_t usual[] = {0, 1, 2, 8, 16, 32, 33};
  const xb_calc_rules r = rules_of(given);
  printf("%" PRIu32 " threads at a time, %" PRIu32 " banks of 4 bytes\n", r.threads, r.banks);
  for (size_t i = 0; i < (given->count ? 1 : sizeof usual / sizeof *usual); i++) {
    const uint64_t stride = given->count ? given->numbers[0] : usual[i];
    const uint32_t ways = xb_calc_ways(&r, stride);
    printf("stride %2" PRIu64 ": %2" PRIu32 " way%s%s\n", stride, ways, ways == 1 ? "" : "s",
           !stride     ? ", a broadcast"
           : ways == 1 ? ", no conflict"
                       : "");
  }
  printf(
      "the bank with the most requests determines the time\n"
      "source: Optimizing CUDA, slides 'Bank Addressing Examples' and 'Shared memory bank conflicts'; CUDA C++ Best\n"
      "Practices Guide, section 9.2.3.1\nmeasured: xbench banks\n");
  return XB_EXIT_OK;
}

static int segments(const calc_command *given)
{
  const xb_calc_rules r = rules_of(given);
  const uint64_t stride = given->numbers[0], offset = given->numbers[1], bytes = given->numbers[2];
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
    return xb_report_error(XB_EXIT_USAGE, "calc: segments: a thread loads 1, 2, 4, 8 or 16 bytes, not %" PRIu64, bytes);
  const xb_calc_segments s = xb_calc_segments_of(&r, offset, stride, (uint32_t)bytes);
  printf("stride %" PRIu64 ", offset %" PRIu64 ", %" PRIu64 " bytes a thread: %" PRIu32 " %s for %" PRIu32
         " threads\n%" PRIu64 " bytes moved, %" PRIu64 " requested: %.3g %%\n",
         stride, offset, bytes, s.count, r.segment == 32 ? "segments of 32 bytes" : "transactions", r.threads, s.moved,
         s.asked, 100.0 * (double)(s.asked < s.moved ? s.asked : s.moved) / (double)s.moved);
  printf("source: %s\nmeasured: xbench offset stride coalescing\n",
         r.in_order        ? "Optimizing CUDA, slide 'Coalescing', compute capability 1.0 and 1.1"
         : r.threads == 16 ? "Optimizing CUDA, slide 'Coalescing', compute capability 1.2 and higher"
                           : "CUDA C++ Best Practices Guide, sections 9.2.1.1 to 9.2.1.4");
  return XB_EXIT_OK;
}

static int tile(const calc_command *given)
{
  const xb_calc_gpu *gpu = given->gpu ? given->gpu : &xb_calc_gpus[0];
  const uint64_t width = given->numbers[0], n = given->numbers[1];
  const xb_calc_tile t = xb_calc_tile_of(gpu, width, n);
  printf("tiles of %" PRIu64 " x %" PRIu64 ", matrices of %" PRIu64 " x %" PRIu64 ", float32, on a %s\n", width, width,
         n, n, gpu->title);
  printf("a block: %" PRIu64 " threads, %" PRIu64 " bytes of shared memory; %" PRIu64 " blocks\n", t.threads,
         t.shared_bytes, t.blocks);
  printf("a multiprocessor: %" PRIu32 " blocks (by threads %" PRIu32 ", by shared memory %" PRIu32 "), %" PRIu64
         " threads%s\n",
         t.resident, t.by_threads, t.by_shared, t.resident * t.threads,
         t.resident     ? ""
         : t.by_threads ? ": the tiles do not fit"
                        : ": a block has too many threads");
  printf("a pair of tiles: %" PRIu64 " loads, %" PRIu64 " operations; CGMA %g (1 without tiles)\n", t.loads,
         t.operations, t.cgma);
  printf("the memory's %.4g GB/s support %.4g / 4 x %g = %.4g GFLOP/s, of %.4g at the peak\n",
         xb_calc_bandwidth(gpu->clock_mhz, gpu->bits, gpu->rate),
         xb_calc_bandwidth(gpu->clock_mhz, gpu->bits, gpu->rate), t.cgma, t.bound_gflops, gpu->peak_gflops);
  printf("for the peak without tiles: 4 x %.4g = %.4g GB/s; with tiles: a CGMA of %.3g\n", gpu->peak_gflops,
         t.needed_gbps, t.balance);
  printf(
      "source: CS 677, slides 'How about performance on GPU?', 'First-order Size Considerations', 'Shared Memory and\n"
      "Threading'; National Tsing Hua University, slide 'Block(Tiled) Algorithm'; the GPU's: %s\n"
      "measured: xbench matmul\n",
      gpu->source);
  return XB_EXIT_OK;
}

static const topic topics[] = {
    {"bandwidth", "CLOCK WIDTH [ddr], or GPU", 0, {0}, {0}, bandwidth},
    {"banks", "[STRIDE] [GPU]", 1, {0}, {1}, banks},
    {"segments", "[STRIDE [OFFSET [BYTES]]] [GPU]", 3, {0, 0, 1}, {1, 0, 4}, segments},
    {"tile", "[WIDTH [MATRIX]] [GPU]", 2, {1, 1}, {16, 1024}, tile},
};
enum { TOPICS = sizeof topics / sizeof *topics };

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* "1107MHz", "512bit", "ddr", "16", "g80". */
static bool take_word(calc_command *given, const char *word)
{
  const char *names[MOST_GPUS];
  size_t count = 0, at;
  char *end;
  const double value = strtod(word, &end);
  const bool number = end != word && value >= 0 && value <= LARGEST;
  if (number && !strcmp(end, "MHz"))
    given->clock_mhz = value;
  else if (number && !strcmp(end, "GHz"))
    given->clock_mhz = 1000 * value;
  else if (number && !strcmp(end, "bit"))
    given->bits = value;
  else if (!strcmp(word, "ddr"))
    given->rate = 2;
  else if (number && !*end && value == (double)(uint64_t)value && given->count < given->topic->numbers &&
           value >= (double)given->topic->least[given->count])
    given->numbers[given->count++] = (uint64_t)value;
  else if (word[0] >= '0' && word[0] <= '9')
    return xb_usage_error("calc: %s: '%s': expected %s", given->topic->name, word, given->topic->usage);
  else {
    for (; xb_calc_gpus[count].name; count++)
      names[count] = xb_calc_gpus[count].name;
    if (!xb_parse_word("GPU", word, names, count, &at))
      return false;
    given->gpu = &xb_calc_gpus[at];
  }
  return true;
}

static int take(xb_invocation *in, const char *const *words)
{
  calc_command *given = in->own;
  const char *names[TOPICS];
  size_t at;
  *given = (calc_command){0};
  for (size_t i = 0; i < TOPICS; i++)
    names[i] = topics[i].name;
  if (!words[0])
    return xb_report_error(XB_EXIT_USAGE, "calc: name what to compute: bandwidth, banks, segments or tile");
  if (!xb_parse_word("calculation", words[0], names, TOPICS, &at))
    return XB_EXIT_USAGE;
  given->topic = &topics[at];
  memcpy(given->numbers, given->topic->defaults, sizeof given->numbers);
  while (*++words)
    if (!take_word(given, *words))
      return XB_EXIT_USAGE;
  return -1;
}

static int run(xb_invocation *in)
{
  const calc_command *given = in->own;
  xb_fold_stdout();
  return given->topic->run(given);
}

static const xb_option none[] = {{0}};
const xb_subcommand xb_command_calc = {.name = "calc",
                                       .usage = "bandwidth|banks|segments|tile [NUMBER|GPU]...",
                                       .where = "calc: ",
                                       .options = none,
                                       .own_bytes = sizeof(calc_command),
                                       .take = take,
                                       .run = run};
