#include "code.h"

#include "blob.h"
#include "table.h"

#include <stdio.h>
#include <string.h>

static const xb_blob *find(const char *name)
{
  for (const xb_blob *b = xb_blobs; b->name; b++)
    if (!strcmp(b->name, name))
      return b;
  return NULL;
}

xb_code xb_find_code(const xb_case *c, xb_kernel_desc *desc, xb_error *err)
{
  const xb_variant *v = xb_variant_of_kernel(c->variant);
  const char *const dtype = xb_dtype_name(c->dtype);
  static _Thread_local char entry[64];
  char name[128];
  if (!strcmp(c->device->backend, "cuda")) { /* a fat binary has an entry point for each type and group size */
    snprintf(name, sizeof name, "%s/%u_%s.fatbin", v->benchmark, v->number, v->name);
    snprintf(entry, sizeof entry, "%s_%s_%u", v->benchmark, dtype, c->block);
  } else { /* a module for each */
    snprintf(name, sizeof name, "%s/%u_%s.%s.%u.spv", v->benchmark, v->number, v->name, dtype, c->block);
    snprintf(entry, sizeof entry, "%s", v->benchmark);
  }
  const xb_blob *blob = find(name);
  if (!blob)
    return xb_fail(err, XB_UNSUPPORTED, v->benchmark, "this program has no code %s", name);
  desc->code = blob->data;
  desc->code_bytes = blob->bytes;
  desc->entry = entry;
  return XB_OK;
}
