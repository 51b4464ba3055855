// Addresses of buffers: a list whose nodes name each other, and a number of 64 bits that becomes an address.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { Node next; uint value; uint unused; };
layout(push_constant) uniform Push { uint64_t first; };
layout(binding = 0) buffer Out { uint words[]; };
void main()
{
  Node n = Node(first);
  uint sum = 0;
  for (uint i = 0; i < gl_LocalInvocationID.x; i++) { sum = sum * 3 + n.value; n = n.next; }
  words[gl_LocalInvocationID.x] = sum;
  Node(first)[gl_LocalInvocationID.x].unused = sum + 1;
}
