/* The part of the program that calls MPI: a library of its own (libxb_mpi.so), opened under mpirun only. */
#ifndef XB_MPI_PART_H
#define XB_MPI_PART_H

#include <stddef.h>
#include <stdint.h>

/* As in team.h; `missing` is XB_NOBODY, or the rank that did not come. */
typedef struct xb_mpi_calls {
  void (*begin)(uint32_t *rank, uint32_t *size, char host[], size_t host_bytes);
  int64_t (*gather)(const void *mine, void *all, size_t bytes, double limit_s);
  int64_t (*exchange)(const void *out, int64_t to, void *in, int64_t from, size_t bytes, double limit_s);
  int64_t (*narrow)(uint32_t count, double limit_s);
  void (*end)(void);
  void (*abort)(int exit_code);
} xb_mpi_calls;

/* The one symbol of the library. */
typedef const xb_mpi_calls *xb_mpi_part_fn(void);
const xb_mpi_calls *xb_mpi_part(void);

#endif
