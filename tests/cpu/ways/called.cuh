// What the ways to touch memory are made of: structs, and functions that take and return them.
#pragma once

#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <new>

struct cell { unsigned key, weight; };
struct one { unsigned char byte; };
struct three { unsigned x, y, z; };
struct five { unsigned char v[5]; };
struct row { unsigned v[16]; };
struct big { unsigned v[64]; };
struct nested { unsigned before; struct { three inner; unsigned after; } part; };
struct bits { unsigned low : 3, middle : 17, high : 12; unsigned long long wide : 40, rest : 24; };
struct derived : cell { unsigned more; };
struct grid { unsigned v[2][3]; };
union word { unsigned whole; float real; unsigned char bytes[4]; unsigned short halves[2]; };
struct tagged { unsigned tag; union { unsigned number; float real; }; };
struct owner { // neither copied nor destroyed by the compiler's own functions
  unsigned v;
  __device__ owner(unsigned v) : v(v) {}
  __device__ owner(const owner &other) : v(other.v) {}
  __device__ ~owner() {}
  __device__ owner &operator=(const owner &other) { v = other.v; return *this; }
};
struct list { unsigned v[4]; __device__ unsigned &operator[](int i) { return v[i]; } };
struct number { unsigned v; __device__ operator unsigned() const { return v; } };
enum class color : unsigned { red = 1, blue = 2 };

__device__ unsigned total(cell c) { return c.key + c.weight; }
__device__ unsigned sum_by_reference(const cell &c) { return c.key + c.weight; }
__device__ unsigned sum_by_pointer(const cell *c) { return c->key + c->weight; }
__device__ __noinline__ unsigned sum_apart(cell c) { return c.key + c.weight; }
__device__ __attribute__((noinline)) unsigned sum_far(cell c) { return c.key + c.weight; }
__device__ unsigned sum_of_one(one c) { return c.byte; }
__device__ unsigned sum_of_three(three c) { return c.x + c.y + c.z; }
__device__ unsigned sum_of_row(row r) { return r.v[0] + r.v[15]; }
__device__ unsigned sum_of_two(cell a, row b) { return a.key + b.v[1]; }
__device__ unsigned sum_again(cell c, unsigned times) { return times > 3 ? sum_again(c, times - 1) + c.key : c.weight; }
__device__ unsigned row_again(row r, unsigned times) { return times > 3 ? row_again(r, times - 1) + r.v[3] : r.v[2]; }
__device__ unsigned owned(owner o) { return o.v; }
__device__ cell make(unsigned v) { return {v, v + 1}; }
__device__ __attribute__((noinline)) cell make_far(unsigned v) { return {v, v + 1}; }
__device__ row make_row(unsigned v) { row r; for (unsigned &w : r.v) w = v; return r; }
__device__ __attribute__((noinline)) row make_row_far(unsigned v) { row r; for (unsigned &w : r.v) w = v; return r; }
__device__ cell make_again(unsigned v) { if (v > 7000) return {v, v}; cell c = make_again(v * 2 + 1); c.key++; return c; }
__device__ row row_made_again(unsigned v) { if (v > 7000) return make_row(v); row r = row_made_again(v * 2 + 1); r.v[1]++; return r; }
__device__ __attribute__((noinline)) float number_far(unsigned v) { return v; }
__device__ cell passed_on(cell c) { c.key++; return c; }
__device__ unsigned &first(cell &c) { return c.key; }
template <class T> __device__ T copied(T value) { return value; }
template <class T> __device__ void exchange(T &a, T &b) { T c = a; a = b; b = c; }
template <class F> __device__ unsigned called(F f) { return f(); }
template <int I> __device__ unsigned part(three c) { if constexpr (I == 0) return c.x; else return c.z; }
__device__ cell operator+(cell a, cell b) { return {a.key + b.key, a.weight + b.weight}; }
__device__ cell &operator+=(cell &a, cell b) { a.key += b.key; a.weight += b.weight; return a; }
typedef unsigned (*summing)(cell);
typedef cell (*making)(unsigned);
__device__ unsigned other_sum(cell c) { return c.key ^ c.weight; }
__device__ cell other_make(unsigned v) { return {v ^ 1, v}; }
__device__ const summing totals[] = {total, other_sum};
struct base { __device__ virtual unsigned of(cell c) const { return c.key; } __device__ virtual cell make(unsigned v) const { return {v, v}; } };
struct above : base { __device__ unsigned of(cell c) const override { return c.weight; } __device__ cell make(unsigned v) const override { return {v, 1}; } };
__device__ unsigned walk(const cell *p, cell c, unsigned steps) { return steps ? walk(p, *p, steps - 1) + 1 : c.key; }
__device__ row walk_back(const row *p, unsigned steps) { if (!steps) return *p; row r = walk_back(p, steps - 1); r.v[0]++; return r; }
