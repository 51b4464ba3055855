// Words of PTX for rungs 13 to 20, of compute capability 9.0 alone: four warps multiply tiles that lie in shared memory
// (wgmma), one thread copies whole tiles there (TMA), and barriers in shared memory count what has arrived (mbarrier).
// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "cp.async.bulk.tensor", "mbarrier".
#include "tensor_args.h"
#include "warpgroup_args.h"
#include "entry.cuh"
#include "shared.cuh"

// A group's tile of C, and what a stage holds of A and of B. Rows in shared memory have 128 bytes: of A, and of
// a B that lies column by column, these are rows of the matrix. Vectors of 16 bytes are exchanged within a row.
#define ROWS TENSOR_GROUP_ROWS
#define COLUMNS TENSOR_GROUP_COLUMNS
#define DEPTH TENSOR_GROUP_DEPTH
#define A_BYTES (ROWS * 128)
#define B_BYTES (COLUMNS * 128)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define SUMS 128 // of a thread: a warp group has 64 of the rows

// A tensor map (CUtensorMap): which array, and which tiles of it. The host fills it; a kernel only names it.
struct alignas(64) Tiles {
  unsigned long long opaque[16];
};

// The stages begin where the exchange of vectors does: at a multiple of 1024.
__device__ __forceinline__ uint first_stage(const void *memory)
{
  return (shared_address(memory) + 1023) / 1024 * 1024;
}

// An entry point of a kernel: of groups of 256 threads, with `more` that only copy.
#define MULTIPLYING (2 * TENSOR_WARPGROUP)
#define ENTRY(more) extern "C" __global__ void __launch_bounds__(MULTIPLYING + (more))

// ---- wgmma ----------------------------------------------------------------------------------------------------------

// Names a matrix in shared memory, of rows of 128 bytes whose vectors are exchanged. `next` is the distance of the next
// 64 columns, for a matrix whose rows are not its inner dimension. Eight rows are 1024 bytes. An address has the place
// of its group in the cluster above bit 18, where the name has other fields.
__device__ __forceinline__ unsigned long long matrix_at(uint address, uint next)
{
  return 1ull << 62 | 1024ull / 16 << 32 | static_cast<unsigned long long>(next / 16) << 16 | address % (1 << 18) / 16;
}

// The sums of a thread, as operands of an instruction and as its arguments: "+f" of floats, "+r" of integers.
#define FOUR(type, s, i) type(s[i]), type(s[i + 1]), type(s[i + 2]), type(s[i + 3])
#define SIXTEEN(type, s, i) FOUR(type, s, i), FOUR(type, s, i + 4), FOUR(type, s, i + 8), FOUR(type, s, i + 12)
#define SIXTY_FOUR(type, s, i)                                                                                         \
  SIXTEEN(type, s, i), SIXTEEN(type, s, i + 16), SIXTEEN(type, s, i + 32), SIXTEEN(type, s, i + 48)
#define SUMS_OF_A_THREAD                                                                                               \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                            \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                                   \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                   \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "                                   \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                                   \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "                                   \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "                       \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
// Waits until at most the last PENDING stages are not multiplied yet.
template <uint PENDING> __device__ __forceinline__ void wait_for_stages()
{
  asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(PENDING) : "memory");
}

// Writes the sums of a warp group: two neighbours of a row at a time.
template <typename Sum>
__device__ __forceinline__ void write_sums(Sum *C, const Sum sums[SUMS], uint row, uint column, uint pitch)
{
  struct alignas(2 * sizeof(Sum)) Two {
    Sum first, second;
  };
  const uint thread = threadIdx.x % 128, lane = thread % 32;
  Sum *const to = C + (row + thread / 32 * 16 + lane / 4) * pitch + column + lane % 4 * 2;
#pragma unroll
  for (uint i = 0; i < SUMS / 4; i++) {
    *reinterpret_cast<Two *>(to + i * 8) = {sums[i * 4], sums[i * 4 + 1]};
    *reinterpret_cast<Two *>(to + i * 8 + 8 * pitch) = {sums[i * 4 + 2], sums[i * 4 + 3]};
  }
}

// ---- Barriers in shared memory --------------------------------------------------------------------------------------

struct Barrier {
  alignas(8) unsigned long long state;
};

// A phase ends when `arrivals` have come, and the bytes that they announced.
__device__ __forceinline__ void make_barrier(Barrier &b, uint arrivals)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(shared_address(&b)), "r"(arrivals) : "memory");
}

// Makes new barriers visible to copies, and to the other group of a cluster.
__device__ __forceinline__ void publish_barriers()
{
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

__device__ __forceinline__ void arrive_and_expect(Barrier &b, uint bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(shared_address(&b)), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void arrive(Barrier &b)
{
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(shared_address(&b)) : "memory");
}

// Arrives at the same barrier of group `rank` of the cluster. Nothing but the barrier is written, so the arrival needs
// no release for the cluster: that would be a fence for the whole GPU, and the product would take 1.4 times as long.
__device__ __forceinline__ void arrive_at(Barrier &b, uint rank)
{
  asm volatile("{\n"
               ".reg .b32 there;\n"
               "mapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
               "}\n"
               :
               : "r"(shared_address(&b)), "r"(rank)
               : "memory");
}

// Waits until the phase with this parity has ended. The phase before the first one has parity 1.
__device__ __forceinline__ void wait_for(Barrier &b, uint parity)
{
  asm volatile("{\n"
               ".reg .pred ended;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
               "@!ended bra again;\n"
               "}\n"
               :
               : "r"(shared_address(&b)), "r"(parity)
               : "memory");
}

// ---- TMA ------------------------------------------------------------------------------------------------------------

// One thread starts the copy of a tile, which arrives at the barrier by its bytes.
__device__ __forceinline__ void start_tile(uint to, const Tiles &tiles, Barrier &b, uint x, uint y)
{
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               :
               : "r"(to), "l"(&tiles), "r"(shared_address(&b)), "r"(x), "r"(y)
               : "memory");
}

__device__ __forceinline__ void start_tile(uint to, const Tiles &tiles, Barrier &b, uint x, uint y, uint z)
{
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%3, %4, %5}], [%2];"
               :
               : "r"(to), "l"(&tiles), "r"(shared_address(&b)), "r"(x), "r"(y), "r"(z)
               : "memory");
}

// The same for the groups of the cluster that have a bit in `mask`: to the same places of each.
__device__ __forceinline__ void start_tile_for(unsigned short mask, uint to, const Tiles &tiles, Barrier &b, uint x,
                                               uint y, uint z)
{
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%3, %4, %5}], [%2], %6;"
               :
               : "r"(to), "l"(&tiles), "r"(shared_address(&b)), "r"(x), "r"(y), "r"(z), "h"(mask)
               : "memory");
}
