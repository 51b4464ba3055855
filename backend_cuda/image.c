/* The three formats of code. The driver gets a pointer without a size, so the image's own headers are used here to
 * check that it is complete. Its contents are not checked: damaged machine code can crash the driver. */
#include "image.h"

#include "core/elf.h"
#include "core/fatbin.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
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

/* Checks that the file contains all parts that its headers announce. */
static xb_code check_cubin(const xb_kernel_desc *desc, xb_error *err)
{
  xb_elf elf;
  Elf64_Shdr section;
  const char *const label = cu_kernel_label(desc);
  bool whole = xb_elf_open(&elf, desc->code, desc->code_bytes) && elf.head.e_shnum;
  if (desc->code_bytes >= sizeof elf.head &&
      (elf.head.e_ident[EI_CLASS] != ELFCLASS64 || elf.head.e_machine != ELF_MACHINE_CUDA))
    return xb_fail(err, XB_INVALID, label, "the code is an ELF file, but not for a GPU (machine %u)",
                   elf.head.e_machine);
  for (uint32_t i = 0; i < elf.head.e_shnum; i++)
    whole &= xb_elf_section(&elf, i, &section);
  return whole ? XB_OK
               : xb_fail(err, XB_INVALID, label, "the cubin is damaged: its headers describe more than its %zu bytes",
                         desc->code_bytes);
}

/* ---- Fat binaries ----------------------------------------------------------------------------------------------- */

static xb_code check_fatbin(const xb_kernel_desc *desc, xb_error *err)
{
  const char *const label = cu_kernel_label(desc);
  xb_fatbin fatbin;
  xb_fatbin_part part;
  const bool whole = xb_fatbin_open(&fatbin, desc->code, desc->code_bytes);
  if (!fatbin.header)
    return xb_fail(err, XB_INVALID, label, "the fat binary is truncated after %zu bytes", desc->code_bytes);
  if (!whole || fatbin.payload != fatbin.left)
    return xb_fail(err, XB_INVALID, label,
                   "the fat binary is damaged: its header announces %" PRIu64 " + %" PRIu64 " bytes, but it has %zu",
                   fatbin.header, fatbin.payload, desc->code_bytes);
  while (fatbin.left)
    if (!xb_fatbin_next(&fatbin, &part))
      return xb_fail(err, XB_INVALID, label, "the fat binary is damaged: an entry goes past its %zu bytes",
                     desc->code_bytes);
  return XB_OK;
}

void cu_fatbin_architectures(const xb_kernel_desc *desc, char *text, size_t bytes)
{
  size_t length = 0;
  xb_fatbin fatbin;
  xb_fatbin_part part;
  const bool is = xb_fatbin_open(&fatbin, desc->code, desc->code_bytes);
  snprintf(text, bytes, "%s", is ? "nothing" : "another architecture");
  while (is && length + 16 < bytes && xb_fatbin_next(&fatbin, &part))
    if (part.kind == XB_FATBIN_PTX || part.kind == XB_FATBIN_MACHINE)
      length += (size_t)snprintf(text + length, bytes - length, "%s%s%u", length ? " " : "",
                                 part.kind == XB_FATBIN_PTX ? "compute_" : "sm_", part.capability);
}

/* ---- All three -------------------------------------------------------------------------------------------------- */

static cu_image_kind kind_of(const xb_kernel_desc *desc)
{
  if (xb_is_fatbin(desc->code, desc->code_bytes))
    return CU_IMAGE_FATBIN;
  if (desc->code_bytes >= SELFMAG && !memcmp(desc->code, ELFMAG, SELFMAG))
    return CU_IMAGE_CUBIN;
  return is_ptx(desc) ? CU_IMAGE_PTX : CU_IMAGE_UNKNOWN;
}

static xb_code check(const xb_kernel_desc *desc, cu_image_kind kind, xb_error *err)
{
  switch (kind) {
  case CU_IMAGE_FATBIN: return check_fatbin(desc, err);
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
