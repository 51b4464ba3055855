#include "guide/guide.h"

#include <string.h>

#define XB_GUIDE(name, entries, title) void xb_guide_case_##name(xb_guide *g);
#include "guide/guide.def"
#undef XB_GUIDE

static const xb_guide_case table[] = {
#define XB_GUIDE(name, entries, title) {#name, title, xb_guide_case_##name},
#include "guide/guide.def"
#undef XB_GUIDE
};

size_t xb_guide_case_count(void)
{
  return sizeof table / sizeof *table;
}

const xb_guide_case *xb_guide_case_at(size_t i)
{
  return i < xb_guide_case_count() ? &table[i] : NULL;
}

const xb_guide_case *xb_guide_case_find(const char *name)
{
  for (size_t i = 0; i < xb_guide_case_count(); i++)
    if (!strcmp(table[i].name, name))
      return &table[i];
  return NULL;
}
