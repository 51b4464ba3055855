#define _POSIX_C_SOURCE 200809L /* gethostname */
#include "share/share.h"

#include "result/fields.h"
#include "result/json_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct hiding {
  const json_t *devices; /* with their own UUIDs */
  char host[256];
  const char *user;
  size_t replaced;
  bool failed;
} hiding;

/* The n-th device has the UUID that ends in n + 1. An unknown device stays unknown. */
static json_t *other_uuid(const hiding *h, const json_t *uuid)
{
  size_t i;
  json_t *device;
  json_array_foreach(h->devices, i, device) if (json_equal(json_object_get(device, "uuid"), uuid)) break;
  return json_is_string(uuid) ? json_sprintf("00000000-0000-4000-8000-%012zx", i + 1) : json_null();
}

/* Where a path begins in a word, such as "/home/x", "-I/home/x" or "file=../x"; its end if there is none. */
static size_t path_in(const char *word, size_t length)
{
  for (size_t i = 0; i + 1 < length; i++) {
    const bool begins = !i || strchr("=:~<[{", word[i - 1]) || (word[0] == '-' && i == 2);
    if (word[i] == '/' && word[i + 1] == '/') /* an address */
      return length;
    if (begins && (word[i] == '/' || !strncmp(word + i, "../", 3) || !strncmp(word + i, "~/", 2)))
      return i;
  }
  return length;
}

/* "root" and "localhost" name nobody. */
static bool is_name(const char *word, size_t length, const char *name)
{
  return name && strlen(name) == length && length && !strncmp(word, name, length) && strcmp(name, "root") != 0 &&
         strcmp(name, "localhost") != 0;
}

/* The text without paths and names; the caller frees it. */
static char *without_names(hiding *h, const char *text)
{
  const bool words = strchr(text, ' ') != NULL; /* else it may be a name of ours, "vulkan" */
  char *out = malloc(4 * strlen(text) + 8), *end = out;
  while (out && *text) {
    const size_t length = strcspn(text, " \t\n\"'`(),;"), path = path_in(text, length);
    const char *instead = path < length                             ? "PATH"
                          : words && is_name(text, length, h->host) ? "HOST"
                          : words && is_name(text, length, h->user) ? "USER"
                                                                    : NULL;
    const size_t kept = !instead ? length : path < length ? path : 0;
    memcpy(end, text, kept);
    end += kept;
    if (instead) {
      memcpy(end, instead, 4);
      end += 4;
      h->replaced++;
    }
    text += length;
    if (*text)
      *end++ = *text++;
  }
  if (out)
    *end = 0;
  return out;
}

static void hide(hiding *h, json_t *value)
{
  const char *key;
  json_t *part;
  size_t i;
  json_array_foreach(value, i, part) hide(h, part);
  json_object_foreach(value, key, part)
  {
    if (!strcmp(key, "uuid") || (!strcmp(key, "device") && json_is_string(part)))
      h->failed |= json_object_set_new(value, key, other_uuid(h, part)) != 0;
    else if (!strcmp(key, "pci"))
      h->failed |= json_object_set_new(value, key, json_null()) != 0;
    else
      hide(h, part);
  }
  if (!json_is_string(value))
    return;
  char *text = without_names(h, json_string_value(value));
  h->failed |= !text || json_string_set(value, text);
  free(text);
}

json_t *xb_share_anonymous(const xb_document *document, size_t *replaced)
{
  hiding h = {.user = getenv("USER")};
  json_t *root = xb_write_fields(&xb_document_fields, document), *host = json_object_get(root, "host");
  json_t *devices = json_deep_copy(json_object_get(root, "devices"));
  const char *kernel = json_string_value(json_object_get(host, "kernel"));
  h.devices = devices;
  h.failed = !devices || gethostname(h.host, sizeof h.host - 1) ||
             json_object_set_new(root, "schema", json_string("xbench/2"));
  if (kernel)
    h.failed |= json_object_set_new(host, "kernel", json_stringn(kernel, strspn(kernel, "0123456789."))) != 0;
  hide(&h, root);
  json_decref(devices);
  *replaced = h.replaced;
  if (!h.failed && !xb_json_ran_out())
    return root;
  json_decref(root);
  return NULL;
}
