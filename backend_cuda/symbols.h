/* The functions used from libcuda.so.1, which is opened at run time. Each has its ABI's version, which selects both the
 * pointer's type and the symbol that cuGetProcAddress returns, so the two always match. */
#ifndef XB_CUDA_SYMBOLS_H
#define XB_CUDA_SYMBOLS_H

#include <cudaTypedefs.h>

#include "xb/error.h"

enum { CU_OLDEST_DRIVER = 12000 }; /* cuGetProcAddress_v2 */

#define CU_SYMBOLS(X)                                                                                                  \
  X(Init, 2000)                                                                                                        \
  X(GetErrorName, 6000)                                                                                                \
  X(DeviceGetCount, 2000)                                                                                              \
  X(DeviceGet, 2000)                                                                                                   \
  X(DeviceGetName, 2000)                                                                                               \
  X(DeviceGetUuid, 11040)                                                                                              \
  X(DeviceGetPCIBusId, 4010)                                                                                           \
  X(DeviceGetAttribute, 2000)                                                                                          \
  X(DeviceGetTexture1DLinearMaxWidth, 11010)                                                                           \
  X(DeviceTotalMem, 3020)                                                                                              \
  X(DevicePrimaryCtxRetain, 7000)                                                                                      \
  X(DevicePrimaryCtxRelease, 11000)                                                                                    \
  X(CtxCreate, 3020)                                                                                                   \
  X(CtxDestroy, 4000)                                                                                                  \
  X(CtxSetLimit, 3010)                                                                                                 \
  X(CtxGetLimit, 3010)                                                                                                 \
  X(CtxResetPersistingL2Cache, 11000)                                                                                  \
  X(CtxSetCurrent, 4000)                                                                                               \
  X(MemGetInfo, 3020)                                                                                                  \
  X(MemAlloc, 3020)                                                                                                    \
  X(MemFree, 3020)                                                                                                     \
  X(MemHostAlloc, 2020)                                                                                                \
  X(MemHostGetDevicePointer, 3020)                                                                                     \
  X(MemFreeHost, 2000)                                                                                                 \
  X(ImportExternalMemory, 10000)                                                                                       \
  X(ExternalMemoryGetMappedBuffer, 10000)                                                                              \
  X(ImportExternalSemaphore, 10000)                                                                                    \
  X(DestroyExternalSemaphore, 10000)                                                                                   \
  X(SignalExternalSemaphoresAsync, 10000)                                                                              \
  X(WaitExternalSemaphoresAsync, 10000)                                                                                \
  X(MemCreate, 10020)                                                                                                  \
  X(MemRelease, 10020)                                                                                                 \
  X(MemAddressReserve, 10020)                                                                                          \
  X(MemAddressFree, 10020)                                                                                             \
  X(MemMap, 10020)                                                                                                     \
  X(MemUnmap, 10020)                                                                                                   \
  X(MemSetAccess, 10020)                                                                                               \
  X(MemGetAllocationGranularity, 10020)                                                                                \
  X(MemExportToShareableHandle, 10020)                                                                                 \
  X(MemImportFromShareableHandle, 10020)                                                                               \
  X(DestroyExternalMemory, 10000)                                                                                      \
  X(MemHostRegister, 6050)                                                                                             \
  X(MemHostUnregister, 4000)                                                                                           \
  X(Array3DCreate, 3020)                                                                                               \
  X(ArrayDestroy, 2000)                                                                                                \
  X(TexObjectCreate, 5000)                                                                                             \
  X(TexObjectDestroy, 5000)                                                                                            \
  X(SurfObjectCreate, 5000)                                                                                            \
  X(SurfObjectDestroy, 5000)                                                                                           \
  X(ModuleLoadDataEx, 2010)                                                                                            \
  X(ModuleUnload, 2000)                                                                                                \
  X(ModuleGetFunction, 2000)                                                                                           \
  X(ModuleGetGlobal, 3020)                                                                                             \
  X(FuncGetAttribute, 2020)                                                                                            \
  X(FuncSetAttribute, 9000)                                                                                            \
  X(OccupancyMaxActiveBlocksPerMultiprocessor, 6050)                                                                   \
  X(StreamCreate, 2000)                                                                                                \
  X(StreamDestroy, 4000)                                                                                               \
  X(StreamQuery, 2000)                                                                                                 \
  X(StreamSetAttribute, 11000)                                                                                         \
  X(StreamWaitEvent, 3020)                                                                                             \
  X(StreamBeginCapture, 10010)                                                                                         \
  X(StreamEndCapture, 10000)                                                                                           \
  X(EventCreate, 2000)                                                                                                 \
  X(EventDestroy, 4000)                                                                                                \
  X(EventRecord, 2000)                                                                                                 \
  X(EventQuery, 2000)                                                                                                  \
  X(EventElapsedTime, 2000)                                                                                            \
  X(LaunchKernel, 4000)                                                                                                \
  X(MemcpyAsync, 4000)                                                                                                 \
  X(Memcpy3DAsync, 3020)                                                                                               \
  X(MemcpyHtoDAsync, 3020)                                                                                             \
  X(MemcpyDtoHAsync, 3020)                                                                                             \
  X(MemsetD32Async, 3020)                                                                                              \
  X(GraphCreate, 10000)                                                                                                \
  X(GraphDestroy, 10000)                                                                                               \
  X(GraphAddKernelNode, 12000)                                                                                         \
  X(GraphKernelNodeSetAttribute, 11000)                                                                                \
  X(GraphAddMemcpyNode, 10000)                                                                                         \
  X(GraphAddMemsetNode, 10000)                                                                                         \
  X(GraphAddEventRecordNode, 11010)                                                                                    \
  X(GraphAddEmptyNode, 10000)                                                                                          \
  X(GraphAddChildGraphNode, 10000)                                                                                     \
  X(GraphGetNodes, 10000)                                                                                              \
  X(GraphInstantiateWithFlags, 11040)                                                                                  \
  X(GraphUpload, 11010)                                                                                                \
  X(GraphLaunch, 10000)                                                                                                \
  X(GraphExecDestroy, 10000)

/* Since driver 12.4, or on Windows only; else NULL. */
#define CU_OPTIONAL_SYMBOLS(X)                                                                                         \
  X(DeviceGetLuid, 10000)                                                                                              \
  X(FuncGetParamInfo, 12040)                                                                                           \
  X(FuncLoad, 12040)

#if CUDA_VERSION < 12040 /* the toolkit's headers are older */
typedef CUresult(CUDAAPI *PFN_cuFuncGetParamInfo_v12040)(CUfunction, size_t, size_t *, size_t *);
typedef CUresult(CUDAAPI *PFN_cuFuncLoad_v12040)(CUfunction);
#endif

typedef struct cu_symbols {
  int driver_version; /* 1000 * major + 10 * minor */
  PFN_cuGetProcAddress_v12000 GetProcAddress;
#define DECLARE(name, version) PFN_cu##name##_v##version name;
  CU_SYMBOLS(DECLARE)
  CU_OPTIONAL_SYMBOLS(DECLARE)
#undef DECLARE
} cu_symbols;

/* Opens the library on the first call and keeps it open. Thread-safe. NULL with XB_UNAVAILABLE if it is missing. */
const cu_symbols *cu_symbols_get(xb_error *err);

#endif
