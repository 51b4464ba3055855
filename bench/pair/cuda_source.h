/* What a source in CUDA C++ says: the parameters of a kernel, types, structs, and memory that is declared outside of
 * parameters. The source is read as tokens; it is not compiled. */
#ifndef XB_PAIR_CUDA_SOURCE_H
#define XB_PAIR_CUDA_SOURCE_H

#include "pair/reflect.h"
#include "source/tokens.h"

typedef struct xb_cuda_parameter {
  size_t begin, end; /* its tokens */
  size_t value;      /* the first token of its default argument; 0: none */
  char type[96];     /* "unsigned int", without const and pointers */
  char name[96];
  bool is_pointer, is_const;
} xb_cuda_parameter;

typedef struct xb_cuda_kernel {
  size_t begin;      /* the token `__global__` */
  size_t name, open; /* its name; the brace or the semicolon behind its parameters */
  size_t close;      /* the closing brace; `open` of a declaration */
  xb_cuda_parameter parameters[XB_MAX_PARAMETERS];
  size_t count;
} xb_cuda_kernel;

/* The first kernel of this name, without namespaces, whose `__global__` is at or behind `from`. An empty name: any.
 * False if there is none, or if it has too many parameters. */
bool xb_cuda_find_kernel(const xb_tokens *tokens, const char *name, size_t from, xb_cuda_kernel *kernel);
/* The kernel reads elements of the pointer, x[i], and does nothing else with it. (only_reads.c) */
bool xb_cuda_only_reads(const xb_tokens *tokens, const xb_cuda_kernel *kernel, const char *name);
/* "kernel" of "ns::kernel<256, float>" and of "void (anonymous namespace)::kernel<256u>(float*)"; "" for NULL. */
const char *xb_cuda_base_name(const char *entry, xb_arena *arena);
/* "float", "uint4", "std::int64_t", "dim3". False: another type. */
bool xb_cuda_type(const char *name, size_t length, xb_member *member);
/* One element of a type, also of an alias or a struct of the source; members of structs in structs count as members.
 * False if it holds anything else than numbers, vectors, arrays and such structs. */
bool xb_cuda_element(const xb_tokens *tokens, const char *type, xb_arena *arena, xb_element *element);
/* The variable, or the variables, that [begin, end) declares: members of an element. False as above. */
bool xb_cuda_variable(const xb_tokens *tokens, size_t begin, size_t end, xb_arena *arena, xb_element *element);

#endif
