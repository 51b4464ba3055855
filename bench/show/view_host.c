/* The host code: the plan, and the marked functions of the backends, topic by topic. */
#include "blob.h"
#include "show/view.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Only the calls: error handling is most of a backend, and says little about the API ------------------------- */

/* The code of a line, without a comment behind it. */
static size_t code_length(const xb_line *line)
{
  size_t end = 0;
  for (size_t i = 0; i < line->piece_count; i++)
    if (line->pieces[i].kind < XB_PIECE_COMMENT)
      end = line->pieces[i].at + line->pieces[i].length;
  return end;
}

static bool has_call(const xb_line *line, const char *const *prefixes)
{
  for (; *prefixes; prefixes++) {
    const size_t length = strlen(*prefixes), code = code_length(line);
    for (size_t at = 1; at + length < code; at++)
      if (!memcmp(line->text + at, *prefixes, length) && !isalnum((unsigned char)line->text[at - 1]) &&
          line->text[at - 1] != '_' && isalpha((unsigned char)line->text[at + length]))
        return true;
  }
  return false;
}

static bool begins(const xb_line *line, const char *with)
{
  const size_t length = strlen(with);
  size_t at = 0;
  while (at < line->length && line->text[at] == ' ')
    at++;
  return line->length - at >= length && !memcmp(line->text + at, with, length);
}

static bool ends(const xb_line *line, const char *with)
{
  const size_t length = strlen(with), code = code_length(line);
  return code >= length && !memcmp(line->text + code - length, with, length);
}

/* A struct that is filled in for a call. */
static bool begins_struct(const xb_line *line)
{
  static const char *const types[] = {"Vk", "CU", "D3D12_", "const Vk", "const CU", "const D3D12_"};
  bool found = false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    found |= begins(line, types[i]);
  return found && ends(line, "= {");
}

/* The length of the statement that begins at `lines`, after its comment: to a semicolon or a brace. */
static size_t statement(const xb_line *lines, size_t count, bool *is_struct)
{
  size_t first = 0;
  while (first < count && (xb_line_comment(&lines[first]) || xb_line_blank(&lines[first])))
    first++;
  const bool whole = *is_struct = first < count && begins_struct(&lines[first]);
  for (size_t i = first; i < count; i++)
    if (ends(&lines[i], ";") ? !whole || begins(&lines[i], "}")
                             : !whole && (ends(&lines[i], "{") || ends(&lines[i], "}")))
      return i + 1;
  return count;
}

/* Keeps the statements with calls of these prefixes, structs of the APIs, and the comments above functions; all lines
 * if there is no such call. `prefixes` ends with NULL. Returns the new count. */
static size_t keep_calls(xb_line *lines, size_t count, const char *const *prefixes)
{
  size_t kept = 0;
  bool any = false;
  for (size_t i = 0; i < count; i++)
    any |= has_call(&lines[i], prefixes);
  for (size_t i = 0, length; i < count && any; i += length) {
    const bool heading = !lines[i].number || (lines[i].length && lines[i].text[0] == '/');
    length = 1;
    bool keep = heading;
    if (heading) /* a caption, or the comment above a function */
      while (lines[i].number && i + length < count && xb_line_comment(&lines[i + length]))
        length++;
    else
      length = statement(&lines[i], count - i, &keep);
    for (size_t k = i; k < i + length && !begins(&lines[i], "static"); k++)
      keep |= has_call(&lines[k], prefixes);
    for (size_t k = i; k < i + length && keep; k++)
      lines[kept++] = lines[k];
  }
  return any ? kept : count;
}

/* ---- Topics ----------------------------------------------------------------------------------------------------- */

const xb_topic xb_topics[] = {
    {"buffer", "a buffer: memory on the device, or pinned on the host", false},
    {"kernel", "a kernel from its code: a function of a module; a pipeline with its layout or root signature", true},
    {"image", "an image: an array; an image with its memory, its view and its layouts", false},
    {"begin", "beginning a command list: a graph; a command buffer from its own pool; a list with its own allocator",
     false},
    {"dispatch",
     "a dispatch: buffers and arguments as parameters; by descriptor set and push constants; as root parameters", true},
    {"copy", "a copy", false},
    {"barrier", "a barrier: an edge of the graph (nothing, on a stream); a memory barrier; one of UAVs, and of states",
     false},
    {"timestamp", "a timestamp: an event; a query, between barriers", false},
    {"end", "ending the list: instantiate and upload the graph; make results visible to the host", false},
    {"submit",
     "submitting the list: a stream and an event; a queue, a fence and a timeline semaphore; a queue and a fence",
     false},
    {"wait", "waiting with a time limit: poll the event; wait for the fence; poll its value", false},
    {NULL, NULL, false},
};

/* ---- One side of one topic: its functions, each after its path and line ----------------------------------------- */

static void add_function(xb_show_view *view, const xb_listing *source, const xb_part *part, xb_line **lines,
                         size_t *count)
{
  const char *caption = xb_arena_text(&view->arena, "%s:%u", source->path, source->lines[part->first].number);
  xb_line *all = xb_arena_take(&view->arena, *count + part->count + 2, sizeof *all), *end = all + *count;
  view->failed |= !caption || !all;
  if (view->failed)
    return;
  if (*count) {
    memcpy(all, *lines, *count * sizeof *all);
    *end++ = (xb_line){.text = ""};
  }
  *end++ = (xb_line){.text = caption, .length = strlen(caption)};
  memcpy(end, source->lines + part->first, part->count * sizeof *all);
  *lines = all;
  *count = (size_t)(end - all) + part->count;
}

void xb_topic_lines(xb_show_view *view, const char *start, const char *topic, xb_line **lines, size_t *count)
{
  xb_part parts[XB_MAX_PARTS];
  *lines = NULL;
  *count = 0;
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    if (strncmp(b->name, start, strlen(start)) != 0 || !xb_is_source(b->name))
      continue;
    const xb_listing source = xb_show_view_read(view, b->name);
    const size_t part_count = xb_cut_functions(&source, parts);
    for (size_t p = 0; p < part_count; p++)
      if (!strcmp(parts[p].name, topic))
        add_function(view, &source, &parts[p], lines, count);
  }
}

/* ---- The view --------------------------------------------------------------------------------------------------- */

static void add_plan(xb_show_view *view, bool whole)
{
  char path[XB_PATH_BYTES];
  xb_line *lines[XB_COLUMNS] = {NULL};
  size_t counts[XB_COLUMNS] = {0};
  snprintf(path, sizeof path, "bench/benchmarks/%s/", view->pair.variant->benchmark->name);
  static const char *const plan_calls[] = {"xb_plan_", "xb_step_", "plan_", NULL};
  xb_topic_lines(view, path, "plan", lines, counts);
  if (!whole)
    counts[0] = keep_calls(lines[0], counts[0], plan_calls);
  if (counts[0])
    xb_show_view_section(view, "[plan] the recorded commands, the same for all", lines, counts, XB_LAYOUT_ACROSS);
}

/* The lines of all columns; the third is NULL, 0 if it is not shown. */
static void add_topic(xb_show_view *view, const xb_topic *topic, bool whole)
{
  static const char *const driver_calls[] = {"cu->",
                                             "vk.",
                                             "vk->",
                                             "ID3D12Device_",
                                             "ID3D12Resource_",
                                             "ID3D12Fence_",
                                             "ID3D12CommandQueue_",
                                             "ID3D12GraphicsCommandList_",
                                             "dx_serialize_",
                                             NULL};
  xb_line *lines[XB_COLUMNS] = {NULL};
  size_t counts[XB_COLUMNS] = {0}, all = 0;
  for (int i = 0; i < XB_COLUMNS; i++) {
    if (view->shown[i])
      xb_topic_lines(view, view->columns[i], topic->name, &lines[i], &counts[i]);
    if (!whole)
      counts[i] = keep_calls(lines[i], counts[i], driver_calls);
    all += counts[i];
  }
  const char *heading = xb_arena_text(&view->arena, "[%s] %s", topic->name, topic->title);
  view->failed |= !heading;
  if (all)
    xb_show_view_section(view, heading, lines, counts, XB_LAYOUT_BESIDE);
}

void xb_show_view_of_host(xb_show_view *view, bool whole)
{
  const bool kernels = !view->pair.variant || view->pair.variant->source != NO_KERNEL;
  view->shown[XB_SIDES] = view->shown[0] && view->shown[1] && xb_languages[XB_SIDES].backend;
  for (int i = 0; i < XB_COLUMNS; i++) {
    const xb_language *l = i < XB_SIDES ? view->pair.shown[i] : &xb_languages[i];
    view->columns[i] = view->shown[i] ? xb_arena_text(&view->arena, "backend_%s/", l->backend) : NULL;
    view->failed |= view->shown[i] && !view->columns[i];
  }
  if (!whole)
    xb_show_view_remark(view, "Only calls and their structs; --whole shows the functions that they are in.");
  if (view->pair.variant)
    add_plan(view, whole);
  for (const xb_topic *topic = xb_topics; topic->name && !view->failed; topic++)
    if (kernels || !topic->kernels)
      add_topic(view, topic, whole);
}
