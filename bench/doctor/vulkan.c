#include "doctor/doctor.h"

#include "os/child.h"
#include "os/paths.h"
#include "result/json_file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What came of a driver's library. */
typedef struct opening {
  bool opened, starts; /* it may tell the loader that it cannot work here */
  char why[512];       /* it cannot be opened */
} opening;

static opening open_driver(const char *path)
{
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL), *symbol;
  void (*(*get)(void *instance, const char *name))(void); /* PFN_vkGetInstanceProcAddr */
  opening o = {.opened = library};
  symbol = library ? dlsym(library, "vk_icdGetInstanceProcAddr") : NULL;
  memcpy(&get, &symbol, sizeof get);
  o.starts = !symbol || get(NULL, "vkCreateInstance");
  snprintf(o.why, sizeof o.why, "%s", library ? "" : dlerror());
  return o;
}

static int send_opening(FILE *to, void *path)
{
  const opening o = open_driver(path);
  return fwrite(&o, sizeof o, 1, to) != 1;
}

/* In another process: a driver may crash when it is opened. False: it did. */
static bool open_apart(char *path, opening *o)
{
  xb_copy copy;
  if (!xb_copy_start(&copy, send_opening, path)) {
    *o = open_driver(path);
    return true;
  }
  const bool whole = fread(o, sizeof *o, 1, copy.from) == 1;
  xb_copy_end(&copy);
  return whole;
}

/* A driver's library is found beside its manifest if its name has a slash, else as dlopen finds it. */
static void say_driver(xb_doctor *d, const char *path)
{
  char full[PATH_MAX];
  xb_error mistake;
  json_t *root;
  xb_json_load(path, &root, &mistake);
  const char *library = json_string_value(json_object_get(json_object_get(root, "ICD"), "library_path"));
  const char *slash = strrchr(path, '/');
  const bool relative = library && strchr(library, '/') && *library != '/' && slash;
  if (library)
    snprintf(full, sizeof full, "%.*s%s", relative ? (int)(slash + 1 - path) : 0, path, library);
  opening o = {.why = "it names no library_path"};
  if (library && !open_apart(full, &o))
    xb_doctor_say(d, XB_BROKEN, "Vulkan drivers", "update the driver, or remove the manifest",
                  "%s: %s crashes when it is opened", path, library);
  else if (o.opened && !o.starts)
    xb_doctor_say(d, XB_REMARK, "Vulkan drivers",
                  "check that all parts of the driver are installed; NVIDIA's are also libnvidia-glvkspirv and "
                  "libnvidia-gpucomp",
                  "%s: %s exists, but creates no instance", path, library);
  else if (o.opened)
    xb_doctor_say(d, XB_FOUND, "Vulkan drivers", NULL, "%s: %s", path, library);
  else
    xb_doctor_say(d, XB_REMARK, "Vulkan drivers", "install the driver's library, or remove the manifest", "%s%s%s",
                  root ? path : mistake.message, root ? ": " : "", root ? o.why : "");
  json_decref(root);
}

static bool is_manifest(const char *name)
{
  const size_t length = strlen(name);
  return length > 5 && !strcmp(name + length - 5, ".json");
}

/* Returns the number of manifests in the folder. */
static size_t say_folder(xb_doctor *d, const char *folder, void (*say)(xb_doctor *d, const char *path))
{
  char path[PATH_MAX];
  size_t count = 0;
  struct dirent *entry;
  DIR *files = opendir(folder);
  while (files && (entry = readdir(files)))
    if (is_manifest(entry->d_name)) {
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      say(d, path);
      count++;
    }
  if (files)
    closedir(files);
  return count;
}

/* The loader's folders for system-wide manifests, and the user's own. */
static size_t say_folders(xb_doctor *d, const char *kind, void (*say)(xb_doctor *d, const char *path))
{
  static const char *const folders[] = {"/etc/vulkan", "/usr/local/share/vulkan", "/usr/share/vulkan"};
  const char *home = getenv("HOME"), *data = getenv("XDG_DATA_HOME");
  char path[PATH_MAX];
  size_t count = 0;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(path, sizeof path, "%s/%s", folders[i], kind);
    count += say_folder(d, path, say);
  }
  data = data && *data ? data : NULL;
  if (data || (home && *home)) {
    snprintf(path, sizeof path, "%s%s/vulkan/%s", data ? data : home, data ? "" : "/.local/share", kind);
    count += say_folder(d, path, say);
  }
  return count;
}

static const char *named_drivers(const char **variable)
{
  const char *files = getenv("VK_DRIVER_FILES");
  *variable = files ? "VK_DRIVER_FILES" : "VK_ICD_FILENAMES";
  return files ? files : getenv("VK_ICD_FILENAMES");
}

size_t xb_doctor_each_driver(xb_doctor *d, void (*say)(xb_doctor *d, const char *path))
{
  char path[PATH_MAX];
  const char *variable, *named = named_drivers(&variable);
  size_t count = named ? 0 : say_folders(d, "icd.d", say);
  for (const char *p = named ? named : ""; *p; p += strspn(p, ":")) {
    const int length = (int)strcspn(p, ":");
    snprintf(path, sizeof path, "%.*s", length, p);
    p += length;
    if (is_manifest(path))
      say(d, path);
    count += is_manifest(path) ? 1 : say_folder(d, path, say);
  }
  return count;
}

static void say_layer(xb_doctor *d, const char *path)
{
  json_t *root;
  xb_json_load(path, &root, NULL);
  const json_t *layer = json_object_get(root, "layer");
  const char *name = json_string_value(json_object_get(layer, "name"));
  void *enable = json_object_iter(json_object_get(layer, "enable_environment"));
  const char *wanted = json_string_value(json_object_iter_value(enable));
  const char *value = enable ? getenv(json_object_iter_key(enable)) : NULL;
  void *disable = json_object_iter(json_object_get(layer, "disable_environment"));
  if (name && value && wanted && !strcmp(value, wanted))
    xb_doctor_say(d, XB_REMARK, "Vulkan layers",
                  xb_arena_text(&d->arena, "unset %s to turn it off", json_object_iter_key(enable)),
                  "%s is on: its time is part of host times", name);
  else if (name && enable)
    xb_doctor_say(d, XB_FOUND, "Vulkan layers", NULL, "%s: on if its variable is set", name);
  else if (name)
    xb_doctor_say(d, XB_REMARK, "Vulkan layers",
                  disable ? xb_arena_text(&d->arena, "%s=1 turns it off", json_object_iter_key(disable))
                          : xb_arena_text(&d->arena, "remove %s to turn it off", path),
                  "%s is always on", name);
  json_decref(root);
}

static void say_optional_layer(xb_doctor *d, const char *path)
{
  json_t *root;
  xb_json_load(path, &root, NULL);
  const json_t *layer = json_object_get(root, "layer");
  const char *name = json_string_value(json_object_get(layer, "name"));
  const char *version = json_string_value(json_object_get(layer, "api_version"));
  if (name)
    xb_doctor_say(d, XB_FOUND, "Vulkan layers", NULL, "%s, for Vulkan %s", name, version ? version : "?");
  json_decref(root);
}

void xb_doctor_vulkan(xb_doctor *d)
{
  const char *variable, *named = named_drivers(&variable);
  if (!XB_HAS_MANIFEST_FOLDERS) {
    xb_doctor_say(d, XB_FOUND, "Vulkan drivers", NULL,
                  "this system's registry names drivers and layers: vulkaninfo lists them");
    return;
  }
  if (named)
    xb_doctor_say(d, xb_doctor_runs(d, "spv") ? XB_FOUND : XB_REMARK, "Vulkan drivers",
                  xb_arena_text(&d->arena, "unset %s to search all folders", variable),
                  "%s is set: the loader uses only what it names", variable);
  if (!xb_doctor_each_driver(d, say_driver))
    xb_doctor_say(d, XB_REMARK, "Vulkan drivers", "install a driver, or correct the variable",
                  "there is no manifest of a driver");
  say_folders(d, "implicit_layer.d", say_layer);
  if (!say_folders(d, "explicit_layer.d", say_optional_layer))
    xb_doctor_say(d, XB_REMARK, "Vulkan layers", "Debian: apt-get install vulkan-validationlayers",
                  "no validation layer: XB_VALIDATION=1 cannot check Vulkan calls");
}
