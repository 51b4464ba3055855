// How strong the edges of an image are: Sobel's filter, 3 x 3. A texel beyond the image is the nearest one in it.
__device__ float grey(cudaTextureObject_t image, int x, int y)
{
  const float4 c = tex2D<float4>(image, (float)x + 0.5f, (float)y + 0.5f); // the middle of a texel
  return 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
}

__global__ void sobel(cudaTextureObject_t image, cudaSurfaceObject_t edges, int width, int height)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float g[3][3];
  if (x >= width || y >= height)
    return;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      g[j][i] = grey(image, x + i - 1, y + j - 1);
  const float h = (g[0][2] + 2 * g[1][2] + g[2][2]) - (g[0][0] + 2 * g[1][0] + g[2][0]);
  const float v = (g[2][0] + 2 * g[2][1] + g[2][2]) - (g[0][0] + 2 * g[0][1] + g[0][2]);
  surf2Dwrite(sqrtf(h * h + v * v), edges, x * (int)sizeof(float), y); // x in bytes
}
