/* A libcuda.so.1 that is older than cuGetProcAddress_v2. */
int cuDriverGetVersion(int *version);
int cuDriverGetVersion(int *version)
{
  *version = 12000;
  return 0;
}
