#include "page/sections/facts.h"

#include "sheet/sheet.h"

#include <stddef.h>

void xb_facts_add(xb_facts *facts, const void *of, const char *head, bool (*same)(const void *a, const void *b))
{
  for (size_t c = 0; c < facts->columns; c++)
    if (same(facts->of[c], of))
      return;
  facts->columns_in_all++;
  if (facts->columns == XB_FACTS_COLUMNS)
    return;
  facts->of[facts->columns] = of;
  facts->heads[facts->columns++] = head;
}

static const void *fact_at(const xb_sheet *s, size_t i)
{
  const xb_facts *facts = s->user;
  char text[XB_NAME];
  for (size_t c = 0; c < facts->columns; c++)
    if (facts->facts[i].describe(&facts->facts[i], facts->of[c], text))
      return &facts->facts[i];
  return NULL;
}

XB_COLUMN_TEXT(describe)
{
  char text[XB_NAME];
  const xb_fact *fact = row;
  const char *value = fact->describe(fact, c->of, text);
  snprintf(out, XB_SHEET_TEXT, "%s", value ? value : "unknown");
}

void xb_facts_write(const xb_facts *facts, FILE *out)
{
  static xb_sheet s; /* too large for a stack */
  s = (xb_sheet){.user = facts, .row = fact_at, .rows = facts->count};
  xb_sheet_add(&s,
               (xb_column){"", .head = true, .left = true, .text = xb_text_member, .offset = offsetof(xb_fact, name)});
  for (size_t c = 0; c < facts->columns; c++)
    xb_sheet_add(&s, (xb_column){facts->heads[c], .left = true, .text = describe, .of = facts->of[c]});
  xb_sheet_html(&s, out, facts->title, "facts");
  if (facts->columns_in_all > facts->columns)
    fprintf(out, "<p>%zu more are not shown.</p>\n", facts->columns_in_all - facts->columns);
}
