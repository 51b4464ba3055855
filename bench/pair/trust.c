/* What a manifest may ask of compilers, and which files it may name, without a word of the user: it may come from
 * anybody. */
#include "os/paths.h"
#include "os/trusted.h"
#include "pair/fill.h"
#include "pair/read.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

xb_trust xb_pair_trust;

/* Flags that neither write, load nor run anything, in any compiler of the language; with *: and what follows. */
static const char of_cuda[] =
    "-D* -U* -I* -O* -std=* --std=* -g -G -w -W* -arch* --gpu-architecture* -gencode* --generate-code* -lineinfo "
    "--generate-line-info -use_fast_math --use_fast_math -ffast-math -fno-fast-math -ffp-contract=* -fno-math-errno "
    "-funroll-loops -ftz=* --ftz=* -fmad=* --fmad=* -prec-div=* --prec-div=* -prec-sqrt=* --prec-sqrt=* "
    "-maxrregcount* --maxrregcount* -restrict --restrict -extra-device-vectorization --extra-device-vectorization "
    "-default-device --default-device --device-as-default-execution-space -expt-relaxed-constexpr "
    "--expt-relaxed-constexpr -expt-extended-lambda --expt-extended-lambda -extended-lambda --extended-lambda "
    "-diag-suppress* --diag-suppress*";
static const char of_shaders[] =
    "-D* -U* -I* -O* -std=* -g -w -W* --target-env=* -fentry-point=* -fshader-stage=* -fauto-* -fhlsl* "
    "-ftexture-binding-base -fuav-binding-base -fubo-binding-base -fssbo-binding-base -fsampler-binding-base "
    "-fimage-binding-base -finvert-y -fnan-clamp -fpreserve-bindings -fspv-* -fvk-* -T* -E* -HV* -Gis -Ges -Zpr -Zpc "
    "-enable-16bit-types -no-warnings -res-may-alias -all-resources-bound -target* -profile* -stage* -entry* "
    "-capability* -matrix-layout-* -fp-mode* -denorm*";

static bool is_listed(const char *list, const char *flag)
{
  for (size_t n; (n = strcspn(list, " ")); list += n, list += *list == ' ')
    if (list[n - 1] == '*' ? !strncmp(list, flag, n - 1) : !strncmp(list, flag, n) && !flag[n])
      return true;
  return false;
}

/* nvcc hands its words to a shell, and -W with a comma hands them to another program. A word without a dash is the
 * value of the flag before it, and else a file. */
static bool is_allowed(const char *list, const char *before, const char *flag)
{
  const bool value = *flag != '-';
  const char *of = value ? before : flag;
  const bool text = !strncmp(of, "-D", 2) || !strncmp(of, "-U", 2) || !strncmp(of, "-I", 2);
  const char *more = text && (!value || !of[2]) ? ",.+:-/@%~()[]{}*" : value ? "," : flag[1] == 'W' ? ".+:-" : ",.+:-";
  for (const char *p = flag; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '_' && *p != '=' && !strchr(more, *p))
      return false;
  return value ? *of == '-' : is_listed(list, flag);
}

/* A command line names files where it likes. */
static void check_file(xb_manifest_reader *r, const char *key, const char *folder, const char *file)
{
  char path[4096];
  snprintf(path, sizeof path, "%s%s", xb_is_absolute(file) ? "" : folder, file);
  if (r->m->within && !xb_is_within(path, r->m->within))
    xb_refuse_value(r, key, "'%s' is outside of the manifest's folder: give --trust-paths if you trust the manifest",
                    file);
}

typedef struct flags {
  const char *list, *before;
} flags;

static void check_flag(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  const char *flag = json_string_value(item) ? json_string_value(item) : "";
  flags *f = user;
  const bool folder = !strncmp(flag, "-I", 2) && flag[2];
  (void)i;
  if (!xb_pair_trust.flags && !is_allowed(f->list, f->before, flag))
    xb_refuse_value(r, NULL,
                    "'%s' is not a flag that a manifest may set (docs/pairs.md lists them): give "
                    "--trust-flags if you trust the manifest",
                    flag);
  if (folder || !strcmp(f->before, "-I"))
    check_file(r, NULL, "", folder ? flag + 2 : flag); /* from the current folder, as compilers do */
  f->before = flag;
}

static void check_side(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  const char *source = xb_pair_source_of(item);
  flags f = {source && xb_is_cuda_source(source) ? of_cuda : of_shaders, ""};
  (void)i, (void)user;
  if (source && json_is_string(item))
    check_file(r, NULL, r->m->folder, source);
  const char *compiler = json_is_object(item) ? json_string_value(json_object_get(item, "Compiler")) : NULL;
  if (compiler && strchr(compiler, '='))
    xb_refuse_value(r, "Compiler", "'%s': a manifest must not name a compiler's file: use --compiler NAME=PATH",
                    compiler);
  if (json_is_object(item))
    xb_each(r, item, "Flags", 1000, check_flag, &f);
}

/* Sources, arrays, and a library with the right results, however deep they are. */
static void check_values(xb_manifest_reader *r, json_t *value)
{
  const char *key;
  json_t *item;
  size_t i;
  json_array_foreach(value, i, item) check_values(r, item);
  json_object_foreach(value, key, item)
  {
    const char *text = json_string_value(item), *colon = text ? strrchr(text, ':') : NULL;
    char library[4096];
    snprintf(library, sizeof library, "%.*s", colon ? (int)(colon - text) : 0, text ? text : "");
    check_values(r, item);
    if (text && (!strcmp(key, "Source") || xb_is_npy(text) || (colon && !strcmp(key, "Reference"))))
      check_file(r, key, r->m->folder, strcmp(key, "Reference") || !colon || xb_is_npy(text) ? text : library);
  }
}

xb_code xb_pair_check_trust(const xb_pair_manifest *manifest, xb_error *err)
{
  xb_manifest_reader r = {.m = manifest, .err = err};
  xb_each(&r, manifest->root, "Sides", 1000, check_side, NULL);
  check_values(&r, manifest->root);
  return r.code;
}
