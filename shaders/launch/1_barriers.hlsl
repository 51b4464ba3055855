// Launch 1: an empty kernel without buffers or arguments. It measures the launch itself.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'Solution: Shader Decomposition':
// what a dispatch costs.
[numthreads(BLOCK, 1, 1)]
void launch()
{
  // [work] none
}
