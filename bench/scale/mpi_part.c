#include "scale/mpi_part.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NOBODY = -1, TAG_IN = 1, TAG_OUT, TAG_CLOCK, ROUNDS = 64 };
static const double LATER_S = 5; /* member 0 notices first, and says who is missing */

static MPI_Comm team = MPI_COMM_NULL;
static int rank, size;

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* False if the request is not complete within the limit. */
static int finish(MPI_Request *request, double end_ns)
{
  int done = 0;
  for (uint32_t turns = 0;; turns++) {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done)
      return 1;
    if (turns % 1024 == 1023 && now_ns() > end_ns)
      return 0;
    if (turns > 1024)
      sched_yield();
  }
}

static void begin(uint32_t *of_rank, uint32_t *of_size, char host[], size_t host_bytes)
{
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &team);
  MPI_Comm_rank(team, &rank);
  MPI_Comm_size(team, &size);
  MPI_Get_processor_name(name, &length);
  memset(host, 0, host_bytes);
  memcpy(host, name, (size_t)length < host_bytes ? (size_t)length : host_bytes - 1);
  *of_rank = (uint32_t)rank;
  *of_size = (uint32_t)size;
}

/* Member 0 collects, so it knows who is missing, and gives all to each. */
static int64_t gather_in(MPI_Comm comm, const void *mine, void *all, size_t bytes, double limit_s)
{
  int count;
  MPI_Request request;
  const double end = now_ns() + (limit_s + (rank ? LATER_S : 0)) * 1e9;
  MPI_Comm_size(comm, &count);
  if (rank) {
    MPI_Isend(mine, (int)bytes, MPI_BYTE, 0, TAG_IN, comm, &request);
    if (!finish(&request, end))
      return 0;
    MPI_Irecv(all, (int)(bytes * (size_t)count), MPI_BYTE, 0, TAG_OUT, comm, &request);
    return finish(&request, end) ? NOBODY : 0;
  }
  memcpy(all, mine, bytes);
  for (int m = 1; m < count; m++) {
    MPI_Irecv((char *)all + (size_t)m * bytes, (int)bytes, MPI_BYTE, m, TAG_IN, comm, &request);
    if (!finish(&request, end))
      return m;
  }
  for (int m = 1; m < count; m++) {
    MPI_Isend(all, (int)(bytes * (size_t)count), MPI_BYTE, m, TAG_OUT, comm, &request);
    if (!finish(&request, end))
      return m;
  }
  return NOBODY;
}

static int64_t gather(const void *mine, void *all, size_t bytes, double limit_s)
{
  return gather_in(team, mine, all, bytes, limit_s);
}

/* Pieces are shorter than 2 GiB: `int` counts them. */
static int64_t exchange(const void *out, int64_t to, void *in, int64_t from, size_t bytes, double limit_s)
{
  const double end = now_ns() + (limit_s + LATER_S) * 1e9;
  MPI_Request coming = MPI_REQUEST_NULL, going = MPI_REQUEST_NULL;
  if (from != NOBODY)
    MPI_Irecv(in, (int)bytes, MPI_BYTE, (int)from, TAG_IN, team, &coming);
  if (to != NOBODY)
    MPI_Isend(out, (int)bytes, MPI_BYTE, (int)to, TAG_IN, team, &going);
  if (!finish(&coming, end))
    return from;
  return finish(&going, end) ? NOBODY : to;
}

/* Splitting waits without a limit, so all meet before it. */
static int64_t narrow(uint32_t count, double limit_s)
{
  const char here = 0;
  char *all = malloc((size_t)size);
  const int64_t missing = all ? gather_in(MPI_COMM_WORLD, &here, all, 1, limit_s) : rank;
  free(all);
  if (missing != NOBODY)
    return missing;
  if (team != MPI_COMM_NULL)
    MPI_Comm_free(&team);
  MPI_Comm_split(MPI_COMM_WORLD, (uint32_t)rank < count ? 0 : MPI_UNDEFINED, rank, &team);
  return NOBODY;
}

/* The shortest of several round trips (Cristian, "Probabilistic clock synchronization", 1989): the answer was given at
 * its middle, within half of it. */
static double clock_offset_ns(double *error_ns)
{
  double theirs, best = 1e18, offset = 0;
  *error_ns = 0;
  for (int m = 1; m < size; m++)
    for (int i = 0; i < ROUNDS && (!rank || rank == m); i++) {
      if (!rank) {
        MPI_Recv(&theirs, 1, MPI_DOUBLE, m, TAG_CLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        theirs = now_ns();
        MPI_Send(&theirs, 1, MPI_DOUBLE, m, TAG_CLOCK, MPI_COMM_WORLD);
        continue;
      }
      const double from = now_ns();
      MPI_Send(&from, 1, MPI_DOUBLE, 0, TAG_CLOCK, MPI_COMM_WORLD);
      MPI_Recv(&theirs, 1, MPI_DOUBLE, 0, TAG_CLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double to = now_ns();
      if (to - from < best) {
        best = to - from;
        offset = (from + to) / 2 - theirs;
        *error_ns = best / 2;
      }
    }
  return offset;
}

static void end(void)
{
  if (team != MPI_COMM_NULL)
    MPI_Comm_free(&team);
  MPI_Finalize();
}

static void give_up(int exit_code)
{
  MPI_Abort(MPI_COMM_WORLD, exit_code);
}

const xb_mpi_calls *xb_mpi_part(void)
{
  static const xb_mpi_calls calls = {begin, gather, exchange, narrow, clock_offset_ns, end, give_up};
  return &calls;
}
