/* The instructions of machine code, counted by kind: what one compiler does more often than another. */
#include "isa/isa.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The first line whose word begins an instruction's name decides; "*" before a word: it may stand anywhere. NVIDIA's
 * names have capital letters, AMD's small ones. */
static const struct {
  const char *kind, *words;
} kinds[] = {
    {"matrix", "HMMA IMMA DMMA HGMMA IGMMA v_wmma v_mfma v_swmmac"},
    {"atomics", "ATOM RED *_atomic"},
    {"local memory", "LDL STL scratch_"},
    {"shared memory", "LDS STS ds_read ds_load ds_write ds_store ds_add ds_max ds_min"},
    {"between lanes", "SHFL VOTE REDUX MATCH ds_bpermute ds_permute ds_swizzle v_permlane v_readlane v_readfirstlane "
                      "v_writelane *_dpp"},
    {"barriers", "BAR MEMBAR ERRBAR s_barrier buffer_gl buffer_inv"},
    {"constants", "LDC ULDC s_load s_buffer_load"},
    {"loads", "LD buffer_load global_load flat_load TEX TLD SULD image_load image_sample image_gather image_msaa"},
    {"stores", "ST SUST buffer_store global_store flat_store image_store"},
    {"branches", "BRA EXIT BSSY BSYNC BREAK RET CALL JMP WARPSYNC YIELD s_cbranch s_branch s_endpgm s_setpc s_swappc"},
    {"waits", "NOP DEPBAR s_waitcnt s_wait_ s_nop s_clause s_delay s_sleep"},
    {"moves", "MOV UMOV SEL PRMT S2R S2UR CS2R R2UR v_mov s_mov v_cndmask s_cselect v_perm"},
    {"floats",
     "FADD FMUL FFMA FMNMX FSET FSEL FCHK FRND MUFU HADD HMUL HFMA HSET HMNMX DADD DMUL DFMA DSET F2F I2F F2I "
     "*_f16 *_f32 *_f64"},
};
enum { KINDS = sizeof kinds / sizeof *kinds, REST = KINDS }; /* the rest: integers */

static bool begins(const char *name, size_t length, const char *words)
{
  for (size_t here; *words; words += here + (words[here] == ' ')) {
    here = strcspn(words, " ");
    const bool inside = *words == '*';
    for (size_t at = 0; at + here - inside <= length && (!at || inside); at++)
      if (!memcmp(name + at, words + inside, here - inside))
        return true;
  }
  return false;
}

/* The name of the instruction in a line: behind its address and its predicate. NULL: the line is a label, or a comment.
 */
static const char *instruction_of(const char *line, size_t *length)
{
  line += strspn(line, " \t");
  if (!strncmp(line, "/*", 2) && strstr(line, "*/"))
    line = strstr(line, "*/") + 2;
  line += strspn(line, " \t");
  if (*line == '@')
    line += strcspn(line, " \t\n");
  line += strspn(line, " \t");
  *length = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  return *length && isalpha((unsigned char)*line) && line[*length] != ':' ? line : NULL;
}

static void count(const char *text, size_t counts[KINDS + 1])
{
  for (; text && *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL) {
    size_t length, kind = 0;
    const char *name = instruction_of(text, &length);
    while (name && kind < KINDS && !begins(name, length, kinds[kind].words))
      kind++;
    counts[kind] += name != NULL;
  }
}

void xb_isa_print_kinds(const xb_isa_line *lines, size_t line_count, FILE *out)
{
  enum { MOST_ROWS = 8 };
  size_t counts[MOST_ROWS][KINDS + 1] = {{0}}, i, shown = 0;
  for (i = 0; i < line_count && shown < MOST_ROWS; i++) {
    const json_t *row = lines[i].row;
    if (!*xb_isa_text(row, "text"))
      continue;
    fprintf(out, "%s %10.10s %-6.6s", shown ? "" : "  instructions  ", xb_isa_text(row, "for"),
            xb_isa_text(row, "api"));
    count(xb_isa_text(row, "text"), counts[shown++]);
  }
  if (!shown)
    return;
  fprintf(out, "\n");
  for (size_t k = 0; k <= KINDS; k++) {
    size_t sum = 0;
    for (i = 0; i < shown; i++)
      sum += counts[i][k];
    if (!sum)
      continue;
    fprintf(out, "  %-14s", k == REST ? "integers, rest" : kinds[k].kind);
    for (i = 0; i < shown; i++)
      fprintf(out, " %17zu", counts[i][k]);
    fprintf(out, "\n");
  }
}
