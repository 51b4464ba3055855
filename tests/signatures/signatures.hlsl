// The twins in HLSL: one module for each macro. The arguments have the layout of the C structs.

#define IN(i, type, name) [[vk::binding(i, 0)]] StructuredBuffer<type> name
#define OUT(i, type, name) [[vk::binding(i, 0)]] RWStructuredBuffer<type> name
#define MAIN [numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)

#if defined(saxpy)
struct Args { int n; float a; };
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, float, x);
OUT(1, float, y);
MAIN { if (int(id.x) < args.n) y[id.x] = args.a * x[id.x] + y[id.x]; }

#elif defined(vector_add)
struct Args { int n; };
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, float, x);
IN(1, float, y);
OUT(2, float, z);
MAIN { if (int(id.x) < args.n) z[id.x] = x[id.x] + y[id.x]; }

#elif defined(accumulate)
struct Args { int n; };
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, double, x);
OUT(1, double, y);
MAIN { if (int(id.x) < args.n) y[id.x] += 2 * x[id.x]; }

#elif defined(copy_n)
struct Args { uint low, high; };
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, int, x);
OUT(1, int, y);
MAIN { if (args.high || id.x < args.low) y[id.x] = x[id.x]; }

#elif defined(move)
struct Args { float step; uint sign_and_bias; double scale; int n, padding; };
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, float, from);
OUT(1, float, to);
MAIN
{
  int sign = int(args.sign_and_bias << 24) >> 24, bias = int(args.sign_and_bias) >> 16;
  if (int(id.x) < args.n)
    to[id.x] = (from[id.x] + args.step * sign) * float(args.scale) + bias;
}

#elif defined(complex_scale)
struct Args { int n; float scale; };
[[vk::push_constant]] ConstantBuffer<Args> args;
OUT(0, float2, a);
IN(1, float2, b);
MAIN
{
  if (int(id.x) < args.n) {
    float2 x = a[id.x], y = b[id.x];
    a[id.x] = float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x) * args.scale;
  }
}

#elif defined(brighten)
struct Args { int n; uint by; }; // four bytes a thread, as HLSL has no byte
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, uint, x);
OUT(1, uint, y);
MAIN
{
  if (4 * int(id.x) >= args.n)
    return;
  uint from = x[id.x], to = y[id.x];
  for (uint k = 0; k < 4; k++)
    if (int(4 * id.x + k) < args.n)
      to = (to & ~(255u << 8 * k)) | min((from >> 8 * k & 255) + (args.by & 255), 255u) << 8 * k;
  y[id.x] = to;
}

#elif defined(stencil)
struct Args { int n; };
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, int, x);
OUT(1, int, y);
MAIN
{
  int i = int(id.x);
  if (i >= args.n)
    return;
  int sum = x[i];
  if (i > 0)
    sum += x[i - 1];
  if (i + 1 < args.n)
    sum += x[i + 1];
  y[i] = sum;
}

#elif defined(dscale)
struct Args { double alpha; int n, padding; };
[[vk::push_constant]] ConstantBuffer<Args> args;
OUT(0, double, x);
MAIN { if (int(id.x) < args.n) x[id.x] *= args.alpha; }

#elif defined(sum_of_eleven)
struct Args { int n; };
[[vk::push_constant]] ConstantBuffer<Args> args;
IN(0, float, a); IN(1, float, b); IN(2, float, c); IN(3, float, d); IN(4, float, e); IN(5, float, f);
IN(6, float, g); IN(7, float, h); IN(8, float, p); IN(9, float, q); IN(10, float, r);
OUT(11, float, y);
MAIN
{
  uint i = id.x;
  if (int(i) < args.n)
    y[i] = a[i] + 2 * b[i] + 3 * c[i] + 4 * d[i] + 5 * e[i] + 6 * f[i] + 7 * g[i] + 8 * h[i] + 9 * p[i] + 10 * q[i] + 11 * r[i];
}
#endif
