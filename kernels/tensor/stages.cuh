// A warp group that copies, and two that multiply, by way of a ring of stages in shared memory. The element type has
// start_stage and start_tile_of_b.
// Stages of a ring: their barriers, and where a thread is in it.
#define STAGES TENSOR_STAGES

struct Ring {
  Barrier full[STAGES], empty[STAGES];
};

struct Place {
  uint stage, phase;
  __device__ __forceinline__ void next()
  {
    stage = stage == STAGES - 1 ? 0 : stage + 1;
    phase ^= stage == 0;
  }
  __device__ __forceinline__ uint before() const
  {
    return stage == 0 ? STAGES - 1 : stage - 1;
  }
};

// [start] `readers` arrive at a stage when they have read it.
__device__ __forceinline__ void make_ring(Ring &ring, uint readers)
{
  for (uint s = 0; s < STAGES; s++) {
    make_barrier(ring.full[s], 1);
    make_barrier(ring.empty[s], readers);
  }
  publish_barriers();
}

// The thread of a warp group that copies needs few registers, and those that multiply get them.
#define GIVE_REGISTERS() asm volatile("setmaxnreg.dec.sync.aligned.u32 40;")
#define TAKE_REGISTERS() asm volatile("setmaxnreg.inc.sync.aligned.u32 232;")

// [copy] Fills each stage of a tile that its readers have left: `start(stage, full, first)` starts the copies of what
// lies behind the first `first` of the inner length.
template <typename Start>
__device__ __forceinline__ void fill_stages(Ring &ring, Place &at, uint stages, uint inner, const Start &start)
{
  for (uint first = 0; first < inner; first += DEPTH, at.next()) {
    Barrier &full = ring.full[at.stage];
    wait_for(ring.empty[at.stage], at.phase);
    arrive_and_expect(full, STAGE_BYTES);
    start(stages + at.stage * STAGE_BYTES, full, first);
  }
}

// [sum] Sums the stages of a tile. One is left when the products after it have been started, and its own have ended:
// `leave(empty)` says so, and the caller says it of the last one.
template <typename Sum, typename Leave>
__device__ __forceinline__ void sum_stages(Sum sums[SUMS], Ring &ring, Place &at, uint stages, uint inner, uint part,
                                           const Leave &leave)
{
  for (uint first = 0; first < inner; first += DEPTH, at.next()) {
    wait_for(ring.full[at.stage], at.phase);
    start_stage(sums, stages + at.stage * STAGE_BYTES, part, first != 0);
    wait_for_stages<1>();
    if (first)
      leave(ring.empty[at.before()]);
  }
  wait_for_stages<0>();
}

// Where tile `tile` begins, for a persistent grid: down a band of rows of tiles, then one column to the right. Tiles
// that run together share what they read in the L2 cache.
#define BAND 8
__device__ __forceinline__ void find_tile(const xb_tensor_args &args, uint tile, uint &row, uint &column)
{
  const uint band = tile / (BAND * args.tiles_x) * BAND, rows = min(BAND, args.tiles_y - band);
  const uint in_band = tile % (BAND * args.tiles_x);
  row = (band + in_band % rows) * ROWS;
  column = in_band / rows * COLUMNS;
}

// The kernel of rung 15, and of rung 3 of tensor8: a persistent grid.
template <typename Sum>
__device__ __forceinline__ void multiply(const Tiles &A, const Tiles &B, Sum *C, const xb_tensor_args &args)
{
  extern __shared__ uint4 memory[];
  __shared__ Ring ring;
  const uint tid = threadIdx.x, stages = first_stage(memory), tiles = args.tiles_x * args.tiles_y;
  uint row, column;
  if (tid == 0)
    make_ring(ring, 2);
  __syncthreads();

  // [copy]
  if (tid < 128) {
    GIVE_REGISTERS();
    Place at = {0, 1};
    for (uint tile = blockIdx.x; tid == 0 && tile < tiles; tile += gridDim.x) {
      find_tile(args, tile, row, column);
      fill_stages(ring, at, stages, args.k, [&](uint to, Barrier &full, uint first) {
        start_tile(to, A, full, first, row);
        start_tile_of_b(to + A_BYTES, B, full, first, column);
      });
    }
    return;
  }

  // [sum] and write; the last stage of a tile is left before the sums are written
  TAKE_REGISTERS();
  const uint part = tid / 128 - 1;
  Sum sums[SUMS];
  Place at = {0, 0};
  const auto leave = [&](Barrier &empty) {
    if (tid % 128 == 0)
      arrive(empty);
  };
  for (uint tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    find_tile(args, tile, row, column);
    sum_stages(sums, ring, at, stages, args.k, part, leave);
    leave(ring.empty[at.before()]);
    write_sums(C, sums, row + part * 64, column, args.n);
  }
}
