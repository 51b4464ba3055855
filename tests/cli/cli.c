/* cli -- XBENCH NO_LOADER_FOLDER: runs each kind of command line, valid and invalid, and compares its output with
 * patterns (POSIX extended regular expressions). Each error message has one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limits.h>
#include <regex.h>
#include <unistd.h>

#include "cli.h"

const char *xbench, *no_loader;
char folder[32];
process_result result;

typedef struct cli_case {
  const char *arguments, *environment;
  int exit_code;
  const char *out, *err; /* patterns; NULL: expects no output */
} cli_case;

void assert_pattern(const char *what, const char *text, const char *pattern)
{
  regex_t regex;
  if (!pattern) {
    if (*text)
      fail_msg("%s: expected nothing, got: %s", what, text);
    return;
  }
  if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
    fail_msg("bad pattern %s", pattern);
  const int found = !regexec(&regex, text, 0, NULL, 0);
  regfree(&regex);
  if (!found)
    fail_msg("%s: expected /%s/, got: %s", what, pattern, text);
}

static void run_case(void **state)
{
  const cli_case *c = *state;
  process_run(xbench, c->arguments, c->environment, NULL, &result);
  if (result.exit_code != c->exit_code)
    fail_msg("exit code %d, expected %d; stderr: %s", result.exit_code, c->exit_code, result.err);
  assert_pattern("stdout", result.out, c->out);
  assert_pattern("stderr", result.err, c->err);
  if (c->exit_code) {
    const char *newline = strchr(result.err, '\n');
    if (!newline || newline[1])
      fail_msg("an error message has one line, got: %s", result.err);
  }
}

static const cli_case good[] = {
    {"--help", NULL, 0,
     "^xbench: run .*Usage: xbench .*\n  pair  .*\n  diff  .*--backend --device --size --dtype .*--json --csv "
     ".*--cache",
     NULL},
    {"help measuring", NULL, 0, "\n  -b, --backend=.*\n      --at AXIS=VALUES .*\n      --json=FILE ", NULL},
    {"tune --help --wide", NULL, 0, "\n      --strategy=.*\n  -b, --backend=.*\n      --json=FILE ", NULL},
    {"--version", NULL, 0, "^xbench [0-9]+\\.[0-9]+\\.[0-9]+\n$", NULL},
    {"version", NULL, 0, "^xbench [0-9.]+\n$", NULL},
    {"-v", NULL, 0, "^xbench [0-9.]+\n$", NULL},
    {"help", NULL, 0, "^xbench: run [^\n]*\n\nUsage: xbench \\[OPTION", NULL},
    {"-h", NULL, 0, "^xbench: run [^\n]*\n\nUsage: xbench \\[OPTION", NULL},
    {"help diff", NULL, 0, "^xbench diff: find [^\n]*\n\nUsage: xbench diff .*\n\nExamples:\n  xbench diff ", NULL},
    {"compare --help", NULL, 0,
     "^xbench compare: .*Usage: xbench compare .*--against=.*--margin=.*help measuring\\):\n  --backend --device ",
     NULL},
    {"list -h", NULL, 0, "^xbench list: .*Usage: xbench list ", NULL},
    {"list", NULL, 0,
     "^devices:\n  0  .*uuid [0-9a-f-]{36}.*vulkan 1\\..*subgroups of.*\n  reduce +12  sum of n elements \\(float32, "
     "int32\\)\n  transpose +[0-9]+  [^\n]*\n  copy ",
     NULL},
    {"list devices", NULL, 0, "^devices:\n  0  [^\n]*\n     uuid ", NULL},
    {"list benchmarks", NULL, 0, "^reduce: sum of n elements .*reduce/1 .*interleaved_divergent.*\ntranspose: ", NULL},
    {"list reduce", NULL, 0, "^reduce: sum of n elements [^\n]*\n(  reduce/[^\n]*\n){12}$", NULL},
    {"list offset", NULL, 0, "^offset: [^\n]*\n  offset/1 [^\n]*\n  --at offset=[^\n]*\n$", NULL},
    {"glossary", NULL, 0, "^benchmark: a task .*\noverhead: the time of an empty kernel .*\nplaced once: all samples ",
     NULL},
    {"glossary Overhead", NULL, 0,
     "^overhead: the time of an empty kernel [^\n]*\nless overhead: [^\n]*\noverhead 30 %: an empty kernel takes "
     "[^\n]*\n$",
     NULL},
    {"glossary emulated", NULL, 0, "^emulated: the CPU ran [^\n]*\n$", NULL},
    {"glossary spills", NULL, 0, "^registers, spills: registers of a thread, [^\n]*\n$", NULL},
    {"calc bandwidth 1107MHz 512bit ddr", NULL, 0,
     "= 141\\.7 GB/s .*, 132 GiB/s .*113\\.4 GB/s.*slide 'Theoretical Band", NULL},
    {"calc bandwidth v100", NULL, 0, "898 GB/s .*836\\.4 GiB/s", NULL},
    {"calc banks", NULL, 0,
     "stride  0:  1 way.*stride  2:  2 ways\n.*stride  8:  8 ways\nstride 16: 16.*stride 32: 32 "
     "ways\nstride 33:  1 way, no conflict\n",
     NULL},
    {"calc banks 16 g80", NULL, 0, "^16 threads at a time, 16 banks .*stride 16: 16 ways\n", NULL},
    {"calc segments", NULL, 0, " 4 segments of 32 bytes for 32 threads\n128 bytes moved, 128 requested: 100 %", NULL},
    {"calc segments 1 1", NULL, 0, " 5 segments .*\n160 bytes moved, 128 requested: 80 %", NULL},
    {"calc segments 2", NULL, 0, " 8 segments .*: 50 %", NULL},
    {"calc segments 32", NULL, 0, " 32 segments .*: 12.5 %", NULL},
    {"calc segments 1 1 g80", NULL, 0, " 16 transactions for 16 threads\n", NULL},
    {"calc segments 1 1 gt200", NULL, 0, " 1 transactions for 16 threads\n128 bytes moved, 64 requested: 50 %", NULL},
    {"calc tile 16 1024 g80", NULL, 0,
     "256 threads, 2048 bytes of shared memory; 4096 blocks\n.* 3 blocks .by threads 3, by "
     "shared memory 8.*512 loads, 8192 operations; CGMA 16 .*345\\.6 GFLOP.*1386 GB/s",
     NULL},
    {"calc tile 32 1024 g80", NULL, 0, " 0 blocks .*a block has too many threads\n", NULL},
    {"glossary coalescing", NULL, 0, "^coalescing: the accesses of a warp [^\n]*\n", NULL},
    {"glossary memory", NULL, 0, "memory: shared memory: on the chip, the threads of a block, as long as the block",
     NULL},
    {"glossary less overhead", NULL, 0, "^less overhead: the ratio [^\n]*\n$", NULL},
    {"guide --help", NULL, 0,
     "^xbench guide: .*Usage: xbench guide .*--backend.*--device.*--json.*--cost.*--scan.*--run.*--list", NULL},
    {"guide", NULL, 0, "^The porting guide .*guide --scan softmax\\.cu .*guide --run .* run the guide's [0-9]+ cases",
     NULL},
    {"guide --run --backend vulkan logical", NULL, 0, "^logical: .*\n1 case on vulkan .* assertions hold, 0 fail",
     NULL},
    {"guide --list", NULL, 0, "^groups  .*\nwave  .*\nlogical  ", NULL},
    {"guide --cost float_add", NULL, 0,
     "vulkan  seen   cost of a loop around compare-exchange: [0-9.]+ us a dispatch .*cost of fixed point: ", NULL},
    {"guide --backend vulkan wave atomics", NULL, 0,
     "^wave: .*\n  vulkan  holds .*\natomics: .*\n2 cases on vulkan .* assertions hold, 0 fail", NULL},
    {"guide __shfl_sync", NULL, 0,
     "^shuffle: weaker \\(Waves; docs/guide/05_waves.md#shuffle\\)\n  CUDA .*\n  HLSL .*WaveReadLaneAt.*\nbroadcast: "
     ".*\ntrap-wave-operation: a trap .*4 rows",
     NULL},
    {"guide cooperative groups", NULL, 0, "^cooperative-groups: emulate .*\ngrid-sync: none ", NULL},
    {"guide __shlf_sync", NULL, 0, "^No row has '__shlf_sync'. Rows of '__shfl_sync':\n\nshuffle: weaker", NULL},
    {"guide warp shuffle", NULL, 0, "^shuffle: weaker", NULL},
    {"-n 1000 reduce/9", NULL, 0,
     "reduce: sum of n elements; hot cache; float32, n = 1000(; [0-9]+ samples each)?\n.*GB/s.*9_single_pass +one "
     "dispatch.* 256 .* "
     "% "
     ".*copy/1_api .* % "
     ".*copy/2_float4 ",
     NULL},
    {SHORT "--backend vulkan -n 1000 --dtype int32 reduce/single_pass", NULL, 0,
     "int32, n = 1000(; [0-9]+ samples each)?\n.*9_single_pass +one dispatch", NULL},
    {SHORT "--backend all -n 2^10..2^12 --dtype float32,int32 reduce/7", NULL, 0,
     "n dtype.* 1024 float32 .* 2048 float32 .* 4096 float32 .* 1024 int32 .* 4096 int32 ", NULL},
    {SHORT "-n 1e3 reduce/1", NULL, 0, "n = 1000(; [0-9]+ samples each)?\n", NULL},
    {SHORT "-n 1Ki,3000 copy", NULL, 0,
     " 1024 float32 +1_api +the API.* 1024 float32 +2_float4 +16 bytes.* 3000 float32 ", NULL},
    {SHORT "-n 1000 reduce/2 reduce/1", NULL, 0,
     "1_interleaved_divergent +interleaved addressing with divergent.*2_interleaved.*x", NULL},
    {SHORT "-n 5000 --block 64 reduce/3 copy/2", NULL, 0,
     "3_sequential +sequential addressing +64 .*2_float4 +16 bytes a thread +256 ", NULL},
    {SHORT "-n 5000 --block 64 reduce/3", NULL, 0, "3_sequential +sequential addressing +64 ", NULL},
    {SHORT "--backend vulkan -n 5000 --dtype int32 reduce/11 reduce/12", NULL, 1,
     "11_deck_last_warp .*WRONG: the sum is .*; on purpose: the last warp .*12_deck_final .*WRONG.*2 WRONG",
     "reduce/11"},
    {SHORT "-n 1000 --device 0 reduce/1", NULL, 0, "reduce: ", NULL},
    {SHORT "-n 1000 --device llvmpipe reduce/1", NULL, 0, "llvmpipe", NULL},
    {SHORT "-n 64Ki --cache cold --flush-bytes 1Mi reduce/7", NULL, 0, "cold cache", NULL},
    {SHORT "launch", NULL, 0,
     "1_barriers +empty kernel, with barriers.*2_overlap +device time.*3_submit +host time.*4_first +host "
     "time.*5_create "
     "+host time, kernel",
     NULL},
    {SHORT "-n 1000 --backend vulkan copy", NULL, 0,
     "3_to_device +pinned host to device.* % .*8_both_ways_copy_queue +both ways at once, copy queue", NULL},
    {SHORT "-n 1000 reduce/8", "XB_VALIDATION=1", 0, "8_wave +wave intrinsics", NULL},
    {SHORT "-n 1000 reduce/9", NULL, 0, "launch/1_barriers +empty kernel, with barriers \\(overhead\\)", NULL},
    {SHORT "-n 1000 --placements 4 --width 20% reduce/9", "XB_VALIDATION=1", 0, "9_single_pass +one dispatch", NULL},
    {"compare " SHORT "-n 2^16 --margin 50% reduce/9 --against reduce/9", NULL, 0,
     "margin 50 %.*this / base.*9_single_pass vulkan / itself .*\\[.*\\]  (same|unclear).*facts.*wave.*\n\n[0-9]+ "
     "cells",
     NULL},
    {"compare " SHORT "-n 2^12,2^14 reduce/2 reduce/3 --against reduce/1", NULL, 0,
     " 4096 float32 2_interleaved_conflicts vulkan / 1_interleaved_divergent vulkan .* 16384 float32 3_sequential "
     "vulkan / .*geometric mean of 4 of 4 ratios",
     NULL},
    {"compare " SHORT "-n 2^12 --dtype int32 reduce --against reduce/1", NULL, 0,
     "2_interleaved_conflicts vulkan / 1_.*9_single_pass vulkan / 1_", NULL},
    {SHORT "-n 40x50 transpose/8", NULL, 0,
     "transpose: .*; float32, 40x50(; [0-9]+ samples each)?\n.*8_vectors +16-byte vectors.* 256 .*copy/1_api .* % ",
     NULL},
    {SHORT "-n 32..64,8x1000 transpose/5", NULL, 0,
     " 32x32 float32 .* 64x64 float32 +5_padded .* 8x1000 float32 +5_padded ", NULL},
    {SHORT "-n 64 reduce/1 transpose/1", NULL, 0,
     "reduce: .*, n = 64(; [0-9]+ samples each)?\n.*transpose: .*, 64x64(; [0-9]+ samples each)?\n", NULL},
    {SHORT "--backend vulkan -n 1000 --at exclusive=1 scan/3", NULL, 0, "\nvariant +exclusive +group .* 1 +256 ", NULL},
    {"show --help", NULL, 0, "Usage: xbench show .*--backend.*--columns.*--diff.*--headers.*--host.*--html", NULL},
    {"show reduce/many_elements", NULL, 0, "^reduce/7_many_elements: .*kernels/reduce/7_.*\\.cu +shaders/reduce/7_",
     NULL},
    {"peaks --long " SHORT "--backend vulkan -n 2^16", NULL, 0,
     "\ncopy: .*65536.*\ntensor: .* 256x256x256.*\npeak +vulkan\n", NULL},
    {SHORT "-n 65x63 transpose", "XB_VALIDATION=1", 0, "1_copy_tiles +copy by tiles.*8_vectors +16-byte vectors", NULL},
};

static const cli_case bad[] = {
    {"", NULL, 2, NULL, "no benchmark named: try 'xbench reduce'"},
    {"reduec", NULL, 2, NULL, "unknown benchmark 'reduec': did you mean 'reduce'\\?\n$"},
    {SHORT "--backend vulkan -n 2^20 transpose/8", NULL, 4, "FAILED: --size: 1099511627776 elements need 4 TiB",
     "has only .* GiB: a single number sets both sides; for 1048576 elements give 1024x1024"},
    {SHORT "--backend vulkan -n 2^19 transpose/8", NULL, 4, "FAILED", "for 524288 elements give 512x1024"},
    {SHORT "--backend vulkan -n 2^20x2^20 matmul/1", NULL, 2, NULL, "takes rows x columns x inner"},
    {"run reduce", NULL, 2, NULL, "unknown benchmark 'run'; there are reduce, transpose, "},
    {"zzz", NULL, 2, NULL, "unknown benchmark 'zzz'; there are reduce, transpose, copy, launch"},
    {"reduce/99", NULL, 2, NULL,
     "reduce has no variant 99: they are 1 to [0-9]+; 'xbench list reduce' has their names"},
    {"reduce/sequentail", NULL, 2, NULL, "did you mean 'sequential'"},
    {SHORT "--backend vulkan -n 1000 reduce/cub", NULL, 3, "no counterpart on vulkan: 10_cub .CUB is a library of CUDA",
     "reduce/10 on vulkan: CUB is a library of CUDA"},
    {SHORT "--backend vulkan -n 100 transpose/cublas", NULL, 3,
     "no counterpart on vulkan: 9_cublas .cuBLAS is a CUDA library", "transpose/9 on vulkan: cuBLAS is"},
    {"reduce/", NULL, 2, NULL, "unknown variant of reduce ''"},
    {"--backend vulcan reduce", NULL, 2, NULL, "unknown backend 'vulcan': did you mean 'vulkan'\\?"},
    {"--device 7 reduce", NULL, 3, NULL, "--device: unknown device '7'.*llvmpipe"},
    {"--device nosuch reduce", NULL, 3, NULL, "--device: unknown device 'nosuch'.*llvmpipe"},
    {"--device 00000000-1111-2222-3333-444444444444 reduce", NULL, 3, NULL, "--device: unknown device '00000000-"},
    {"--size 0 reduce", NULL, 2, NULL, "--size: '0': expected a whole number, 1 or more, such as "},
    {"--size 0e9999999999999999999 reduce", NULL, 2, NULL, "--size: '0e9+': expected"},
    {"peaks --at foo=1", NULL, 2, NULL, "unknown axis 'foo'; there are stride, waves\n"},
    {"--size 1.5M reduce", NULL, 2, NULL, "--size: '1.5M': expected a whole number[^\n]{1,99}\n"},
    {"--size -5 reduce", NULL, 2, NULL, "--size: '-5': expected"},
    {"--size ten reduce", NULL, 2, NULL, "--size: 'ten': expected"},
    {"--size 1.5 reduce", NULL, 2, NULL, "--size: '1.5': expected"},
    {"--size '' reduce", NULL, 2, NULL, "--size: '': expected"},
    {"--size 4MB reduce", NULL, 2, NULL, "--size: '4MB': expected"},
    {"--size 3^4 reduce", NULL, 2, NULL, "--size: '3\\^4': expected"},
    {"--size 2^63 reduce", NULL, 2, NULL, "--size: '2\\^63': expected"},
    {"--size 99999999999999999999 reduce", NULL, 2, NULL, "--size: '9+': expected"},
    {"--size 2^10..2^9 reduce", NULL, 2, NULL, "the end of the range is below its start"},
    {"--size 1000, reduce", NULL, 2, NULL, "--size: '1000,': expected"},
    {"--size 1024,2^10 reduce", NULL, 2, NULL, "--size: 1024 is named twice: name each size once"},
    {"--size 2^3..2^5,16 reduce", NULL, 2, NULL, "--size: 16 is named twice"},
    {"--size 64,64x64 transpose", NULL, 2, NULL, "--size: 64 is named twice"},
    {"--size 40x50 reduce", NULL, 2, NULL, "--size: 40x50: reduce takes a number of elements, not a matrix"},
    {"--size 40x50 transpose reduce", NULL, 2, NULL, "--size: 40x50: reduce takes a number of elements, not a matrix"},
    {"--size 2^40 transpose", NULL, 2, NULL, "--size: a matrix of 1099511627776 x 1099511627776 has more than 2\\^60"},
    {"--size 4x0 transpose", NULL, 2, NULL, "--size: '4x0': expected"},
    {"--size 4x4..8x8 transpose", NULL, 2, NULL, "--size: '4x4..8x8': expected"},
    {"--size 40x50 matmul", NULL, 2, NULL,
     "--size: 40x50: matmul takes rows x columns x inner, such as 40x50x50, or one"},
    {"--size 40x50x60 transpose", NULL, 2, NULL, "--size: 40x50x60: transpose is not a product of matrices"},
    {"--size 64,64x64x64 matmul", NULL, 2, NULL, "--size: 64 is named twice"},
    {"--size 40x reduce", NULL, 2, NULL, "--size: '40x': expected .* rows x columns"},
    {"--flush-bytes 4x4 --cache cold reduce", NULL, 2, NULL, "--flush-bytes: '4x4': expected bytes"},
    {"--dtype float16 reduce", NULL, 2, NULL, "unknown element type 'float16'.*float32, int32"},
    {"--dtype '' reduce", NULL, 2, NULL, "unknown element type ''"},
    {"--block 100 reduce", NULL, 2, NULL, "--block: 100: reduce is built for groups of 64, 128, 256, 512, 1024"},
    {"--block 0 reduce", NULL, 2, NULL, "--block: '0'"},
    {"--block x reduce", NULL, 2, NULL, "--block: 'x'"},
    {"--seed -1 reduce", NULL, 2, NULL, "--seed: '-1'"},
    {"--min-time 0 reduce", NULL, 2, NULL, "--min-time: '0': expected seconds"},
    {"--max-time nan reduce", NULL, 2, NULL, "--max-time: 'nan': expected seconds"},
    {"--launch sideways reduce", NULL, 2, NULL, "unknown --launch 'sideways'.*graph, stream, held_stream, all"},
    {"--cache warm reduce", NULL, 2, NULL, "unknown --cache 'warm'.*hot, cold"},
    {"--cache cold -n 1000 reduce", NULL, 3, NULL, "does not report the cache size of .* give --flush-bytes"},
    {"compare", NULL, 2, NULL, "no benchmark named"},
    {"compare -n 1000 reduce/9", "XB_NVML=/etc/passwd/none", 3, NULL,
     "compare: only vulkan reaches llvmpipe.* in this run: name a base, such as --against"},
    {"compare reduce/9 --against reduce/99", NULL, 2, NULL, "reduce has no variant 99: they are 1 to [0-9]+"},
    {"compare reduce/9 --against redcue/9", NULL, 2, NULL, "unknown benchmark 'redcue': did you mean 'reduce'"},
    {"compare reduce/9 --against copy/2", NULL, 2, NULL, "--against: reduce cannot be compared with copy/2"},
    {"compare reduce/9 --against nosuch", NULL, 3, NULL, "--against: unknown device 'nosuch'"},
    {"reduce/9 --against reduce/1", NULL, 2, NULL, "--against: only valid with 'xbench compare'"},
    {"reduce/9 --margin 1%", NULL, 2, NULL, "--margin: only valid with 'xbench compare'"},
    {"compare reduce/9 --margin -1% --against 0", NULL, 2, NULL,
     "--margin: '-1%': expected a percentage from 0 to 100"},
    {"compare reduce/9 --margin 1x --against 0", NULL, 2, NULL, "--margin: '1x': expected a percentage"},
    {"--width 0% reduce", NULL, 2, NULL, "--width: '0%': expected a percentage from 0.01"},
    {"compare -n 2^12 reduce/9 --against llvmpipe", NULL, 2, NULL, "--against: 'llvmpipe' is the device itself"},
    {"--placements 0 reduce", NULL, 2, NULL, "--placements: '0': expected 1, or 4 to 64"},
    {"--placements 3 reduce", NULL, 2, NULL, "--placements: '3': expected 1, or 4 to 64"},
    {"--placements 65 reduce", NULL, 2, NULL, "--placements: '65': expected 1, or 4 to 64"},
    {"--loop kernel -n 1000 launch", NULL, 3, "not here: --loop kernel", "nothing requested can run here"},
    {"--format yaml reduce", NULL, 2, NULL, "unknown --format 'yaml'.*table, csv, markdown, gbench"},
    {"--backend vulkan list", NULL, 2, NULL, "list: name the command before its options: 'xbench list \\.\\.\\.'"},
    {"list --json x.json", NULL, 2, NULL, "list: --json: unknown option; 'xbench list --help'"},
    {"calc", NULL, 2, NULL, "calc: name what to compute: bandwidth, banks, segments or tile"},
    {"calc tiles", NULL, 2, NULL, "unknown calculation 'tiles': did you mean 'tile'"},
    {"calc tile h10", NULL, 2, NULL, "unknown GPU 'h10': did you mean 'h100'"},
    {"calc tile 0", NULL, 2, NULL, "calc: tile: '0': expected .WIDTH"},
    {"calc bandwidth 100MHz", NULL, 2, NULL, "name a clock and a width"},
    {"calc segments 1 0 3", NULL, 2, NULL, "a thread loads 1, 2, 4, 8 or 16 bytes, not 3"},
    {"glossary overhed", NULL, 2, NULL, "glossary: no table or remark has 'overhed': did you mean 'overhead'\\?"},
    {"shwo reduce/7", NULL, 2, NULL, "unknown command 'shwo': did you mean 'show'\\?"},
    {"comapre reduce", NULL, 2, NULL, "unknown command 'comapre': did you mean 'compare'\\?"},
    {"--bakcend=vulkan reduce", NULL, 2, NULL, "--bakcend=vulkan: unknown option: did you mean '--backend'\\?"},
    {"reduce/singel", NULL, 2, NULL, "unknown variant of reduce 'singel': did you mean 'single_pass'\\?"},
    {"reduce 9", NULL, 2, NULL, "'9': did you mean 'reduce/9'\\?"},
    {"reduce/1 wave", NULL, 2, NULL, "'wave': did you mean 'reduce/wave'\\?"},
    {"reduce 2^16", NULL, 2, NULL, "'2\\^16': did you mean '--size 2\\^16'\\?"},
    {"--size 1M reduce", NULL, 2, NULL, "--size: '1M': expected 1Mi \\(1 x 2\\^20\\) or 1e6 \\(1 x 10\\^6\\)"},
    {"--size 1e19 reduce", NULL, 2, NULL, "--size: '1e19': expected a whole number"},
    {"compare a.json b.json", NULL, 2, NULL, "'a.json': expected a benchmark; 'xbench diff BASE.json NEW.json'"},
    {"diff reduce/9 reduce/8", NULL, 2, NULL,
     "reduce/9 is a variant, not a file: 'xbench compare reduce/8 --against reduce/9' measures"},
    {"diff", NULL, 2, NULL, "diff: no files: expected two files"},
    {"'re\033[31mduce'", NULL, 2, NULL, "unknown benchmark 're\\?\\[31mduce'"},
    {"--loop twice reduce", NULL, 2, NULL, "unknown --loop 'twice'.*launch, kernel"},
    {SHORT "--loop kernel -n 1000 reduce/9", NULL, 3,
     "not here: --loop kernel: reduce/9 does not repeat its work inside the kernel",
     "reduce/9 on vulkan: --loop kernel"},
    {"scale --backend vulkan stride", NULL, 3, "unsupported: scale: stride", "^xbench: scale: stride: cannot be split"},
    {"--loop kernel --cache cold --flush-bytes 1Mi -n 2^20 copy/2", NULL, 3, "only the first repetition",
     "copy/2 on vulkan: .*only the first repetition"},
    {"show", NULL, 2, NULL, "show: no BENCHMARK/VARIANT named: try"},
    {"show reduce", NULL, 2, NULL, "show: 'reduce': name one variant of it, such as reduce/1"},
    {"show reducc/7", NULL, 2, NULL, "unknown benchmark 'reducc': did you mean 'reduce'\\?"},
    {"show reduce/sequentail", NULL, 2, NULL, "unknown variant of reduce 'sequentail': did you mean 'sequential'"},
    {"show reduce/1 reduce/2", NULL, 2, NULL, "show: expected one pair, not also 'reduce/2'"},
    {"show --frobnicate reduce/1", NULL, 2, NULL, "show: --frobnicate: unknown option"},
    {"show --backend cdua reduce/1", NULL, 2, NULL, "unknown backend 'cdua': did you mean 'cuda'"},
    {"show --columns 3 reduce/1", NULL, 2, NULL, "--columns: '3': expected 1, .* or 2"},
    {"show --diff reduce/1", NULL, 2, NULL, "--diff: reduce/1_interleaved_divergent has no previous variant"},
    {"show --diff=99 reduce/1", NULL, 2, NULL, "reduce has no variant 99: they are 1 to [0-9]+"},
    {"show reduce/2 --diff reduce/cub", NULL, 2, NULL, "--diff: reduce/10_cub is not a pair of kernels"},
    {"show reduce/cub --diff", NULL, 2, NULL, "--diff: reduce/10_cub is not a pair of kernels: CUB"},
    {"show reduce/2 --diff --host", NULL, 2, NULL, "give one of them"},
    {"show reduce/2 --whole", NULL, 2, NULL, "--whole: needs --host"},
    {"show reduce/cub --backend vulkan", NULL, 3, NULL, "reduce/10_cub: no source on this side: CUB is"},
    {"show reduce/1 --html ''", NULL, 2, NULL, "--html: '': expected the name of a file"},
    {"show reduce/1 --html /etc/passwd/none/x.html", NULL, 2, NULL, "/etc/passwd/none/x.html: cannot be written"},
    {"--window 1Mi reduce", NULL, 2, NULL, "--window: expected at least 4Mi"},
    {"scale --window 4Mi reduce/9", NULL, 2, NULL, "--window"},
    {"tune --window 4Mi reduce/9", NULL, 2, NULL, "--window: only valid in a run"},
    {"--reserve-shared 2Mi reduce", NULL, 2, NULL, "--reserve-shared: expected at most 1Mi"},
    {"--idle-shared 16Ki -n 2^20 --backend vulkan copy/2", NULL, 3, "each group reserves 16384 bytes ",
     "16384 bytes of dynamic shared memory: vulkan has none, declare a static size"},
    {"--flush-bytes x reduce", NULL, 2, NULL, "--flush-bytes: 'x'"},
    {"--flush-bytes 1Mi reduce", NULL, 2, NULL, "--flush-bytes: only valid with --cache cold"},
    {"--seed 9999999999999999999 reduce", NULL, 2, NULL, "--seed: '9999999999999999999'"},
    {"--json '' reduce", NULL, 2, NULL, "--json: '': expected the name of a file"},
    {"--csv - reduce", NULL, 2, NULL, "--csv: '-': expected the name of a file"},
    {"--json /tmp/same --csv /tmp/same reduce", NULL, 2, NULL, "--json and --csv both name '/tmp/same'"},
    {"--dtype int32 launch", NULL, 2, NULL, "--dtype: launch is not built for int32"},
    {"--launch stream --backend vulkan reduce", NULL, 3, NULL, "--launch: no API of this run"},
    {SHORT "--queue-family all -n 1000 reduce/9", NULL, 0, "^vulkan, family 0 .*queue family 0", NULL},
    {SHORT "--queue-family 0,31 -n 1000 reduce/9", NULL, 3, NULL,
     "queue family 31 of .* does not support compute; these do: 0"},
    {"--queue-family 0, reduce", NULL, 2, NULL, "--queue-family: '0,': expected up to 4 indices"},
    {"--queue-family 0,1,2,3,4 reduce", NULL, 2, NULL, "--queue-family: '0,1,2,3,4': expected up to 4 indices"},
    {"--queue-family 0,0 reduce", NULL, 2, NULL, "--queue-family: 0 is named twice: name each family once"},
    {"--queue-family -1 reduce", NULL, 2, NULL, "--queue-family: '-1': expected"},
    {"--frobnicate reduce", NULL, 2, NULL, "--frobnicate: unknown option"},
    {"reduce --size", NULL, 2, NULL, "--size: missing argument"},
    {"guide waev", NULL, 2, NULL, "no row and no case has 'waev': did you mean the case 'wave'\\?"},
    {"guide --scan /etc/passwd/a.cu", NULL, 2, NULL, "--scan: /etc/passwd/a.cu: Not a directory"},
    {"guide --scan a.cu wave", NULL, 2, NULL, "--scan: a.cu: No such file or directory"},
    {"guide --scan a.cu --list", NULL, 2, NULL, "--scan: expected no other option than --json"},
    {"guide --scan /bin/sh", NULL, 2, NULL, "--scan: /bin/sh: is not text: expected a source in CUDA C\\+\\+"},
    {"guide --scan /dev/null", NULL, 2, NULL, "--scan: /dev/null: is not a regular file"},
    {"guide wave wave", NULL, 2, NULL, "guide: 'wave' is named twice"},
    {"guide --backend metal", NULL, 2, NULL, "metal"},
    {"guide --run wafe", NULL, 2, NULL, "did you mean the case 'wave'"},
    {"list reduec", NULL, 2, NULL, "did you mean 'reduce'"},
    {"guide --size 3", NULL, 2, NULL, "--size: unknown option.*; 'xbench guide --help'"},
    {"guide --json -", NULL, 2, NULL, "--json: '-': expected the name of a file"},
    {"guide --device 77", NULL, 3, NULL, "--device: unknown device '77'"},
    {"list everything", NULL, 2, NULL, "unknown list or benchmark 'everything'"},
    {"list devices benchmarks", NULL, 2, NULL, "list: expected a benchmark, or one of"},
    {"--json /etc/passwd/none/x.json reduce", NULL, 2, NULL,
     "/etc/passwd/none/x.json: cannot be written.*nothing was done"},
    {"--json /tmp reduce", NULL, 2, NULL, "/tmp: is a directory"},
    {"--csv /etc/passwd/none/x.csv reduce", NULL, 2, NULL, "/etc/passwd/none/x.csv: cannot be written"},
    {SHORT "-n 1000 --json /dev/full reduce/1", NULL, 2, "reduce", "/dev/full: cannot be written: No space left"},
    {"reduce", "VK_DRIVER_FILES=/etc/passwd/none VK_ICD_FILENAMES=/etc/passwd/none", 3, NULL,
     "no Vulkan device: VK_DRIVER_FILES is '/etc/passwd/none'"},
    {"-n 1000 reduce", "XB_VALIDATION=1 VK_LAYER_PATH=/etc/passwd/none", 3, NULL,
     "VK_LAYER_KHRONOS_validation.*vulkan-validationlayers"},
};

int cli_begin(void)
{
  static char absolute[PATH_MAX]; /* some tests change the folder */
  if (test_argument_count != 2) {
    printf("FAILED: the arguments are XBENCH NO_LOADER_FOLDER\n");
    return 2;
  }
  if (!xbench)
    xbench = realpath(test_arguments[0], absolute) ? absolute : test_arguments[0];
  no_loader = test_arguments[1];
  strcpy(folder, "/tmp/xbench-cli-XXXXXX");
  return mkdtemp(folder) ? 0 : 1;
}

int cli_end(void)
{
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) ? 1 : 0;
}

static int begin(void)
{
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    test_add(good[i].arguments, run_case, NULL, &good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    test_add(bad[i].arguments, run_case, NULL, &bad[i]);
  return cli_begin();
}

TEST_SOURCE(.begin = begin, .end = cli_end);
