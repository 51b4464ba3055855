#include "code.h"

#include "blob.h"

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
  char name[128];
  snprintf(name, sizeof name, "%s/%u_%s.%s.%u.spv", c->variant->benchmark, c->variant->number, c->variant->name,
           xb_dtype_name(c->dtype), c->block);
  const xb_blob *blob = find(name);
  if (!blob)
    return xb_fail(err, XB_UNSUPPORTED, c->variant->benchmark, "this program has no code %s", name);
  desc->code = blob->data;
  desc->code_bytes = blob->bytes;
  desc->entry = c->variant->benchmark;
  return XB_OK;
}
