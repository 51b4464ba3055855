/* The members' vectors: filled, checked, and seen by the devices of other members. */
#include "benchmarks/allreduce/schedule.h"
#include "benchmarks/input.h"
#include "machine/inventory.h"
#include "scale/scale.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ELEMENT_BYTES = 4, AT_ONCE = 1 << 22 }; /* elements */

typedef struct sums {
  const xb_case *c;
  uint32_t members;
} sums;

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const sums *s = user;
  xb_allreduce_sums(s->c->dtype, s->c->seed, 0, s->members, first, count, expected);
}

xb_code xb_vector_fill(const xb_case *c, xb_buffer *vector, uint32_t member, xb_error *err)
{
  const uint64_t length = xb_buffer_bytes(vector) / ELEMENT_BYTES;
  void *words = malloc((length < AT_ONCE ? length : AT_ONCE) * ELEMENT_BYTES);
  xb_code code = words ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  for (uint64_t first = 0; first < length && !code; first += AT_ONCE) {
    const uint64_t some = length - first < AT_ONCE ? length - first : AT_ONCE;
    xb_allreduce_sums(c->dtype, c->seed, member, member + 1, first, some, words);
    code = xb_upload(vector, first * ELEMENT_BYTES, words, some * ELEMENT_BYTES, err);
  }
  free(words);
  return code;
}

xb_code xb_vector_check(const xb_case *c, xb_buffer *vector, uint32_t members, xb_error *err)
{
  const uint64_t length = xb_buffer_bytes(vector) / ELEMENT_BYTES;
  const sums all = {c, members};
  void *words = malloc((length < AT_ONCE ? length : AT_ONCE) * ELEMENT_BYTES);
  xb_code code = words ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  for (uint64_t first = 0; first < length && !code; first += AT_ONCE) {
    const uint64_t some = length - first < AT_ONCE ? length - first : AT_ONCE;
    uint64_t element;
    char bits[64], why[128];
    code = xb_download(vector, first * ELEMENT_BYTES, words, some * ELEMENT_BYTES, err);
    const xb_chunk chunk = {.first = first, .count = some, .data = words};
    if (!code && !xb_words_match(&chunk, expect, &all, &element, bits)) {
      snprintf(why, sizeof why, "element %" PRIu64 " %s", element, bits);
      code = xb_scale_wrong(err, why);
    }
  }
  free(words);
  return code;
}

/* This GPU through an API that sees memory of other GPUs. */
static xb_code open_helper(const xb_device_info *info, xb_device **helper, xb_error *err)
{
  xb_inventory *inventory = calloc(1, sizeof *inventory);
  xb_code code = XB_UNSUPPORTED;
  if (!inventory)
    return xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  xb_take_inventory(inventory);
  for (size_t g = 0; g < inventory->gpu_count && code == XB_UNSUPPORTED; g++)
    for (size_t b = 0; b < inventory->backend_count && code == XB_UNSUPPORTED; b++) {
      const xb_device_info *other = inventory->gpus[g].by_backend[b];
      if (other && other->imports_peers && xb_same_gpu(other, info))
        code = xb_device_open(&(xb_device_desc){.backend = xb_backend_at(b), .index = other->index}, helper, err);
    }
  free(inventory);
  return code != XB_UNSUPPORTED || *helper
             ? code
             : xb_fail(err, XB_UNSUPPORTED, "scale",
                       "no other API reaches '%s' and accesses the memory of other GPUs; CUDA can", info->name);
}

/* The same memory, of the member's device. */
static xb_code make_both(const xb_link *link, const xb_scale_member *m, uint64_t bytes, xb_buffer **own,
                         xb_buffer **helpers, xb_error *err)
{
  const xb_buffer_desc made = {.label = "the helper's", .bytes = bytes, .exportable = true};
  xb_buffer_desc same = {.label = "shared", .mem = XB_MEM_SHARED, .bytes = bytes};
  xb_code code = xb_buffer_create(link->helper, &made, helpers, err);
  code = code ? code : xb_buffer_export(*helpers, &same.shared, err);
  if (code)
    return code;
  code = xb_buffer_create(m->device, &same, own, err);
  if (code)
    close(same.shared.fd);
  return code;
}

xb_code xb_link_open_helper(xb_link *link, const xb_scale_member *m, uint64_t bytes, uint64_t arrived_bytes,
                            xb_buffer **data, xb_buffer **arrived, xb_error *err)
{
  if (m->info.imports_peers)
    return xb_fail(err, XB_UNSUPPORTED, "scale", "%s needs no second API: use --route peer", m->info.backend);
  if (!m->info.imports)
    return xb_fail(err, XB_UNSUPPORTED, "scale", "'%s' cannot import memory of other devices through %s", m->info.name,
                   m->info.backend);
  xb_code code = open_helper(&m->info, &link->helper, err);
  link->device = link->helper;
  code = code ? code : make_both(link, m, bytes, data, &link->data, err);
  return code ? code : make_both(link, m, arrived_bytes, arrived, &link->arrived, err);
}

/* Takes over the descriptors that it can use. */
static xb_code open_theirs(xb_link *link, const xb_team *team, const xb_shared *all, int *fds, xb_error *err)
{
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < link->members && !code; i++) {
    xb_buffer_desc desc = {.label = "theirs", .mem = XB_MEM_SHARED, .bytes = all[i].bytes, .shared = all[i]};
    desc.shared.fd = fds[i];
    if (i == team->rank)
      continue;
    code = xb_buffer_create(link->device, &desc, &link->theirs[i], err);
    fds[i] = code ? fds[i] : -1;
  }
  return code;
}

/* One member after another: copies of a descriptor share its file offset, and lavapipe reads from there. */
static xb_code open_in_turn(xb_link *link, xb_team *team, const xb_shared *all, int *fds, xb_error *err)
{
  char mine = 0, ignored[XB_MOST_MEMBERS];
  xb_code code = XB_OK;
  for (uint32_t turn = 0; turn < team->active; turn++) {
    if (turn == team->rank)
      code = open_theirs(link, team, all, fds, err);
    const xb_code lost = xb_team_gather(team, &mine, ignored, sizeof mine, err);
    if (lost)
      return lost;
  }
  return code;
}

/* All members come to each of the collective calls, or none. */
static xb_code share(xb_link *link, xb_team *team, const xb_shared *memory, xb_error *err)
{
  xb_shared all[XB_MOST_MEMBERS];
  int fds[XB_MOST_MEMBERS];
  for (uint32_t m = 1; m < team->active; m++)
    if (strcmp(team->hosts[m], team->hosts[0]) != 0)
      return xb_fail(err, XB_UNSUPPORTED, "scale", "devices of several hosts do not reach each other's memory");
  xb_code code = xb_team_gather(team, memory, all, sizeof *memory, err);
  if (code)
    return code;
  code = xb_team_agree(team, xb_team_descriptors(team, memory->fd, fds, err), err);
  code = code ? code : open_in_turn(link, team, all, fds, err);
  for (uint32_t m = 0; m < team->active; m++)
    if (fds[m] >= 0)
      close(fds[m]);
  return code;
}

xb_code xb_link_open(xb_link *link, xb_scale_member *m, xb_buffer *data, xb_error *err)
{
  xb_shared mine = {.fd = -1};
  xb_team *team = m->team;
  link->members = team->active;
  link->device = link->helper ? link->helper : m->device;
  link->theirs = calloc(team->active, sizeof *link->theirs);
  xb_code code = link->theirs ? xb_buffer_export(link->helper ? link->data : data, &mine, err)
                              : xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  code = xb_team_agree(team, code, err);
  code = code ? code : share(link, team, &mine, err);
  const xb_code agreed = xb_team_agree(team, code, err); /* all have taken what they need of it */
  if (mine.fd >= 0)
    close(mine.fd);
  return agreed;
}

xb_code xb_link_copy(xb_link *link, uint32_t from, uint64_t begin, uint64_t bytes, bool arrives, xb_commands **list,
                     xb_error *err)
{
  const xb_code code = xb_commands_create(link->device, &(xb_commands_desc){.label = "link"}, list, err);
  if (code)
    return code;
  xb_cmd_copy(*list, arrives ? link->arrived : link->data, arrives ? 0 : begin, link->theirs[from], begin, bytes);
  return xb_commands_finish(*list, err);
}

void xb_link_close(xb_link *link)
{
  for (uint32_t i = 0; link->theirs && i < link->members; i++)
    xb_buffer_destroy(link->theirs[i]);
  free(link->theirs);
  xb_buffer_destroy(link->data);
  xb_buffer_destroy(link->arrived);
  if (link->helper)
    xb_device_close(link->helper, NULL);
}
