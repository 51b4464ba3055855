#include "size_case.h"

#include <string.h>

bool fits(const size_case *s, const xb_benchmark *benchmark)
{
  return benchmark->matrix == (s->rows != 0) && benchmark->product == (s->inner != 0);
}

void set_cell(xb_cell *cell, const xb_variant *v, const xb_workload *w, const size_case *s, uint32_t block,
              const xb_device_info *info)
{
  *cell = (xb_cell){
      .c = {.variant = v,
            .dtype = s->dtype,
            .n = s->n,
            .rows = s->rows ? s->rows : 1,
            .columns = s->rows ? s->columns : s->n,
            .inner = v->benchmark->inner ? v->benchmark->inner : s->inner,
            .block = block,
            .repeats = s->repeats,
            .seed = SEED,
            .window_bytes = s->window_bytes ? s->window_bytes : xb_largest_window(info),
            .device = info},
      .workload = w,
  };
  memcpy(cell->c.at, s->at, sizeof s->at);
}
