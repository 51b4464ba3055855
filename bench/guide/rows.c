#include "guide/rows.h"

#include "blob.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_ROWS = 500 };

const xb_row_field_info xb_row_fields[XB_ROW_FIELDS] = {
    [XB_ROW_CUDA] = {"cuda", "CUDA", 92, 40},
    [XB_ROW_WRONG] = {"wrong", "wrong port", 60, 24},
    [XB_ROW_DOES] = {"does", "what it does", 30, 18},
    [XB_ROW_HLSL] = {"hlsl", "HLSL", 88, 30},
    [XB_ROW_VULKAN] = {"vulkan", "Vulkan", 64, 22},
    [XB_ROW_D3D12] = {"d3d12", "Direct3D 12", 64, 22},
    [XB_ROW_COMPILERS] = {"compilers", "compilers", 40, 18},
    [XB_ROW_WGSL] = {"wgsl", "WGSL", 40, 18},
    [XB_ROW_HERE] = {"here", "here", 40, 10},
    [XB_ROW_PTX] = {"ptx", "PTX", 58, 30},
    [XB_ROW_SPIRV] = {"spirv", "SPIR-V", 50, 30},
    [XB_ROW_DXIL] = {"dxil", "DXIL", 50, 30},
    [XB_ROW_BY] = {"by", "asserted by", 0, 0},
    [XB_ROW_STATUS] = {"status", NULL, 0, 0},
    [XB_ROW_SINCE] = {"since", NULL, 0, 0},
    [XB_ROW_WORDS] = {"words", NULL, 62, 0},
    [XB_ROW_ALSO] = {"also", NULL, 66, 0},
    [XB_ROW_SCAN] = {"scan", NULL, 0, 0},
};

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Read once, and kept until the program ends. */
static struct {
  char *texts; /* of all files: the rows point into it */
  size_t count;
  xb_guide_row rows[MAX_ROWS];
} known;

/* "key: value" */
static void take_field(xb_guide_row *row, char *line)
{
  char *colon = strstr(line, ": ");
  if (!colon)
    return;
  *colon = 0;
  if (!strcmp(line, "title"))
    row->chapter = colon + 2;
  row->host |= !strcmp(line, "host");
  for (size_t f = 0; f < XB_ROW_FIELDS; f++)
    if (!strcmp(line, xb_row_fields[f].key))
      row->field[f] = colon + 2;
}

/* Cuts the text of a file into rows. Its first section, [chapter], has the title. */
static void read_rows(const char *file, char *text)
{
  xb_guide_row head = {.file = file}, *row = &head;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *end = *line == '[' ? strchr(line, ']') : NULL;
    if (end && strncmp(line, "[chapter]", 9) != 0 && known.count < MAX_ROWS) {
      *end = 0;
      row = &known.rows[known.count++];
      *row = (xb_guide_row){.id = line + 1, .chapter = head.chapter, .file = file, .host = head.host};
    } else if (*line != '#') {
      take_field(row, line);
    }
  }
}

const xb_guide_row *xb_guide_rows(size_t *count)
{
  size_t bytes = 0;
  for (const xb_blob *b = xb_blobs; !known.texts && b->name; b++)
    bytes += strncmp(b->name, "docs/guide/", 11) ? 0 : b->bytes + 1;
  if (!known.texts && (known.texts = malloc(bytes + 1))) {
    char *to = known.texts;
    for (const xb_blob *b = xb_blobs; b->name; b++)
      if (!strncmp(b->name, "docs/guide/", 11)) {
        memcpy(to, b->data, b->bytes);
        to[b->bytes] = 0;
        read_rows(b->name, to);
        to += b->bytes + 1;
      }
  }
  *count = known.count;
  return known.texts ? known.rows : NULL;
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

static bool in_name(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* The next place of `word` in text[0, length) as a whole word (of names; operators need no blanks around), or NULL. */
static const char *find_word(const char *text, size_t text_length, const char *word, size_t length, bool whole)
{
  const int first = tolower((unsigned char)*word);
  for (size_t i = 0; i + length <= text_length; i++) {
    if (tolower((unsigned char)text[i]) != first || strncasecmp(text + i, word, length) != 0)
      continue;
    const bool begins = i == 0 || !in_name(text[i - 1]) || !in_name(*word);
    const bool ends = i + length == text_length || !in_name(text[i + length]) || !in_name(word[length - 1]);
    if (!whole || (begins && ends))
      return text + i;
  }
  return NULL;
}

/* True if the word, as a whole one, is in a quotation of `text`. */
static bool is_quoted(const char *text, const char *word)
{
  for (bool quoted = false; *text; quoted = !quoted) {
    const size_t part = strcspn(text, "`");
    if (quoted && find_word(text, part, word, strlen(word), true))
      return true;
    text += part;
    text += strspn(text, "`");
  }
  return false;
}

/* True if the list, of texts with commas between, has the finding. A text that ends in * is a beginning. */
static bool has_finding(const char *list, const char *finding, bool any_case)
{
  int (*const compare)(const char *, const char *, size_t) = any_case ? strncasecmp : strncmp;
  const size_t length = strlen(finding);
  while (*list) {
    const size_t part = strcspn(list, ",");
    const bool begins = part && list[part - 1] == '*';
    if (begins ? length >= part - 1 && !compare(list, finding, part - 1)
               : length == part && !compare(list, finding, part))
      return true;
    list += part;
    list += strspn(list, ", ");
  }
  return false;
}

bool xb_guide_row_lists_finding(const xb_guide_row *row, const char *word)
{
  return row->field[XB_ROW_SCAN] && has_finding(row->field[XB_ROW_SCAN], word, true);
}

xb_row_fit xb_guide_row_fit(const xb_guide_row *row, const char *word)
{
  xb_row_fit best = XB_FIT_NONE;
  const size_t length = strlen(word);
  if (!strcasecmp(row->id, word) || xb_guide_row_lists_finding(row, word))
    return XB_FIT_NAME;
  for (size_t f = 0; length && f < XB_ROW_FIELDS && best < XB_FIT_NAME; f++) {
    const char *text = row->field[f];
    if (!text || f == XB_ROW_BY || f == XB_ROW_SINCE || f == XB_ROW_SCAN)
      continue;
    const bool prose =
        f == XB_ROW_DOES || f == XB_ROW_VULKAN || f == XB_ROW_D3D12 || f == XB_ROW_COMPILERS || f == XB_ROW_WGSL;
    xb_row_fit fit = XB_FIT_NONE;
    if (find_word(text, strlen(text), word, length, true))
      fit = prose && !is_quoted(text, word) ? XB_FIT_PROSE : XB_FIT_NAME;
    else if (length >= 4 && find_word(text, strlen(text), word, length, false))
      fit = XB_FIT_PART;
    best = fit > best ? fit : best;
  }
  return best;
}

/* True if a word is an API's by its look, as script/guide-pages has it: a name with _, a capital letter, a digit or ::,
 * but not a name such as g_in. */
static bool looks_like_api(const char *word, size_t length)
{
  bool mark = length > 2 && word[0] == '0' && word[1] == 'x';
  if (length < 3 || (islower((unsigned char)word[0]) && word[1] == '_'))
    return false;
  for (size_t i = 1; i < length && !isdigit((unsigned char)*word); i++)
    mark |= word[i] == '_' || word[i] == ':' || isupper((unsigned char)word[i]) || isdigit((unsigned char)word[i]);
  return mark;
}

/* True if a quotation of `text` is the word or, for an API's word, calls it. With `loose`, an API's word need not be
 * quoted. script/guide-pages makes the index by the same rules. */
static bool quotes(const char *text, const char *word, size_t length, bool loose)
{
  const bool api = looks_like_api(word, length);
  bool quoted = false;
  while (text && *text) {
    const size_t part = strcspn(text, "`"), marks = strspn(text + part, "`");
    const char *at = part ? find_word(text, part, word, length, true) : NULL;
    if (at && !strncmp(at, word, length)) {
      const bool called = strchr("(<", at[length]) || !strncmp(word, "__", 2) || memchr(word, ':', length);
      if (quoted ? part == length || (api && called) : loose && api)
        return true;
    }
    quoted = marks ? !quoted : quoted;
    text += part + marks;
  }
  return false;
}

bool xb_guide_row_lists(const xb_guide_row *row, const char *word, size_t length)
{
  return quotes(row->field[XB_ROW_CUDA], word, length, false) ||
         quotes(row->field[XB_ROW_WRONG], word, length, false) || quotes(row->field[XB_ROW_WORDS], word, length, true);
}

/* True if the field quotes the finding, as a word of PTX without its %. */
static bool quotes_ptx(const char *text, const char *finding)
{
  const size_t length = strlen(finding);
  while (text && (text = strchr(text, '`'))) {
    text += strspn(text, "`%");
    if (!strncmp(text, finding, length) && text[length] == '`')
      return true;
    text = strchr(text, '`');
    text += text ? strspn(text, "`") : 0;
  }
  return false;
}

bool xb_guide_begins(const char *text, const char *list)
{
  for (size_t length; (length = strcspn(list, " ")); list += length + (list[length] != 0))
    if (!strncmp(text, list, length))
      return true;
  return false;
}

/* True for names that are CUDA's wherever they stand; others, such as `double`, need no port in a function of the host.
 */
static bool is_of_cuda(const char *finding)
{
  if (xb_guide_begins(finding, "__ cuda CU cub:: thrust cutlass nccl NCCL_ nvcuda nvtx <<< dim3 cg:: NV cublas curand "
                               "cufft cusparse cooperative_groups half nv_bf torch:: at:: MPI_ cudnn nvrtc cute "
                               "cusolver c10:: TORCH_ AT_DISPATCH data_ptr packed_accessor"))
    return true;
  for (size_t i = *finding != 0; finding[i] && finding[i] != ' ' && finding[i] != ':';
       i++) /* cuMemAlloc, normalizedCoords */
    if (islower((unsigned char)finding[i - 1]) && isupper((unsigned char)finding[i]))
      return true;
  return false;
}

bool xb_guide_row_scans(const xb_guide_row *row, const char *finding, bool on_device)
{
  if (!on_device && !row->host && !is_of_cuda(finding))
    return false;
  if (strchr(finding, '.') && !(row->field[XB_ROW_SCAN] && !strcmp(row->field[XB_ROW_SCAN], "-")) &&
      quotes_ptx(row->field[XB_ROW_PTX], finding))
    return true;
  const char *list = row->field[XB_ROW_SCAN];
  return list ? (strstr(list, finding) || strchr(list, '*')) && has_finding(list, finding, false)
              : xb_guide_row_lists(row, finding, strlen(finding));
}

/* True if the row has one of the names in `text`. */
static bool has_a_name(const xb_guide_row *row, const char *text)
{
  char name[64];
  while (*text) {
    size_t length = 0;
    while (in_name(text[length]) && length + 1 < sizeof name) {
      name[length] = text[length];
      length++;
    }
    name[length] = 0;
    if (length > 1 && xb_guide_row_fit(row, name) == XB_FIT_NAME)
      return true;
    text += length ? length : 1;
  }
  return false;
}

bool xb_guide_false_friends(const char *word, const char *other)
{
  size_t count, listed = 0;
  const xb_guide_row *all = xb_guide_rows(&count);
  for (size_t i = 0; all && i < count; i++)
    if (xb_guide_row_lists(&all[i], word, strlen(word))) {
      listed++;
      if (has_a_name(&all[i], other))
        return false;
    }
  return listed;
}
