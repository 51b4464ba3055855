// As a user writes them: plain CUDA C++.

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void vector_add(const float *A, const float *B, float *C, int n)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)
    C[i] = A[i] + B[i];
}

extern "C" __global__ void accumulate(const double *x, double *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += 2 * x[i];
}

extern "C" __global__ void copy_n(size_t n, const int *in, int *out)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

struct Motion {
  float step;
  signed char sign;
  short bias;
  double scale;
};

extern "C" __global__ void move(Motion m, const float *from, float *to, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = (from[i] + m.step * m.sign) * (float)m.scale + m.bias;
}

extern "C" __global__ void complex_scale(float2 *a, const float2 *b, int n, float scale)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 x = a[i], y = b[i];
    a[i] = make_float2((x.x * y.x - x.y * y.y) * scale, (x.x * y.y + x.y * y.x) * scale);
  }
}

extern "C" __global__ void brighten(const unsigned char *in, unsigned char *out, int n, unsigned char by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = min(in[i] + by, 255);
}

extern "C" __global__ void stencil(const int *in, int n, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (i > 0 ? in[i - 1] : 0) + in[i] + (i + 1 < n ? in[i + 1] : 0);
}

extern "C" __global__ void dscale(double alpha, double *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= alpha;
}

extern "C" __global__ void sum_of_eleven(const float *a, const float *b, const float *c, const float *d, const float *e,
                                         const float *f, const float *g, const float *h, const float *p, const float *q,
                                         const float *r, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + 2 * b[i] + 3 * c[i] + 4 * d[i] + 5 * e[i] + 6 * f[i] + 7 * g[i] + 8 * h[i] + 9 * p[i] + 10 * q[i] +
             11 * r[i];
}
