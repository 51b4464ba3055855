#include "page/template.h"

#include "blob.h"
#include "show/fragment.h"
#include "version.h"

#include <string.h>

static bool is(const char *name, const char *mark, size_t length)
{
  return strlen(name) == length && !strncmp(name, mark, length);
}

static void fill(FILE *out, const xb_page_slot *slots, size_t count, void *user, const char *mark, size_t length)
{
  if (is("style", mark, length))
    fputs(xb_html_style(), out);
  if (is("program", mark, length))
    fputs("xbench " XB_VERSION, out);
  for (size_t i = 0; i < count; i++)
    if (is(slots[i].name, mark, length))
      slots[i].write(user);
}

void xb_template_write(FILE *out, const xb_page_slot *slots, size_t count, void *user, const char *without,
                       const int *code)
{
  const xb_blob *blob = xb_blob_find("page/page.html");
  const char *p = (const char *)blob->data, *end = p + blob->bytes;
  char section[80];
  snprintf(section, sizeof section, "<section id=\"%s\">", without ? without : "");
  const size_t length = strlen(section);
  while (p < end && *code < 0) {
    if (*p == '<' && without && (size_t)(end - p) > length && !memcmp(p, section, length)) {
      const char *close = strstr(p, "</section>");
      p = close ? close + strlen("</section>") : end;
    } else if (end - p > 4 && p[0] == '{' && p[1] == '{') {
      const size_t name_length = strcspn(p + 2, "}");
      fill(out, slots, count, user, p + 2, name_length);
      p += name_length + 4;
    } else
      fputc(*p++, out);
  }
}
