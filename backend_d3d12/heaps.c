/* Places of small buffers: a heap has 256 of them, of 64 KiB each. A buffer takes several, one behind the other. */
#include "dx.h"

#include <stdlib.h>
#include <string.h>

static uint32_t places_of(uint64_t bytes)
{
  return (uint32_t)((bytes + DX_PLACE_BYTES - 1) / DX_PLACE_BYTES);
}

/* The first of `count` free places; DX_PLACES if there are none. */
static uint32_t find_places(const dx_heap *heap, uint32_t count)
{
  for (uint32_t first = 0, run; first + count <= DX_PLACES; first += run + 1) {
    for (run = 0; run < count && !heap->taken[first + run];)
      run++;
    if (run == count)
      return first;
  }
  return DX_PLACES;
}

static xb_code add_heap(xb_be_device *d, const D3D12_HEAP_PROPERTIES *properties, xb_mem mem, xb_error *err)
{
  const D3D12_HEAP_DESC desc = {.SizeInBytes = (uint64_t)DX_PLACES * DX_PLACE_BYTES,
                                .Properties = *properties,
                                .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
  void *made = NULL;
  dx_heap *heap = calloc(1, sizeof *heap);
  if (!heap)
    return dx_no_host_memory(err, "ID3D12Device::CreateHeap");
  const HRESULT result = ID3D12Device_CreateHeap(d->handle, &desc, &IID_ID3D12Heap, &made);
  if (FAILED(result)) {
    free(heap);
    return dx_device_fail(d, err, "ID3D12Device::CreateHeap", result);
  }
  heap->handle = made;
  heap->next = d->heaps[mem];
  d->heaps[mem] = heap;
  return XB_OK;
}

/* [buffer] A small buffer gets a place in a heap, which it shares with others. */
xb_code dx_take_place(xb_be_device *d, const D3D12_HEAP_PROPERTIES *properties, xb_mem mem, uint64_t bytes,
                      dx_heap **heap, uint32_t *place, xb_error *err)
{
  const uint32_t count = places_of(bytes);
  for (*heap = d->heaps[mem]; *heap && (*place = find_places(*heap, count)) == DX_PLACES; *heap = (*heap)->next)
    ;
  if (!*heap) {
    const xb_code code = add_heap(d, properties, mem, err);
    if (code)
      return code;
    *heap = d->heaps[mem];
    *place = 0;
  }
  memset((*heap)->taken + *place, true, count);
  return XB_OK;
}

/* A heap that has become empty is kept for the next buffer. */
void dx_leave_place(dx_heap *heap, uint32_t place, uint64_t bytes)
{
  memset(heap->taken + place, false, places_of(bytes));
}

void dx_heaps_free(xb_be_device *d)
{
  for (size_t mem = 0; mem < sizeof d->heaps / sizeof *d->heaps; mem++)
    while (d->heaps[mem]) {
      dx_heap *heap = d->heaps[mem];
      d->heaps[mem] = heap->next;
      if (!d->dead)
        DX_RELEASE(heap->handle);
      free(heap);
    }
}
