// planted_on_gpu NAME: runs one planted fault, or its right twin NAME_right, on the GPU, for compute-sanitizer. Without a name, it
// lists all. Exits with 0 if the kernel ended, with 3 if CUDA reported an error.
#include <cstdio>
#include <cstring>

#include "planted.cuh"

namespace
{
enum { MOST = 256, WORDS = 8192, GROUPS = 4, THREADS = 256 };

struct {
  const char *name;
  planted_kernel kernel;
} entries[MOST];
int count;

bool ended(const char *what, cudaError_t error)
{
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

bool run(planted_kernel kernel)
{
  unsigned *data = nullptr;
  if (!ended("cudaMalloc", cudaMalloc(&data, WORDS * sizeof *data)) ||
      !ended("cudaMemset", cudaMemset(data, 0, WORDS * sizeof *data)))
    return false;
  kernel<<<GROUPS, THREADS, THREADS * sizeof *data>>>(data);
  return ended("launch", cudaGetLastError()) && ended("kernel", cudaDeviceSynchronize()) && ended("cudaFree", cudaFree(data));
}
} // namespace

planted_entry::planted_entry(const char *name, planted_kernel kernel)
{
  if (count < MOST)
    entries[count++] = {name, kernel};
}

int main(int words, char **word)
{
  for (int i = 0; i < count; i++)
    if (words < 2)
      puts(entries[i].name);
    else if (!strcmp(entries[i].name, word[1]))
      return run(entries[i].kernel) ? 0 : 3;
  return words < 2 ? 0 : 2;
}
