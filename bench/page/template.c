#include "page/template.h"

#include "blob.h"
#include "show/view.h"
#include "version.h"

#include <string.h>

static bool is(const char *name, const char *mark, size_t length)
{
  return strlen(name) == length && !strncmp(name, mark, length);
}

static void fill(xb_page *page, const xb_page_slot *slots, size_t count, const char *mark, size_t length)
{
  if (is("style", mark, length))
    fputs(xb_html_style(), page->out);
  if (is("program", mark, length))
    fputs("xbench " XB_VERSION, page->out);
  for (size_t i = 0; i < count; i++)
    if (is(slots[i].name, mark, length))
      slots[i].write(page);
}

void xb_template_write(xb_page *page, const xb_page_slot *slots, size_t count, const char *without)
{
  const xb_blob *blob = xb_blob_find("page/page.html");
  const char *p = (const char *)blob->data, *end = p + blob->bytes;
  char section[80];
  snprintf(section, sizeof section, "<section id=\"%s\">", without ? without : "");
  const size_t length = strlen(section);
  while (p < end && page->code < 0) {
    if (*p == '<' && without && (size_t)(end - p) > length && !memcmp(p, section, length)) {
      const char *close = strstr(p, "</section>");
      p = close ? close + strlen("</section>") : end;
    } else if (end - p > 4 && p[0] == '{' && p[1] == '{') {
      const size_t name_length = strcspn(p + 2, "}");
      fill(page, slots, count, p + 2, name_length);
      p += name_length + 4;
    } else
      fputc(*p++, page->out);
  }
}
