/* The part of the program that calls MPI: a library of its own (libxb_mpi.so), opened under mpirun only. */
#ifndef XB_MPI_PART_H
#define XB_MPI_PART_H

#include "scale/team.h"

typedef struct xb_mpi_calls {
  void (*begin)(uint32_t *rank, uint32_t *size, char host[], size_t host_bytes);
  xb_team_calls team; /* without a state */
  void (*end)(void);
  void (*abort)(int exit_code);
} xb_mpi_calls;

/* The one symbol of the library. */
typedef const xb_mpi_calls *xb_mpi_part_fn(void);
const xb_mpi_calls *xb_mpi_part(void);

#endif
