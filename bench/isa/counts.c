/* The instructions of a listing, by kind, and its loops. Listings are of nvdisasm and of Mesa's compiler for AMD. */
#include "isa/isa.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The first line whose word begins an instruction's name decides; "*" before a word: it may stand anywhere. NVIDIA's
 * names have capital letters, AMD's small ones. */
static const struct {
  const char *kind, *words;
} kinds[XB_ISA_KINDS] = {
    [XB_ISA_MATRIX] = {"matrix", "HMMA IMMA DMMA HGMMA IGMMA v_wmma v_mfma v_swmmac"},
    [XB_ISA_ATOMICS] = {"atomics", "ATOM RED *_atomic"},
    [XB_ISA_LOCAL] = {"local memory", "LDL STL scratch_"},
    [XB_ISA_SHARED] = {"shared memory", "LDS STS ds_read ds_load ds_write ds_store ds_add ds_max ds_min"},
    [XB_ISA_LANES] = {"between lanes", "SHFL VOTE REDUX MATCH ds_bpermute ds_permute ds_swizzle v_permlane v_readlane "
                                       "v_readfirstlane v_writelane *_dpp"},
    [XB_ISA_BARRIERS] = {"barriers", "BAR MEMBAR ERRBAR s_barrier buffer_gl buffer_inv"},
    [XB_ISA_CONSTANTS] = {"constants", "LDC ULDC s_load s_buffer_load"},
    [XB_ISA_LOADS] = {"loads", "LD buffer_load global_load flat_load TEX TLD SULD image_load image_sample image_gather "
                               "image_msaa"},
    [XB_ISA_STORES] = {"stores", "ST SUST buffer_store global_store flat_store image_store"},
    [XB_ISA_BRANCHES] = {"branches", "BRA EXIT BSSY BSYNC BREAK RET CALL JMP WARPSYNC YIELD s_cbranch s_branch "
                                     "s_endpgm s_setpc s_swappc"},
    [XB_ISA_WAITS] = {"waits", "NOP DEPBAR s_waitcnt s_wait_ s_nop s_clause s_delay s_sleep"},
    [XB_ISA_MOVES] = {"moves", "MOV UMOV IMAD.MOV SEL PRMT S2R S2UR CS2R R2UR v_mov s_mov v_cndmask s_cselect v_perm"},
    [XB_ISA_FLOATS] = {"floats", "FADD FMUL FFMA FMNMX FSET FSEL FCHK FRND MUFU HADD HMUL HFMA HSET HMNMX DADD DMUL "
                                 "DFMA DSET F2F I2F F2I *_f16 *_f32 *_f64"},
    [XB_ISA_INTEGERS] = {"integers, rest", NULL},
};
static const char fused[] = "FFMA HFMA DFMA v_fma v_mac_f v_mad_f v_pk_fma v_dual_fma";

const char *xb_isa_kind_name(xb_isa_kind kind)
{
  return kinds[kind].kind;
}

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

static const char *next_line(const char *line)
{
  line += strcspn(line, "\n");
  return line + (*line == '\n');
}

/* The name of the instruction in a line: behind its address and its predicate. NULL: the line is a label, or a comment.
 */
static const char *instruction_of(const char *line, size_t *length, bool *always)
{
  line += strspn(line, " \t");
  if (!strncmp(line, "/*", 2) && strstr(line, "*/"))
    line = strstr(line, "*/") + 2;
  line += strspn(line, " \t");
  *always = *line != '@';
  if (!*always)
    line += strcspn(line, " \t\n");
  line += strspn(line, " \t");
  *length = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  return *length && isalpha((unsigned char)*line) && line[*length] != ':' ? line : NULL;
}

/* Of a load, for each thread. */
static unsigned bytes_of(const char *name, size_t length)
{
  static const struct {
    const char *words;
    unsigned bytes;
  } widths[] = {
      {"*.128 *x4 *b128", 16}, {"*x3 *b96", 12}, {"*.64 *x2 *b64", 8}, {"*16 *short", 2}, {"*8 *ubyte *sbyte", 1}};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    if (begins(name, length, widths[i].words))
      return widths[i].bytes;
  return 4;
}

void xb_isa_count(const char *text, const char *end, xb_isa_counts *c)
{
  *c = (xb_isa_counts){0};
  for (; text && text < end && *text; text = next_line(text)) {
    size_t length;
    bool always;
    const char *name = instruction_of(text, &length, &always);
    xb_isa_kind kind = 0;
    while (name && kind < XB_ISA_INTEGERS && !begins(name, length, kinds[kind].words))
      kind++;
    if (!name)
      continue;
    c->of[kind]++;
    c->all += kind != XB_ISA_WAITS;
    c->fused += kind == XB_ISA_FLOATS && begins(name, length, fused);
    if (begins(name, length, "IDP")) {
      const char *zero = strstr(name, ", RZ");
      c->dots++;
      c->adds += !zero || zero > name + strcspn(name, ";\n");
    }
    c->load_bytes += kind == XB_ISA_LOADS ? bytes_of(name, length) : 0;
  }
}

/* ---- Loops ------------------------------------------------------------------------------------------------------ */

/* The line before `line` that a branch in it names: an address, `(.L_x_3) or BB3. NULL: it is behind the branch. Lines
 * may be indented. */
static const char *target_of(const char *text, const char *line)
{
  char mark[72];
  const char *found = NULL, *at = line + strcspn(line, "\n;");
  while (at > line && strchr(" \t", at[-1]))
    at--;
  while (at > line && !strchr(" \t(", at[-1]))
    at--;
  const size_t word = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  if (!word || word > 60)
    return NULL;
  if (!strncmp(at, "0x", 2))
    snprintf(mark, sizeof mark, "/*%04lx*/", strtoul(at, NULL, 16));
  else
    snprintf(mark, sizeof mark, "%.*s:", (int)word, at);
  for (const char *next = strstr(text, mark); next && next < line; next = strstr(next + 1, mark)) {
    const char *begin = next;
    while (begin > text && strchr(" \t", begin[-1]))
      begin--;
    if (begin == text || begin[-1] == '\n')
      found = begin;
  }
  return found;
}

/* Code that is moved out of the way branches back from behind the end, which makes no loop; nor does a branch to
 * itself, behind the end. */
static bool has_end(const char *begin, const char *end)
{
  for (; begin < end; begin = next_line(begin)) {
    size_t length;
    bool always;
    const char *name = instruction_of(begin, &length, &always);
    if (name && always && begins(name, length, "EXIT RET s_endpgm"))
      return true;
  }
  return false;
}

bool xb_isa_largest_loop(const char *text, const char **begin, const char **end)
{
  size_t most = 0;
  const char *inner = text; /* behind the begin of the last loop: a loop around it is not the innermost one */
  for (const char *line = text; *line; line = next_line(line)) {
    size_t length;
    bool always;
    xb_isa_counts c;
    const char *name = instruction_of(line, &length, &always), *next = next_line(line);
    const char *first = name && begins(name, length, "BRA s_cbranch s_branch") ? target_of(text, line) : NULL;
    if (!first || first >= line || first + 1 < inner || has_end(first, line))
      continue;
    inner = first + 1;
    xb_isa_count(first, next, &c);
    if (c.all > 1 && c.all > most) {
      most = c.all;
      *begin = first;
      *end = next;
    }
  }
  return most > 0;
}
