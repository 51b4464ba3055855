/* Copies by a group. The first thread copies at once; the others see it when they have waited. */
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups
{
template <class G, class T, class U> void memcpy_async(const G &group, T *to, const U *from, size_t bytes)
{
  if (group.thread_rank() == 0)
    memcpy((void *)to, (const void *)from, bytes);
}
/* Elements: as many as both have. */
template <class G, class T> void memcpy_async(const G &group, T *to, size_t room, const T *from, size_t there)
{
  memcpy_async(group, to, from, sizeof(T) * (room < there ? room : there));
}
template <class G> void wait(const G &group, XB_CPU_FILE) { group.sync(xb_file, xb_line); }
template <unsigned int LATEST, class G> void wait_prior(const G &group, XB_CPU_FILE) { group.sync(xb_file, xb_line); }
} // namespace cooperative_groups
