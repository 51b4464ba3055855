#version 450
layout(local_size_x = 256) in;
layout(push_constant) uniform Arguments
{
  int n;
  float a;
};
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };

void main()
{
  const int i = int(gl_GlobalInvocationID.x);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
