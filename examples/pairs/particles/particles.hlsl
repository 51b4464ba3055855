struct Particle
{
  float3 position; // HLSL lays it out as C does here: 16 bytes with the mass
  float mass;
  float3 velocity;
  int cell;
};

cbuffer Arguments : register(b0)
{
  uint count;
  float dt;
};
RWStructuredBuffer<Particle> particles : register(u0);

[numthreads(128, 1, 1)]
void move(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= count)
    return;
  Particle p = particles[id.x];
  p.position += dt * p.velocity;
  p.cell = p.cell ^ (p.position.x > 0 ? 1 : 2);
  particles[id.x] = p;
}
