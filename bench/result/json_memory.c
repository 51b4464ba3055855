#include "result/json_memory.h"

#include <jansson.h>
#include <stdlib.h>

static bool ran_out;

static void *take(size_t bytes)
{
  void *memory = malloc(bytes);
  ran_out |= !memory;
  return memory;
}

void xb_json_watch_memory(void)
{
  json_set_alloc_funcs(take, free);
}

bool xb_json_ran_out(void)
{
  const bool result = ran_out;
  ran_out = false;
  return result;
}
