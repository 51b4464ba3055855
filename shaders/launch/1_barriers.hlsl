// Launch 1: an empty kernel. No buffer, no argument: what is measured is the launch.
[numthreads(BLOCK, 1, 1)]
void launch()
{
  // [work] none
}
