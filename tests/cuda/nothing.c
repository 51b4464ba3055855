/* A libcuda.so.1 without any function of CUDA. */
int nothing(void);
int nothing(void)
{
  return 0;
}
