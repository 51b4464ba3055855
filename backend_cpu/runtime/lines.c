/* The source line of a code address in a module, from the table of lines that compilers write (DWARF 5, .debug_line).
 */
#include "internal.h"

#include <stdio.h>
#include <string.h>

/* Bytes that are read one after the other. At the end all reads give 0, and `ended` is set. */
typedef struct reader {
  const unsigned char *at, *end;
  bool ended;
} reader;

static reader part(const unsigned char *from, uint64_t size)
{
  return (reader){.at = from, .end = from + size};
}

static uint64_t number(reader *r, unsigned bytes)
{
  uint64_t n = 0;
  if ((size_t)(r->end - r->at) < bytes) {
    r->ended = true;
    r->at = r->end;
    return 0;
  }
  memcpy(&n, r->at, bytes); /* little endian, as the processor */
  r->at += bytes;
  return n;
}

static uint64_t leb(reader *r, bool is_signed)
{
  uint64_t n = 0;
  unsigned shift = 0, byte;
  do {
    byte = (unsigned)number(r, 1);
    if (shift < 64)
      n |= (uint64_t)(byte & 127) << shift;
    shift += 7;
  } while (byte & 128);
  if (is_signed && byte & 64 && shift < 64)
    n |= ~(uint64_t)0 << shift;
  return n;
}

static void skip(reader *r, uint64_t bytes)
{
  if ((uint64_t)(r->end - r->at) < bytes)
    r->ended = true;
  r->at += r->ended ? r->end - r->at : (ptrdiff_t)bytes;
}

static const char *string(reader *r)
{
  const char *s = (const char *)r->at;
  const unsigned char *nul = memchr(r->at, 0, (size_t)(r->end - r->at));
  if (!nul) {
    r->ended = true;
    return "";
  }
  r->at = nul + 1;
  return s;
}

typedef struct debug {
  xb_elf file;
  reader lines, line_strings, strings;
} debug;

static reader section(const xb_elf *elf, const char *name)
{
  Elf64_Shdr s;
  if (!xb_elf_find(elf, name, &s) || s.sh_type == SHT_NOBITS || s.sh_flags & SHF_COMPRESSED)
    return (reader){0};
  return part((const unsigned char *)elf->data + s.sh_offset, s.sh_size);
}

/* ---- Tables of folders and files ---- */

enum { FORM_STRING = 0x08, FORM_UDATA = 0x0f, FORM_DATA16 = 0x1e, FORM_LINE_STRP = 0x1f, FORM_STRP = 0x0e };
enum { CONTENT_PATH = 1, CONTENT_FOLDER = 2, MOST_FILES = 256 };

typedef struct path {
  const char *name;
  uint64_t folder;
} path;

static const char *string_at(reader strings, uint64_t offset)
{
  skip(&strings, offset);
  return strings.at ? string(&strings) : "";
}

static void read_field(const debug *d, reader *r, uint64_t content, uint64_t form, path *p)
{
  const char *text = NULL;
  uint64_t value = 0;
  switch (form) {
  case FORM_STRING: text = string(r); break;
  case FORM_LINE_STRP: text = string_at(d->line_strings, number(r, 4)); break;
  case FORM_STRP: text = string_at(d->strings, number(r, 4)); break;
  case FORM_UDATA: value = leb(r, false); break;
  case 0x0b: value = number(r, 1); break; /* data1, data2, data4 */
  case 0x05: value = number(r, 2); break;
  case 0x06: value = number(r, 4); break;
  case FORM_DATA16: skip(r, 16); break;
  default: r->ended = true;
  }
  if (content == CONTENT_PATH && text)
    p->name = text;
  if (content == CONTENT_FOLDER)
    p->folder = value;
}

static uint32_t read_paths(const debug *d, reader *r, path paths[MOST_FILES])
{
  uint64_t formats[8][2], kinds = number(r, 1);
  for (uint64_t k = 0; k < kinds; k++) {
    const uint64_t content = leb(r, false), form = leb(r, false);
    if (k < 8)
      formats[k][0] = content, formats[k][1] = form;
  }
  if (!kinds || kinds > 8)
    r->ended = true;
  const uint64_t count = leb(r, false);
  for (uint64_t i = 0; i < count && !r->ended; i++) {
    path p = {.name = ""};
    for (uint64_t k = 0; k < kinds; k++)
      read_field(d, r, formats[k][0], formats[k][1], &p);
    if (i < MOST_FILES)
      paths[i] = p;
  }
  return count < MOST_FILES ? (uint32_t)count : MOST_FILES;
}

/* ---- The program that makes the rows ---- */

typedef struct row {
  uint64_t address, file, line;
  bool known;
} row;

typedef struct unit {
  path folders[MOST_FILES], files[MOST_FILES];
  uint32_t folder_count, file_count;
  unsigned least_bytes, line_range, first_special;
  int line_base;
  unsigned char lengths[256];
} unit;

/* Words of CUDA are in headers, some of them in the compiler's; a place in the kernel says more. */
static bool is_header(const unit *u, const row *r)
{
  if (r->file >= u->file_count || u->files[r->file].folder >= u->folder_count)
    return true;
  const path *file = &u->files[r->file];
  const char *folder = u->folders[file->folder].name; /* clang has a part of it in the name */
  static const char ours[] = "backend_cpu/cuda", compilers[] = "/include/c++/";
  return strstr(folder, ours) || strstr(folder, compilers) || strstr(file->name, ours) || strstr(file->name, compilers);
}

/* Runs to the row of the target. found: that row, or the nearest one before it, else behind it, in the kernel's own
 * files. */
static bool run_program(const unit *u, reader *r, uint64_t target, row *found)
{
  row now = {.file = 1, .line = 1}, last = {0}, own = {0}, exact = {0};
  while (!r->ended && r->at < r->end) {
    const unsigned op = (unsigned)number(r, 1);
    bool emit = false, ends = false;
    if (op >= u->first_special) {
      const unsigned special = op - u->first_special;
      now.address += (uint64_t)(special / u->line_range) * u->least_bytes;
      now.line += (uint64_t)(int64_t)(u->line_base + (int)(special % u->line_range));
      emit = true;
    } else if (op == 0) {
      const uint64_t size = leb(r, false);
      reader extended = part(r->at, 0);
      skip(r, size);
      extended.end = r->at;
      const uint64_t kind = number(&extended, 1);
      ends = emit = kind == 1;
      if (kind == 2)
        now.address = number(&extended, 8);
    } else {
      switch (op) {
      case 1: emit = true; break;
      case 2: now.address += leb(r, false) * u->least_bytes; break;
      case 3: now.line += leb(r, true); break;
      case 4: now.file = leb(r, false); break;
      case 8: now.address += (uint64_t)((255 - u->first_special) / u->line_range) * u->least_bytes; break;
      case 9: now.address += number(r, 2); break;
      default:
        for (unsigned i = 0; i < u->lengths[op]; i++)
          leb(r, false);
      }
    }
    if (!emit)
      continue;
    if (last.known && last.address <= target && target < now.address)
      exact = last;
    last = now;
    last.known = !ends;
    if (exact.known && (ends || own.known)) {
      *found = own.known ? own : exact;
      return true;
    }
    if (ends)
      own.known = false;
    else if (now.line && !is_header(u, &now))
      own = last;
    if (ends)
      now = (row){.file = 1, .line = 1};
  }
  return false;
}

/* One unit: its head, its tables, its program. */
static bool look_in_unit(const debug *d, reader all, unit *u, uint64_t target, row *found)
{
  if (number(&all, 2) != 5 || number(&all, 1) != 8 || number(&all, 1) != 0)
    return false;
  const uint64_t head_bytes = number(&all, 4);
  reader head = all;
  skip(&all, head_bytes);
  u->least_bytes = (unsigned)number(&head, 1);
  skip(&head, 2);
  u->line_base = (int8_t)number(&head, 1);
  u->line_range = (unsigned)number(&head, 1);
  u->first_special = (unsigned)number(&head, 1);
  if (!u->line_range || !u->first_special)
    return false;
  for (unsigned i = 1; i < u->first_special; i++)
    u->lengths[i] = (unsigned char)number(&head, 1);
  u->folder_count = read_paths(d, &head, u->folders);
  u->file_count = read_paths(d, &head, u->files);
  return !head.ended && run_program(u, &all, target, found);
}

bool xb_cpu_line_of(const void *pc, char *text, size_t size)
{
  static unit u; /* large; one launch at a time ends with a fault */
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const void *base;
  debug d = {0};
  if (xb_cpu_open_file_of(pc, &d.file, &base)) {
    d.lines = section(&d.file, ".debug_line");
    d.line_strings = section(&d.file, ".debug_line_str");
    d.strings = section(&d.file, ".debug_str");
  }
  const uint64_t target = (uint64_t)((uintptr_t)pc - (uintptr_t)base);
  bool is = false;
  pthread_mutex_lock(&mutex);
  while (!is && d.lines.at < d.lines.end && !d.lines.ended) {
    const uint64_t bytes = number(&d.lines, 4);
    reader one = part(d.lines.at, 0);
    skip(&d.lines, bytes);
    one.end = d.lines.at;
    row found = {0};
    if (look_in_unit(&d, one, &u, target, &found) && found.file < u.file_count) {
      const path *p = &u.files[found.file];
      const char *folder =
          p->folder > 0 && p->folder < u.folder_count && *p->name != '/' ? u.folders[p->folder].name : "";
      snprintf(text, size, "%s%s%s:%llu", folder, *folder ? "/" : "", p->name, (unsigned long long)found.line);
      is = true;
    }
  }
  pthread_mutex_unlock(&mutex);
  xb_cpu_close_file(&d.file);
  return is;
}
