/* Simulated semaphores that leave the device. A file descriptor leads to the handle of the semaphore, and an imported
 * one stands for it: lavapipe's semaphores are memory of this process, which any device can use. */
#define _GNU_SOURCE /* memfd_create */
#include "internal.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 16, MOST_OF_A_LIST = 32 };

static struct {
  VkSemaphore imported, real;
  VkDevice owner; /* it has destroyed the real one */
} aliases[MOST];

static VkSemaphore real_one(VkSemaphore handle)
{
  for (int i = 0; i < MOST; i++)
    if (aliases[i].imported == handle && handle)
      return aliases[i].real;
  return handle;
}

void shim_semaphore_info(VkSemaphoreCreateInfo *info)
{
  static VkSemaphoreTypeCreateInfo plain;
  if (!shim_fake.semaphores || !info->pNext)
    return;
  plain = *(const VkSemaphoreTypeCreateInfo *)info->pNext;
  plain.pNext = NULL; /* the export */
  info->pNext = &plain;
}

bool shim_keeps(VkDevice device, VkSemaphore handle)
{
  bool kept = false;
  for (int i = 0; i < MOST; i++) {
    if (aliases[i].imported == handle) {
      if (aliases[i].owner)
        NEXT(DestroySemaphore)(aliases[i].owner, aliases[i].real, NULL);
      memset(&aliases[i], 0, sizeof aliases[i]);
    } else if (aliases[i].real == handle) {
      aliases[i].owner = device;
      kept = true;
    }
  }
  return kept;
}

void shim_GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice physical,
                                                       const VkPhysicalDeviceExternalSemaphoreInfo *info,
                                                       VkExternalSemaphoreProperties *out)
{
  shim_enter(FN_GetPhysicalDeviceExternalSemaphoreProperties);
  NEXT(GetPhysicalDeviceExternalSemaphoreProperties)(physical, info, out);
  if (shim_fake.semaphores)
    out->externalSemaphoreFeatures =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
}

VkResult shim_GetSemaphoreFdKHR(VkDevice device, const VkSemaphoreGetFdInfoKHR *info, int *fd)
{
  const VkResult failed = shim_enter(FN_GetSemaphoreFdKHR);
  (void)device;
  *fd = -2;
  if (failed)
    return failed;
  *fd = memfd_create("semaphore", 0);
  const bool good = *fd >= 0 && write(*fd, &info->semaphore, sizeof info->semaphore) == sizeof info->semaphore;
  return good ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS;
}

VkResult shim_ImportSemaphoreFdKHR(VkDevice device, const VkImportSemaphoreFdInfoKHR *info)
{
  const VkResult failed = shim_enter(FN_ImportSemaphoreFdKHR);
  VkSemaphore real;
  (void)device;
  if (failed)
    return failed;
  if (pread(info->fd, &real, sizeof real, 0) != sizeof real)
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  int i = 0;
  while (i < MOST - 1 && aliases[i].imported)
    i++;
  aliases[i].imported = info->semaphore;
  aliases[i].real = real;
  close(info->fd);
  return VK_SUCCESS;
}

VkResult shim_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
  const VkResult failed = shim_enter(FN_QueueSubmit);
  VkSubmitInfo changed = *infos;
  VkSemaphore waits[MOST_OF_A_LIST], signals[MOST_OF_A_LIST];
  if (failed)
    return failed;
  if (count != 1 || infos->waitSemaphoreCount > MOST_OF_A_LIST || infos->signalSemaphoreCount > MOST_OF_A_LIST)
    shim_wrong("a submission of many");
  for (uint32_t i = 0; i < infos->waitSemaphoreCount; i++)
    waits[i] = real_one(infos->pWaitSemaphores[i]);
  for (uint32_t i = 0; i < infos->signalSemaphoreCount; i++)
    signals[i] = real_one(infos->pSignalSemaphores[i]);
  changed.pWaitSemaphores = waits;
  changed.pSignalSemaphores = signals;
  return NEXT(QueueSubmit)(queue, count, &changed, fence);
}
