/* The three formats of code. The driver gets a pointer without a size, so the image's own headers are used here to
 * check that it is complete. Its contents are not checked: damaged machine code can crash the driver. */
#include "image.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { ELF_MACHINE_CUDA = 190 };

typedef enum cu_image_kind { CU_IMAGE_UNKNOWN, CU_IMAGE_FATBIN, CU_IMAGE_CUBIN, CU_IMAGE_PTX } cu_image_kind;

const char *cu_kernel_label(const xb_kernel_desc *desc)
{
  return desc->label && *desc->label ? desc->label : desc->entry;
}

/* ---- PTX -------------------------------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *end, const char *with)
{
  return (size_t)(end - text) >= strlen(with) && !memcmp(text, with, strlen(with));
}

static const char *past(const char *text, const char *end, const char *mark)
{
  for (; text < end; text++)
    if (begins(text, end, mark))
      return text + strlen(mark);
  return end;
}

/* Returns the end of comments and white space. */
static const char *skip_comments(const char *text, const char *end)
{
  while (text < end)
    if (isspace((unsigned char)*text))
      text++;
    else if (begins(text, end, "//"))
      text = past(text, end, "\n");
    else if (begins(text, end, "/*"))
      text = past(text + 2, end, "*/");
    else
      break;
  return text;
}

static bool is_ptx(const xb_kernel_desc *desc)
{
  const char *text = desc->code, *end = text + desc->code_bytes;
  return begins(skip_comments(text, end), end, ".version"); /* PTX's first directive */
}

/* ---- Cubins ----------------------------------------------------------------------------------------------------- */

static bool lies_within(uint64_t offset, uint64_t size, uint64_t bytes)
{
  return offset <= bytes && size <= bytes - offset;
}

/* Checks that the file contains all parts that its headers announce. */
static xb_code check_cubin(const xb_kernel_desc *desc, xb_error *err)
{
  const unsigned char *code = desc->code;
  Elf64_Ehdr head;
  if (desc->code_bytes < sizeof head)
    goto damaged;
  memcpy(&head, code, sizeof head);
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != ELF_MACHINE_CUDA)
    return xb_fail(err, XB_INVALID, cu_kernel_label(desc), "the code is an ELF file, but not for a GPU (machine %u)",
                   head.e_machine);
  if (!head.e_shnum || head.e_shentsize != sizeof(Elf64_Shdr) ||
      !lies_within(head.e_shoff, head.e_shnum * sizeof(Elf64_Shdr), desc->code_bytes) ||
      !lies_within(head.e_phoff, (uint64_t)head.e_phnum * head.e_phentsize, desc->code_bytes))
    goto damaged;
  for (uint32_t i = 0; i < head.e_shnum; i++) {
    Elf64_Shdr section;
    memcpy(&section, code + head.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS && !lies_within(section.sh_offset, section.sh_size, desc->code_bytes))
      goto damaged;
  }
  return XB_OK;

damaged:
  return xb_fail(err, XB_INVALID, cu_kernel_label(desc),
                 "the cubin is damaged: its headers announce more than its %zu bytes", desc->code_bytes);
}

/* ---- All three -------------------------------------------------------------------------------------------------- */

static cu_image_kind kind_of(const xb_kernel_desc *desc)
{
  if (cu_is_fatbin(desc))
    return CU_IMAGE_FATBIN;
  if (desc->code_bytes >= SELFMAG && !memcmp(desc->code, ELFMAG, SELFMAG))
    return CU_IMAGE_CUBIN;
  return is_ptx(desc) ? CU_IMAGE_PTX : CU_IMAGE_UNKNOWN;
}

static xb_code check(const xb_kernel_desc *desc, cu_image_kind kind, xb_error *err)
{
  switch (kind) {
  case CU_IMAGE_FATBIN: return cu_fatbin_check(desc, err);
  case CU_IMAGE_CUBIN: return check_cubin(desc, err);
  case CU_IMAGE_PTX: return XB_OK; /* zero-terminated text; the driver compiles it */
  default: break;
  }
  return xb_fail(err, XB_INVALID, cu_kernel_label(desc),
                 "the code is not a fat binary, a cubin or PTX: use the output of nvcc -fatbin, -cubin or -ptx");
}

xb_code cu_image_open(const xb_kernel_desc *desc, cu_image *image, xb_error *err)
{
  const cu_image_kind kind = kind_of(desc);
  const xb_code code = check(desc, kind, err);
  *image = (cu_image){.bytes = desc->code};
  if (code || (kind != CU_IMAGE_PTX && (uintptr_t)desc->code % 8 == 0))
    return code;
  char *copy = malloc(desc->code_bytes + 1);
  if (!copy)
    return xb_fail(err, XB_NOMEM, cu_kernel_label(desc), "out of host memory");
  memcpy(copy, desc->code, desc->code_bytes);
  copy[desc->code_bytes] = '\0';
  *image = (cu_image){.bytes = copy, .copy = copy};
  return XB_OK;
}

void cu_image_close(cu_image *image)
{
  free(image->copy);
}
