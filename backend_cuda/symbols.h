/* The functions used from libcuda.so.1, which is opened at run time. Each has its ABI's version, for which
 * cuGetProcAddress returns the symbol, and its arguments in that version. */
#ifndef XB_CUDA_SYMBOLS_H
#define XB_CUDA_SYMBOLS_H

#include "driver.h"
#include "xb/error.h"

enum { CU_OLDEST_DRIVER = 12000 }; /* cuGetProcAddress_v2 */

#define CU_SYMBOLS(X)                                                                                                  \
  X(Init, 2000, (unsigned))                                                                                            \
  X(GetErrorName, 6000, (CUresult, const char **))                                                                     \
  X(DeviceGetCount, 2000, (int *))                                                                                     \
  X(DeviceGet, 2000, (CUdevice *, int))                                                                                \
  X(DeviceGetName, 2000, (char *, int, CUdevice))                                                                      \
  X(DeviceGetUuid, 11040, (CUuuid *, CUdevice))                                                                        \
  X(DeviceGetPCIBusId, 4010, (char *, int, CUdevice))                                                                  \
  X(DeviceGetAttribute, 2000, (int *, CUdevice_attribute, CUdevice))                                                   \
  X(DeviceGetTexture1DLinearMaxWidth, 11010, (size_t *, CUarray_format, unsigned, CUdevice))                           \
  X(DeviceTotalMem, 3020, (size_t *, CUdevice))                                                                        \
  X(DevicePrimaryCtxRetain, 7000, (CUcontext *, CUdevice))                                                             \
  X(DevicePrimaryCtxRelease, 11000, (CUdevice))                                                                        \
  X(CtxCreate, 3020, (CUcontext *, unsigned, CUdevice))                                                                \
  X(CtxDestroy, 4000, (CUcontext))                                                                                     \
  X(CtxSetLimit, 3010, (CUlimit, size_t))                                                                              \
  X(CtxGetLimit, 3010, (size_t *, CUlimit))                                                                            \
  X(CtxResetPersistingL2Cache, 11000, (void))                                                                          \
  X(CtxSetCurrent, 4000, (CUcontext))                                                                                  \
  X(MemGetInfo, 3020, (size_t *, size_t *))                                                                            \
  X(MemAlloc, 3020, (CUdeviceptr *, size_t))                                                                           \
  X(MemFree, 3020, (CUdeviceptr))                                                                                      \
  X(MemHostAlloc, 2020, (void **, size_t, unsigned))                                                                   \
  X(MemHostGetDevicePointer, 3020, (CUdeviceptr *, void *, unsigned))                                                  \
  X(MemFreeHost, 2000, (void *))                                                                                       \
  X(ImportExternalMemory, 10000, (CUexternalMemory *, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *))                       \
  X(ExternalMemoryGetMappedBuffer, 10000, (CUdeviceptr *, CUexternalMemory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *)) \
  X(ImportExternalSemaphore, 10000, (CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *))              \
  X(DestroyExternalSemaphore, 10000, (CUexternalSemaphore))                                                            \
  X(SignalExternalSemaphoresAsync, 10000,                                                                              \
    (const CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *, unsigned, CUstream))                  \
  X(WaitExternalSemaphoresAsync, 10000,                                                                                \
    (const CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *, unsigned, CUstream))                    \
  X(MemCreate, 10020, (CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *, unsigned long long))       \
  X(MemRelease, 10020, (CUmemGenericAllocationHandle))                                                                 \
  X(MemAddressReserve, 10020, (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long))                        \
  X(MemAddressFree, 10020, (CUdeviceptr, size_t))                                                                      \
  X(MemMap, 10020, (CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long))                    \
  X(MemUnmap, 10020, (CUdeviceptr, size_t))                                                                            \
  X(MemSetAccess, 10020, (CUdeviceptr, size_t, const CUmemAccessDesc *, size_t))                                       \
  X(MemGetAllocationGranularity, 10020, (size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags))     \
  X(MemExportToShareableHandle, 10020,                                                                                 \
    (void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long))                             \
  X(MemImportFromShareableHandle, 10020, (CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType))          \
  X(DestroyExternalMemory, 10000, (CUexternalMemory))                                                                  \
  X(MemHostRegister, 6050, (void *, size_t, unsigned))                                                                 \
  X(MemHostUnregister, 4000, (void *))                                                                                 \
  X(Array3DCreate, 3020, (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *))                                                 \
  X(ArrayDestroy, 2000, (CUarray))                                                                                     \
  X(TexObjectCreate, 5000,                                                                                             \
    (CUtexObject *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *, const CUDA_RESOURCE_VIEW_DESC *))           \
  X(TexObjectDestroy, 5000, (CUtexObject))                                                                             \
  X(SurfObjectCreate, 5000, (CUsurfObject *, const CUDA_RESOURCE_DESC *))                                              \
  X(SurfObjectDestroy, 5000, (CUsurfObject))                                                                           \
  X(ModuleLoadDataEx, 2010, (CUmodule *, const void *, unsigned, CUjit_option *, void **))                             \
  X(ModuleUnload, 2000, (CUmodule))                                                                                    \
  X(ModuleGetFunction, 2000, (CUfunction *, CUmodule, const char *))                                                   \
  X(ModuleGetGlobal, 3020, (CUdeviceptr *, size_t *, CUmodule, const char *))                                          \
  X(FuncGetAttribute, 2020, (int *, CUfunction_attribute, CUfunction))                                                 \
  X(FuncSetAttribute, 9000, (CUfunction, CUfunction_attribute, int))                                                   \
  X(OccupancyMaxActiveBlocksPerMultiprocessor, 6050, (int *, CUfunction, int, size_t))                                 \
  X(StreamCreate, 2000, (CUstream *, unsigned))                                                                        \
  X(StreamDestroy, 4000, (CUstream))                                                                                   \
  X(StreamQuery, 2000, (CUstream))                                                                                     \
  X(StreamSetAttribute, 11000, (CUstream, CUstreamAttrID, const CUstreamAttrValue *))                                  \
  X(StreamWaitEvent, 3020, (CUstream, CUevent, unsigned))                                                              \
  X(StreamBeginCapture, 10010, (CUstream, CUstreamCaptureMode))                                                        \
  X(StreamEndCapture, 10000, (CUstream, CUgraph *))                                                                    \
  X(EventCreate, 2000, (CUevent *, unsigned))                                                                          \
  X(EventDestroy, 4000, (CUevent))                                                                                     \
  X(EventRecord, 2000, (CUevent, CUstream))                                                                            \
  X(EventQuery, 2000, (CUevent))                                                                                       \
  X(EventElapsedTime, 2000, (float *, CUevent, CUevent))                                                               \
  X(LaunchKernel, 4000,                                                                                                \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **))    \
  X(LaunchKernelEx, 11060, (const CUlaunchConfig *, CUfunction, void **, void **))                                     \
  X(MemcpyAsync, 4000, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                                                   \
  X(Memcpy3DAsync, 3020, (const CUDA_MEMCPY3D *, CUstream))                                                            \
  X(MemcpyHtoDAsync, 3020, (CUdeviceptr, const void *, size_t, CUstream))                                              \
  X(MemcpyDtoHAsync, 3020, (void *, CUdeviceptr, size_t, CUstream))                                                    \
  X(MemsetD32Async, 3020, (CUdeviceptr, unsigned, size_t, CUstream))                                                   \
  X(GraphCreate, 10000, (CUgraph *, unsigned))                                                                         \
  X(GraphDestroy, 10000, (CUgraph))                                                                                    \
  X(GraphAddKernelNode, 12000,                                                                                         \
    (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS_v2 *))                         \
  X(GraphKernelNodeSetAttribute, 11000, (CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue *))              \
  X(GraphAddMemcpyNode, 10000,                                                                                         \
    (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *, CUcontext))                           \
  X(GraphAddMemsetNode, 10000,                                                                                         \
    (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))                 \
  X(GraphAddEventRecordNode, 11010, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent))                    \
  X(GraphAddEmptyNode, 10000, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t))                                   \
  X(GraphAddChildGraphNode, 10000, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph))                     \
  X(GraphGetNodes, 10000, (CUgraph, CUgraphNode *, size_t *))                                                          \
  X(GraphInstantiateWithFlags, 11040, (CUgraphExec *, CUgraph, unsigned long long))                                    \
  X(GraphUpload, 11010, (CUgraphExec, CUstream))                                                                       \
  X(GraphLaunch, 10000, (CUgraphExec, CUstream))                                                                       \
  X(GraphExecDestroy, 10000, (CUgraphExec))

/* Since driver 12.0, 12.3 or 12.4, or on Windows only; else NULL. */
#define CU_OPTIONAL_SYMBOLS(X)                                                                                         \
  X(DeviceGetLuid, 10000, (char *, unsigned *, CUdevice))                                                              \
  X(FuncGetParamInfo, 12040, (CUfunction, size_t, size_t *, size_t *))                                                 \
  X(FuncLoad, 12040, (CUfunction))                                                                                     \
  X(GraphAddDependencies, 12030, (CUgraph, const CUgraphNode *, const CUgraphNode *, const CUgraphEdgeData *, size_t)) \
  X(TensorMapEncodeTiled, 12000,                                                                                       \
    (CUtensorMap *, CUtensorMapDataType, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,       \
     const uint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill))

typedef struct cu_symbols {
  int driver_version; /* 1000 * major + 10 * minor */
  CUresult (*GetProcAddress)(const char *, void **, int, uint64_t, CUdriverProcAddressQueryResult *);
#define DECLARE(name, version, arguments) CUresult(*name) arguments;
  CU_SYMBOLS(DECLARE)
  CU_OPTIONAL_SYMBOLS(DECLARE)
#undef DECLARE
} cu_symbols;

/* Opens the library on the first call and keeps it open. Thread-safe. NULL with XB_UNAVAILABLE if it is missing. */
const cu_symbols *cu_symbols_get(xb_error *err);

#endif
