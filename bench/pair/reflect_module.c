/* The parameters of a kernel for the processor: what the compiler wrote of them into a section (compile/describe.hpp).
 */
#include "core/elf.h"
#include "pair/numbers.h"
#include "pair/reflect.h"

#include <stdint.h>
#include <string.h>

enum { POINTER = 16, STRUCT = 0, SIGNED = 1, UNSIGNED = 2, FLOAT = 3 };

typedef struct described {
  uint32_t kind, is_const, bytes, align;
} described;

static void take(const described *d, xb_reflection *r)
{
  static const char *const kinds[] = {[STRUCT] = "", [SIGNED] = "int", [UNSIGNED] = "uint", [FLOAT] = "float"};
  const bool pointer = d->kind >= POINTER;
  const uint32_t align = pointer ? (uint32_t)sizeof(void *) : d->align ? d->align : 1;
  xb_code_parameter *p = &r->parameters[r->count++];
  xb_member *m = &p->element.members[0];
  p->is_buffer = pointer;
  p->read_only = pointer && d->is_const;
  p->offset = (r->value_bytes + align - 1) / align * align;
  p->element.bytes = d->bytes;
  p->element.member_count = d->kind % POINTER <= FLOAT && xb_dtype_of(kinds[d->kind % POINTER], d->bytes, &m->dtype);
  m->count = p->element.member_count;
  r->value_bytes = p->offset + (pointer ? (uint32_t)sizeof(void *) : d->bytes);
}

xb_code xb_reflect_module(const char *where, const char *code, size_t bytes, xb_arena *arena, xb_reflection *reflection,
                          xb_error *err)
{
  size_t section_bytes, name_bytes, unwatched_bytes;
  xb_elf elf;
  xb_elf_open(&elf, code, bytes);
  const char *name = xb_elf_contents(&elf, "xb_kernel_name", &name_bytes);
  const char *section = xb_elf_contents(&elf, "xb_parameters", &section_bytes);
  const size_t count = section_bytes / sizeof(described);
  const char *unwatched = xb_elf_contents(&elf, "xb_unwatched", &unwatched_bytes);
  *reflection = (xb_reflection){.entry = name, .unwatched = unwatched && *unwatched ? unwatched : NULL};
  if (!name || !name_bytes || name[name_bytes - 1] || !section || !count || count > XB_MAX_PARAMETERS + 1)
    return xb_fail(err, XB_INVALID, where, "the compiled code does not tell its parameters");
  reflection->parameters = xb_arena_take(arena, XB_MAX_ARG_BYTES + 1, sizeof *reflection->parameters);
  if (!reflection->parameters)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  for (size_t i = 0; i + 1 < count; i++) { /* the last one is an end mark */
    described d;
    memcpy(&d, section + i * sizeof d, sizeof d);
    take(&d, reflection);
  }
  return XB_OK;
}
