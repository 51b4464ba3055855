// Memory: matrices by rows and by columns, structs in arrays, constants, arrays of a thread, lengths, several sets.
#version 450
layout(local_size_x = 8) in;
struct Pair { float a; vec3 v; };
layout(push_constant) uniform Push { uint n; float scale; };
layout(set = 0, binding = 4, std140) uniform Constants { mat3x2 by_column; layout(row_major) mat3x2 by_row; float numbers[3]; };
layout(set = 1, binding = 2, std430) readonly buffer In { Pair pairs[]; };
layout(set = 0, binding = 7, std430) buffer Out { layout(row_major) mat2x4 m[8]; float words[]; };
const float table[5] = float[](1, 10, 100, 1000, 10000);
shared float kept[8];
float sum(inout float list[4], int i) { list[i & 3] *= 2; float s = 0; for (int k = 0; k < 4; k++) s += list[k]; return s; }
void main()
{
  uint i = gl_LocalInvocationID.x;
  float list[4] = float[](1, 2, 3, 4);
  mat2x4 mine = mat2x4(1, 2, 3, 4, 5, 6, 7, 8) * float(i + 1);
  m[i] = mine;
  m[i][1][2] += 0.5;
  kept[i] = pairs[i].v.y * scale;
  barrier();
  words[8 * i] = by_column[2].y + by_row[2].y * 100;
  words[8 * i + 1] = by_column[i % 3][i % 2] + 100 * by_row[i % 3][i % 2];
  words[8 * i + 2] = kept[7 - i];
  words[8 * i + 3] = table[i % 5] + list[2];
  words[8 * i + 4] = sum(list, int(i));
  words[8 * i + 5] = float(pairs.length()) + 1000 * float(words.length()) + float(n);
  words[8 * i + 6] = m[i][1][2] + m[i][0][3] * 100;
  Pair p = pairs[i]; p.a += 1; words[8 * i + 7] = p.a + dot(p.v, vec3(1, 10, 100)) + list[i & 3] + list[1];
}
