/* What host code beside a kernel says. It is compiled, never run: types are opaque, and functions take anything. */
#pragma once

namespace xb_cpu
{ /* what PTX names that only read a register become */
inline unsigned special_laneid() { return lane(); }
inline unsigned special_lanemask_eq() { return 1u << lane(); }
inline unsigned special_lanemask_lt() { return (1u << lane()) - 1; }
inline unsigned special_lanemask_le() { return special_lanemask_lt() | special_lanemask_eq(); }
inline unsigned special_lanemask_gt() { return ~special_lanemask_le(); }
inline unsigned special_lanemask_ge() { return ~special_lanemask_lt(); }
inline unsigned special_warpid() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }
} // namespace xb_cpu

typedef enum cudaError { cudaSuccess, cudaErrorUnknown = 999, cudaErrorPeerAccessAlreadyEnabled = 704 } cudaError_t;
typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
} cudaMemcpyKind;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef int CUresult, CUdevice, cublasStatus_t, cudaDataType_t, cublasComputeType_t, cudaDataType;
typedef struct cublasContext *cublasHandle_t;
typedef struct cudaGraphicsResource cudaGraphicsResource;
struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount, integrated, maxThreadsPerBlock;
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin;
};
struct cudaKernelNodeParams {
  void *func, **kernelParams;
};
struct cudaLaunchAttribute {
  int id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDi_, blockDi_; /* gridDim, blockDim, which are macros (bench/compile/device_code.c) */
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
enum {
  CUDA_SUCCESS,
  CUBLAS_STATUS_SUCCESS = 0,
  CUDA_R_16F = 2,
  CUDA_R_32F = 0,
  CUDA_R_16BF = 14,
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68
};
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, CUBLAS_TF32_TENSOR_OP_MATH = 3, CUBLAS_TENSOR_OP_MATH = 1 };

#define XB_CPU_HOST_FUNCTION(type, name)                                                                               \
  template <class... T> type name(T &&...) { return {}; }
XB_CPU_HOST_FUNCTION(cudaError_t, cudaMalloc)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaMallocHost)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaFree)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaFreeHost)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaMemcpy)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaMemcpyAsync)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaMemcpyToSymbol)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaMemset)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaMemsetAsync)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaGetLastError)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaPeekAtLastError)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaDeviceSynchronize)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaSetDevice)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaGetDevice)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaGetDeviceCount)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaGetDeviceProperties)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaDeviceGetAttribute)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaStreamCreate)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaStreamCreateWithFlags)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaStreamSynchronize)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaStreamDestroy)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaStreamWaitEvent)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaEventCreate)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaEventCreateWithFlags)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaEventRecord)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaEventSynchronize)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaEventElapsedTime)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaEventDestroy)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaFuncSetAttribute)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaGraphDestroy)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaGraphExecDestroy)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaLaunchKernelEx)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaLaunchKernelExC)
XB_CPU_HOST_FUNCTION(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessor)
XB_CPU_HOST_FUNCTION(const char *, cudaGetErrorString)
XB_CPU_HOST_FUNCTION(const char *, cudaGetErrorName)
XB_CPU_HOST_FUNCTION(cublasStatus_t, cublasCreate)
XB_CPU_HOST_FUNCTION(cublasStatus_t, cublasDestroy)
XB_CPU_HOST_FUNCTION(cublasStatus_t, cublasSetMathMode)
XB_CPU_HOST_FUNCTION(cublasStatus_t, cublasSetStream)
XB_CPU_HOST_FUNCTION(const char *, cublasGetStatusString)
XB_CPU_HOST_FUNCTION(CUresult, cuGetErrorString)
#undef XB_CPU_HOST_FUNCTION
