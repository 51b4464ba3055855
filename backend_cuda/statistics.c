/* Reads the driver's statistics of a loaded kernel. */
#include "cu.h"

xb_code cu_read_statistics(const xb_be_device *d, const xb_be_kernel *k, xb_kernel_info *info, xb_error *err)
{
  const struct {
    CUfunction_attribute which;
    uint32_t *to;
  } attributes[] = {
      {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &info->max_group_threads},
      {CU_FUNC_ATTRIBUTE_NUM_REGS, &info->registers},
      {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &info->shared_bytes},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &info->spill_bytes},
  };
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    int value = 0;
    const CUresult result = d->cu->FuncGetAttribute(&value, attributes[i].which, k->function);
    if (result)
      return cu_fail(d->cu, err, "cuFuncGetAttribute", result);
    *attributes[i].to = value > 0 ? (uint32_t)value : 0;
  }
  info->spills_known = true;
  info->subgroup_size = 32;
  return XB_OK;
}
