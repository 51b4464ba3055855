/* An instance, such as "ns::kernel<256, float>", is a kernel that the compiler makes when somebody asks for it. So a
 * unit includes the source and asks: with a kernel of its own whose template argument is the instance. In the code,
 * the mangled name of that kernel says which other one the instance is. */
#include "compile/compile.h"

#include <stdlib.h>
#include <string.h>

#define ASKING "xb_pair_instance"

/* Of the C++ library that the validator and SPIRV-Cross need. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

xb_code xb_pair_no_entry(const char *where, const char *entry, const char *all, xb_error *err)
{
  return xb_fail(err, XB_INVALID, where, "%s%s%s; the code has: %s",
                 entry ? "there is no entry point '" : "name one entry point, or several with commas between",
                 entry ? entry : "", entry ? "'" : "", *all ? all : "none");
}

bool xb_is_instance(const char *entry)
{
  return entry && (strpbrk(entry, "<(") || strstr(entry, "::"));
}

bool xb_is_template(const char *entry)
{
  return entry && strpbrk(entry, "<(");
}

const char *xb_demangle(const char *name, xb_arena *arena)
{
  int status;
  char *text = strncmp(name, "_Z", 2) ? NULL : __cxa_demangle(name, NULL, NULL, &status);
  const char *kept = text ? xb_arena_text(arena, "%s", text) : NULL;
  free(text);
  return kept ? kept : name;
}

const char *xb_instance_address(const char *entry, xb_arena *arena)
{
  const size_t length = strlen(entry);
  const char *list = length && entry[length - 1] == ')' ? entry + length - 1 : NULL;
  for (int depth = 1; list && list > entry && depth;) {
    list--;
    depth += (*list == ')') - (*list == '(');
  }
  return list ? xb_arena_text(arena, "static_cast<void (*)%s>(&%.*s)", list, (int)(list - entry), entry)
              : xb_arena_text(arena, "&%s", entry);
}

const char *xb_instance_question(const char *entry, xb_arena *arena)
{
  const char *address = xb_instance_address(entry, arena);
  return xb_arena_text(arena,
                       "\ntemplate <auto kernel> __global__ void " ASKING "() {}\n"
                       "template __global__ void " ASKING "<%s>();\n",
                       address ? address : "");
}

/* Inside of "void xb_pair_instance<&(void ns::kernel<256u, float>(float*))>()", without what is around it. */
static const char *answer_of(const char *demangled, xb_arena *arena)
{
  const char *from = strstr(demangled, ASKING "<"), *end = demangled + strlen(demangled);
  if (!from || end - from < (long)sizeof ASKING + 3)
    return NULL;
  from += strlen(ASKING "<");
  from += *from == '&';
  end -= strlen(">()");
  end -= end[-1] == ' ';
  if (*from == '(' && end[-1] == ')' && strncmp(from, "(anonymous", 10) != 0) {
    from++;
    end--;
  }
  return xb_arena_text(arena, "%.*s", (int)(end - from), from);
}

bool xb_is_probe_symbol(const char *name)
{
  return strstr(name, ASKING);
}

bool xb_matches_probe(const char *question, const char *name, xb_arena *arena)
{
  const char *wanted = answer_of(xb_demangle(question, arena), arena), *is = xb_demangle(name, arena);
  const size_t length = wanted ? strlen(wanted) : 0;
  return wanted && !strncmp(is, wanted, length) && (!is[length] || is[length] == '(');
}
