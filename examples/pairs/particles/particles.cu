struct Particle {
  float position[3];
  float mass;
  float velocity[3];
  int cell;
};

__global__ void move(unsigned int count, float dt, Particle *particles)
{
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Particle p = particles[i];
  for (int k = 0; k < 3; k++)
    p.position[k] += dt * p.velocity[k];
  p.cell = p.cell ^ (p.position[0] > 0 ? 1 : 2);
  particles[i] = p;
}
