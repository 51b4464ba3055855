#include "page/sections/facts.h"

#include "base/html_text.h"

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

static bool is_known(const xb_facts *facts, const xb_fact *fact)
{
  char text[XB_NAME];
  for (size_t c = 0; c < facts->columns; c++)
    if (fact->describe(fact, facts->of[c], text))
      return true;
  return false;
}

static void write_fact(const xb_facts *facts, const xb_fact *fact, FILE *out)
{
  char text[XB_NAME];
  fprintf(out, "<tr><th scope=\"row\">%s</th>", fact->name);
  for (size_t c = 0; c < facts->columns; c++) {
    const char *value = fact->describe(fact, facts->of[c], text);
    xb_html_format(out, "<td>%.600s</td>", value ? value : "unknown");
  }
  fputs("</tr>\n", out);
}

void xb_facts_write(const xb_facts *facts, FILE *out)
{
  fprintf(out,
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table "
          "class=\"facts\"><thead><tr><td></td>",
          facts->title);
  for (size_t c = 0; c < facts->columns; c++)
    xb_html_format(out, "<th scope=\"col\">%.80s</th>", facts->heads[c]);
  fputs("</tr></thead>\n<tbody>\n", out);
  for (size_t f = 0; f < facts->count; f++)
    if (is_known(facts, &facts->facts[f]))
      write_fact(facts, &facts->facts[f], out);
  fputs("</tbody></table></div>\n", out);
  if (facts->columns_in_all > facts->columns)
    fprintf(out, "<p>%zu more are not shown.</p>\n", facts->columns_in_all - facts->columns);
}
