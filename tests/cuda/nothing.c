/* A libcuda.so.1 that has nothing of CUDA in it. */
int nothing(void);
int nothing(void)
{
  return 0;
}
