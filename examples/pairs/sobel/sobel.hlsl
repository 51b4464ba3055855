// How strong the edges of an image are: Sobel's filter, 3 x 3. A texel beyond the image is the nearest one in it.
Texture2D<float4> image : register(t0);
SamplerState nearest : register(s0);
RWTexture2D<float> edges : register(u0);
cbuffer Arguments : register(b0)
{
  int width;
  int height;
};

float grey(int x, int y)
{
  const float4 c = image.SampleLevel(nearest, float2(x + 0.5f, y + 0.5f) / float2(width, height), 0); // 0 to 1
  return 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
}

[numthreads(16, 16, 1)]
void sobel(uint3 id : SV_DispatchThreadID)
{
  const int x = int(id.x), y = int(id.y);
  float g[3][3];
  if (x >= width || y >= height)
    return;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      g[j][i] = grey(x + i - 1, y + j - 1);
  const float h = (g[0][2] + 2 * g[1][2] + g[2][2]) - (g[0][0] + 2 * g[1][0] + g[2][0]);
  const float v = (g[2][0] + 2 * g[2][1] + g[2][2]) - (g[0][0] + 2 * g[0][1] + g[0][2]);
  edges[uint2(x, y)] = sqrt(h * h + v * v); // x in texels
}
