// What the matrix-vector shaders share: sums over a wave and over a group.
groupshared uint waves; // drawn so far: HLSL has no index of the wave in the group (it is not tid / 32, as in CUDA)

// Each wave draws an index; `waves` is 0 before.
uint draw_wave()
{
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  return WaveReadLaneFirst(wave);
}

// Writes the group's sums of vector b: of each wave first, then of all.
#define WRITE_OF_GROUP(b)                                                                                              \
  UNROLL for (uint r##b = 0; r##b < ROWS; r##b++)                                                                      \
  {                                                                                                                    \
    const float total = WaveActiveSum(sum[b][r##b]);                                                                   \
    if (WaveIsFirstLane())                                                                                             \
      sdata[r##b * BLOCK + wave] = total;                                                                              \
  }                                                                                                                    \
  GroupMemoryBarrierWithGroupSync();                                                                                   \
  if (tid < ROWS && first + tid < args.rows) {                                                                         \
    float total = 0;                                                                                                   \
    for (uint w = 0; w < waves; w++)                                                                                   \
      total += sdata[tid * BLOCK + w];                                                                                 \
    g_y[b * args.all_rows + args.first_row + first + tid] = total;                                                     \
  }                                                                                                                    \
  GroupMemoryBarrierWithGroupSync();

// Writes the wave's sums of vector b.
#define WRITE_OF_WAVE(b)                                                                                               \
  UNROLL for (uint r##b = 0; r##b < ROWS; r##b++)                                                                      \
  {                                                                                                                    \
    const float total = WaveActiveSum(sum[b][r##b]);                                                                   \
    if (lane == 0 && first + r##b < args.rows)                                                                         \
      g_y[b * args.all_rows + args.first_row + first + r##b] = total;                                                  \
  }
