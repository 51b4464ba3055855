/* A vkd3d that does nothing, but counts its objects, and can fail. The library exports the struct as `fake`. */
#ifndef TEST_D3D12_FAKE_H
#define TEST_D3D12_FAKE_H

#include <stdint.h>

typedef struct fake_control {
  int64_t calls, fail_call; /* calls that can fail; the one that does, counted from 1 */
  int32_t fail_with;
  const char *failed;            /* the call that did; NULL if none */
  int32_t removed;               /* GetDeviceRemovedReason returns it */
  int32_t alive;                 /* objects, and instances */
  int32_t copies, copies_inside; /* between buffers; inside one, which no state of it allows */
} fake_control;

void fake_free_left(void); /* objects of lost devices */
void fake_end(void);       /* at the end: frees the rest */

#endif
