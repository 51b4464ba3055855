// One step of a five-point stencil. Each group also writes the largest change of its cells.
#define COLUMNS 32
#define ROWS 8

cbuffer Arguments : register(b0)
{
  int rows;
  int columns;
  float weight;
  int group_columns; // HLSL has no gridDim
};
StructuredBuffer<float> in_ : register(t0); // `in` is a word of HLSL
RWStructuredBuffer<float> out_ : register(u0);
RWStructuredBuffer<float> maxima : register(u1);

groupshared float tile[ROWS + 2][COLUMNS + 2];
groupshared float change[ROWS * COLUMNS];

[numthreads(COLUMNS, ROWS, 1)]
void stencil(uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID)
{
  const int x = int(group.x * COLUMNS + local.x), y = int(group.y * ROWS + local.y);
  const int tx = int(local.x) + 1, ty = int(local.y) + 1, thread = int(local.y * COLUMNS + local.x);
  const bool inside = x < columns && y < rows;

  // A condition with ?: would read both sides in this language: the index must be valid.
  tile[ty][tx] = 0;
  if (inside)
    tile[ty][tx] = in_[y * columns + x];
  if (local.x == 0) {
    tile[ty][0] = 0;
    if (x > 0 && y < rows && x - 1 < columns)
      tile[ty][0] = in_[y * columns + x - 1];
  }
  if (local.x == COLUMNS - 1) {
    tile[ty][COLUMNS + 1] = 0;
    if (x + 1 < columns && y < rows)
      tile[ty][COLUMNS + 1] = in_[y * columns + x + 1];
  }
  if (local.y == 0) {
    tile[0][tx] = 0;
    if (y > 0 && x < columns && y - 1 < rows)
      tile[0][tx] = in_[(y - 1) * columns + x];
  }
  if (local.y == ROWS - 1) {
    tile[ROWS + 1][tx] = 0;
    if (y + 1 < rows && x < columns)
      tile[ROWS + 1][tx] = in_[(y + 1) * columns + x];
  }
  GroupMemoryBarrierWithGroupSync();

  const float around = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  const float difference = weight * (around - 4.0f * tile[ty][tx]);
  if (inside)
    out_[y * columns + x] = tile[ty][tx] + difference;
  change[thread] = inside ? abs(difference) : 0;
  for (int half_ = ROWS * COLUMNS / 2; half_ > 0; half_ /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < half_)
      change[thread] = max(change[thread], change[thread + half_]);
  }
  if (thread == 0)
    maxima[int(group.y) * group_columns + int(group.x)] = change[0];
}
