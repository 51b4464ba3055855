#include "compile/object.h"

#include "base/word_list.h"

#include <string.h>

/* A function of our own headers. */
static bool is_ours(const char *symbol)
{
  static const char begin[] = "_ZN6xb_cpu";
  return !strncmp(symbol, begin, strlen(begin));
}

/* Takes the next kernel. */
static bool next_kernel(const xb_elf *object, xb_elf_symbols *walk)
{
  Elf64_Shdr section;
  const size_t kernels = xb_elf_find(object, "xb_kernels", &section);
  while (kernels && xb_elf_next_symbol(object, walk))
    if (walk->symbol.st_shndx == kernels && ELF64_ST_TYPE(walk->symbol.st_info) == STT_FUNC)
      return true;
  return false;
}

/* ---- Names of kernels -------------------------------------------------------------------------------------------- */

/* "ns::saxpy" of "ns::saxpy(int, float*)". NULL for a template, which is no function of one name. What is in a
 * namespace without a name can be named without it: the unit includes the file. */
static const char *plain_name(const char *signature, xb_arena *arena)
{
  static const char nameless[] = "(anonymous namespace)::";
  char *name = xb_arena_text(arena, "%s", signature);
  for (char *at; name && (at = strstr(name, nameless));)
    memmove(at, at + strlen(nameless), strlen(at + strlen(nameless)) + 1);
  if (name)
    name[strcspn(name, "(")] = '\0';
  return name && !strchr(name, '<') ? name : NULL;
}

xb_code xb_object_choose(const xb_pair_job *j, const xb_elf *object, xb_object_kernel *kernel, xb_error *err)
{
  char all[256] = "";
  for (xb_elf_symbols walk = {0}; next_kernel(object, &walk);) {
    const char *signature = xb_demangle(walk.name, j->arena), *plain = plain_name(signature, j->arena);
    const char *last = plain ? strrchr(plain, ':') : NULL;
    if (!plain || strchr(walk.name, '.')) /* a part that the optimizer made */
      continue;
    if (!kernel->wanted || !strcmp(plain, kernel->wanted) || (last && !strcmp(last + 1, kernel->wanted))) {
      kernel->found = plain;
      kernel->signature = signature;
      kernel->fitting++;
    }
    xb_add_listed(all, sizeof all, plain);
  }
  if (kernel->fitting == 1)
    return XB_OK;
  if (kernel->wanted && kernel->fitting)
    return xb_fail(err, XB_INVALID, j->source->path,
                   "%d kernels are named '%s': name one with its parameters, such as '%s'", kernel->fitting,
                   kernel->wanted, kernel->signature);
  return xb_pair_no_entry(j->source->path, kernel->wanted, all, err);
}

/* ---- Shared memory ----------------------------------------------------------------------------------------------- */

enum { MOST_STATIC_SHARED = 48 << 10 }; /* bytes that a kernel of CUDA may declare; ptxas refuses more */

/* True if the variable, such as "reverse(float*)::tile", is of this function. */
static bool is_within(const char *variable, const char *function)
{
  const char *at = strstr(variable, function);
  return at && !strncmp(at + strlen(function), "::", 2);
}

static bool is_of_another(const xb_pair_job *j, const xb_elf *object, const char *kernel, const char *variable)
{
  for (xb_elf_symbols walk = {0}; next_kernel(object, &walk);) {
    const char *signature = xb_demangle(walk.name, j->arena);
    if (strcmp(signature, kernel) != 0 && is_within(variable, signature))
      return true;
  }
  return false;
}

/* `extern __shared__` has no size here. */
xb_code xb_object_check_shared(const xb_pair_job *j, const xb_elf *object, const xb_object_kernel *kernel, char **said,
                               xb_error *err)
{
  size_t bytes = 0;
  for (xb_elf_symbols walk = {0}; xb_elf_next_symbol(object, &walk);)
    if (ELF64_ST_TYPE(walk.symbol.st_info) == STT_TLS && walk.symbol.st_shndx != SHN_UNDEF && !is_ours(walk.name) &&
        !is_of_another(j, object, kernel->signature ? kernel->signature : "", xb_demangle(walk.name, j->arena)))
      bytes += walk.symbol.st_size;
  if (bytes <= MOST_STATIC_SHARED)
    return XB_OK;
  *said =
      xb_arena_text(j->arena, "ptxas error   : Entry function '%s' uses too much shared data (0x%zx bytes, 0x%x max)\n",
                    kernel->found ? kernel->found : j->entry, bytes, MOST_STATIC_SHARED);
  return xb_fail(err, XB_INVALID, j->source->path,
                 "more than 48 KiB have to be extern __shared__, with DynamicSharedBytes");
}

/* ---- Initializers ------------------------------------------------------------------------------------------------ */

/* The function that an initializer's relocation refers to has a section of its own. */
static bool is_of_module(const xb_elf *object, const Elf64_Shdr *relocations, const Elf64_Rela *r)
{
  Elf64_Shdr table, section;
  Elf64_Sym symbol;
  return xb_elf_section(object, relocations->sh_link, &table) &&
         xb_elf_symbol(object, &table, ELF64_R_SYM(r->r_info), &symbol) &&
         xb_elf_section(object, symbol.st_shndx, &section) &&
         strstr(xb_elf_name(object, &section), "xb_cpu_module_begin");
}

/* Twice over the section: the module's own initializer takes the place of all others. */
bool xb_object_leave_out_initializers(const xb_elf *object, char *data)
{
  bool changed = false;
  Elf64_Shdr section;
  Elf64_Rela own = {0}, r;
  const size_t found = xb_elf_find(object, ".rela.init_array", &section);
  for (int pass = 0; found && pass < 2; pass++)
    for (uint64_t at = 0; at + sizeof r <= section.sh_size; at += sizeof r) {
      memcpy(&r, object->data + section.sh_offset + at, sizeof r);
      if (is_of_module(object, &section, &r)) {
        own = r;
      } else if (pass && own.r_info) {
        r.r_info = own.r_info;
        r.r_addend = own.r_addend;
        memcpy(data + section.sh_offset + at, &r, sizeof r);
        changed = true;
      }
    }
  return changed;
}

/* ---- What kernels call ------------------------------------------------------------------------------------------- */

/* True if a parameter is neither a number nor a pointer or reference: "rec(item, int)". Enumerations are taken for
 * structs. */
static bool takes_struct(const char *signature)
{
  const char *end = strrchr(signature, ')'), *begin = end;
  for (int depth = 1; begin && begin > signature && depth;) {
    begin--;
    depth += (*begin == ')') - (*begin == '(');
  }
  for (int depth = 0; begin && begin < end; begin++) {
    const char *from = begin + 1 + strspn(begin + 1, " "), *to = from;
    for (; to < end && (depth || *to != ','); to++)
      depth += (*to == '(' || *to == '<') - (*to == ')' || *to == '>');
    const size_t word = strcspn(from, " ,)*&");
    if (to > from && !strchr("*&)", to[-1]) && /* ")": float (*)(item) */
        !xb_is_listed("void bool char signed unsigned short int long float double __int128 ...", from, word))
      return true;
    begin = to - 1 + (to == end);
  }
  return false;
}

enum { MOST_SECTIONS = 4096 };
typedef enum mark { UNKNOWN, CALLS_KERNELS, KERNEL, CALLED } mark;

typedef struct calls {
  const xb_elf *object;
  unsigned char marks[MOST_SECTIONS];
  xb_arena *arena;
  char *list; /* NULL: sections are marked */
} calls;

static void add_unwatched(const calls *c, const char *symbol)
{
  const char *signature = xb_demangle(symbol, c->arena);
  if (!is_ours(symbol) && takes_struct(signature) && !strstr(c->list, signature))
    xb_add_listed(c->list, XB_UNWATCHED_BYTES, signature);
}

/* Marks the sections that relocations of a marked section refer to, or lists the functions. Returns how many marks are
 * new. */
static size_t follow(calls *c, const Elf64_Shdr *relocations)
{
  Elf64_Shdr table;
  Elf64_Sym symbol;
  size_t found = 0;
  const mark from = relocations->sh_info < MOST_SECTIONS ? c->marks[relocations->sh_info] : UNKNOWN;
  if (relocations->sh_type != SHT_RELA || !from || !xb_elf_section(c->object, relocations->sh_link, &table))
    return 0;
  for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= relocations->sh_size; at += sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    memcpy(&r, c->object->data + relocations->sh_offset + at, sizeof r);
    if (!xb_elf_symbol(c->object, &table, ELF64_R_SYM(r.r_info), &symbol))
      continue;
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (!symbol.st_shndx || symbol.st_shndx >= MOST_SECTIONS || type == STT_TLS)
      continue;
    unsigned char *to = &c->marks[symbol.st_shndx];
    if (c->list && type == STT_FUNC && from >= KERNEL && *to == CALLED)
      add_unwatched(c, xb_elf_text(c->object, table.sh_link, symbol.st_name));
    if (!c->list && !*to) {
      *to = from == CALLS_KERNELS ? KERNEL : CALLED;
      found++;
    }
  }
  return found;
}

static size_t follow_all(calls *c)
{
  Elf64_Shdr section;
  size_t found = 0;
  for (size_t i = 1; i < c->object->head.e_shnum; i++)
    if (xb_elf_section(c->object, i, &section))
      found += follow(c, &section);
  return found;
}

void xb_object_list_unwatched(const xb_elf *object, const char *from, xb_arena *arena, char list[XB_UNWATCHED_BYTES])
{
  calls c = {.object = object, .arena = arena};
  Elf64_Shdr section;
  for (size_t i = 1; i < object->head.e_shnum && i < MOST_SECTIONS; i++)
    if (xb_elf_section(object, i, &section) && !strncmp(xb_elf_name(object, &section), from, strlen(from)))
      c.marks[i] = CALLS_KERNELS;
  while (follow_all(&c))
    ;
  *list = '\0';
  c.list = list;
  follow_all(&c);
}
