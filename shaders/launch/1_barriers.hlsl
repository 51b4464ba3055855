// Launch 1: an empty kernel without buffers or arguments. It measures the launch itself.
[numthreads(BLOCK, 1, 1)]
void launch()
{
  // [work] none
}
