/* A team of members that work together: threads of this process, or ranks of MPI. Each has its own device. All members
 * make the same collective calls in the same order. If a member does not come, the team ends, and a message names the
 * member. */
#ifndef XB_TEAM_H
#define XB_TEAM_H

#include "xb/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XB_NOBODY = -1, XB_HOST_BYTES = 64, XB_CLOCK_BYTES = 160, XB_MOST_MEMBERS = 1024 };

/* One kind of team. Each call returns XB_NOBODY on success. Otherwise it returns the member that did not come within
 * the limit, and the team cannot be used any longer. */
typedef struct xb_team_calls {
  int64_t (*gather)(void *state, const void *mine, void *all, size_t bytes, double limit_s);
  /* Any of the two may be XB_NOBODY. */
  int64_t (*exchange)(void *state, const void *out, int64_t to, void *in, int64_t from, size_t bytes, double limit_s);
  int64_t (*narrow)(void *state, uint32_t count, double limit_s);
} xb_team_calls;

typedef struct xb_team {
  uint32_t rank, size;            /* of this member; of the whole team */
  uint32_t active;                /* collective calls are those of the first `active` members */
  bool one_process;               /* all members are threads of this process */
  double limit_s;                 /* that a member waits for the others */
  char (*hosts)[XB_HOST_BYTES];   /* by rank; shared by all members of a process */
  atomic_bool *gone;              /* set when a member did not come; shared by all members of a process */
  double offset_ns;               /* this member's clock minus that of member 0; 0: they have one clock */
  char (*clocks)[XB_CLOCK_BYTES]; /* by rank: equal names are one clock; NULL: all have one */
  const xb_team_calls *calls;
  unsigned sockets; /* that it had: each has a name of its own */
  void *state;
} xb_team;

/* Each member gives `bytes` bytes, and gets the bytes of all members, in order. It is also a barrier. */
xb_code xb_team_gather(xb_team *team, const void *mine, void *all, size_t bytes, xb_error *err);
/* Sends bytes to one member, and receives bytes from another. Members without partners call it, too. */
xb_code xb_team_exchange(xb_team *team, const void *out, int64_t to, void *in, int64_t from, size_t bytes,
                         xb_error *err);
/* From now on only the first `count` members make collective calls; all members make this one. */
xb_code xb_team_narrow(xb_team *team, uint32_t count, xb_error *err);
/* Each member reports how a step ended. All members get XB_OK, or the code of the first member that failed; `err` then
 * has that member's message, with its rank and its host. */
xb_code xb_team_agree(xb_team *team, xb_code code, xb_error *err);
/* Each member gives a file descriptor, and gets a descriptor for each other member's; -1 in its own place. It keeps its
 * descriptor open until all members have returned. All members are on one host. The caller closes what it got, also
 * after a failure. */
xb_code xb_team_descriptors(xb_team *team, int fd, int *fds, xb_error *err);
/* Allocates `bytes` bytes of memory that all active members see: zeroed, at the beginning of a page. XB_UNSUPPORTED if
 * they are on several hosts. */
xb_code xb_team_memory(xb_team *team, size_t bytes, void **memory, xb_error *err);
void xb_team_memory_free(void *memory, size_t bytes);

/* Compares the clocks of the active members with the clock of member 0. `*error_ns` is raised to the largest error that
 * an offset may have. With `again`, it includes the drift since the previous call. */
xb_code xb_team_clocks(xb_team *team, bool again, double *error_ns, xb_error *err);
/* The name of this process's clock, for xb_team.clocks. */
void xb_clock_name(uint32_t rank, char name[XB_CLOCK_BYTES]);

/* ---- Threads (threads.c) ----------------------------------------------------------------------------------------- */

/* Runs `member` in `size` threads; this one is member 0. Returns when all have returned. `limit_s`: see xb_team. */
typedef void xb_member_fn(xb_team *team, void *user);
xb_code xb_team_of_threads(uint32_t size, double limit_s, xb_member_fn *member, void *user, xb_error *err);

/* ---- MPI (mpi.c, mpi_part.c) ------------------------------------------------------------------------------------- */

/* True if this process was started by mpirun, or by another starter of ranks. */
bool xb_under_mpi(void);
/* True for rank 0, and without ranks. */
bool xb_is_first_rank(void);
/* For a mistake that all ranks make and rank 0 reports: the others sleep here until mpirun, which sees rank 0 fail,
 * ends them. If one of them failed first, mpirun could end rank 0 before its message. At most 20 s. */
void xb_wait_for_first_rank(void);
/* Runs `member` as one rank. XB_UNSUPPORTED if this program was built without MPI, or does not find it. */
xb_code xb_team_of_ranks(double limit_s, xb_member_fn *member, void *user, xb_error *err);
/* Ends the processes of all ranks. Does not return under MPI. */
void xb_team_abort(int exit_code);

/* ---- The library that calls MPI (libxb_mpi.so), opened under mpirun only ----------------------------------------- */

/* The part of the program that calls MPI: a library of its own (libxb_mpi.so), opened under mpirun only. */

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
