/* cuGetProcAddress. It finds every function in the backend's own table, unless FAKE_CUDA has "lacks NAME". */
#include "fake.h"

#include <stdio.h>
#include <string.h>

typedef void (*proc)(void);

CUresult cuGetProcAddress_v2(const char *name, void **pointer, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
#define ENTRY(symbol, oldest, arguments) {"cu" #symbol, oldest, (proc)cu##symbol},
  static const struct {
    const char *name;
    int oldest;
    proc function;
  } table[] = {CU_SYMBOLS(ENTRY) CU_OPTIONAL_SYMBOLS(ENTRY)};
  char lacks[80];
  (void)flags;
  snprintf(lacks, sizeof lacks, "lacks %s", name);
  *pointer = NULL;
  *status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (version > 13000)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name) && version >= table[i].oldest && !fake_has(lacks)) {
      memcpy(pointer, &table[i].function, sizeof *pointer);
      *status = CU_GET_PROC_ADDRESS_SUCCESS;
    }
  return CUDA_SUCCESS; /* even if the name is missing, as the real driver */
}
