// Vectors of 16 bytes in shared memory, by addresses of 32 bits. nvcc makes such addresses of its own accord, NVRTC
// makes them 64 bits wide. Then ptxas, short of registers, moves loads from memory to where their values are needed,
// and rung 3 takes 1.2 times as long.
#if defined(__CUDA_ARCH__) && !defined(XB_CPU_ENTRY)
__device__ __forceinline__ uint shared_address(const void *p)
{
  return static_cast<uint>(__cvta_generic_to_shared(p));
}

struct SharedVectors {
  uint address;
  __device__ __forceinline__ explicit SharedVectors(const uint4 *memory) : address(shared_address(memory))
  {
  }
  __device__ __forceinline__ uint4 &operator[](uint i) const
  {
    return *static_cast<uint4 *>(__cvta_shared_to_generic(address + i * 16));
  }
};
#else
struct SharedVectors {
  uint4 *memory;
  __device__ explicit SharedVectors(uint4 *memory_) : memory(memory_)
  {
  }
  __device__ uint4 &operator[](uint i) const
  {
    return memory[i];
  }
};
#endif
