#include "guide/guide.h"

#include <string.h>

#define XB_GUIDE(name, entries, title) void xb_guide_case_##name(xb_guide *g);
#include "guide/guide.def"
#undef XB_GUIDE

const xb_guide_case xb_guide_cases[] = {
#define XB_GUIDE(name, entries, title) {#name, #entries, title, xb_guide_case_##name},
#include "guide/guide.def"
#undef XB_GUIDE
};
const size_t xb_guide_case_count = sizeof xb_guide_cases / sizeof *xb_guide_cases;

const xb_guide_case *xb_guide_case_find(const char *name)
{
  for (size_t i = 0; i < xb_guide_case_count; i++)
    if (!strcmp(xb_guide_cases[i].name, name))
      return &xb_guide_cases[i];
  return NULL;
}
