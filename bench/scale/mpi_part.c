#include "scale/team.h"

#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TAG_IN = 1, TAG_OUT, TAG_EXCHANGE, MESSAGE_BYTES = 1 << 30 };
static const double LATER_S = 5; /* member 0 notices first, and says who is missing */
static const double END_S = 30;

static int rank, size, active; /* ranks that make collective calls: the first of all */

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- A rank that hangs in the middle of a message can keep MPI from returning to another one. -------------------- */

enum { DEVICE_FAILED = 4 };                    /* as XB_EXIT_DEVICE */
static volatile double entered_ns, allowed_ns; /* the call that runs; entered_ns 0: none */
static char stuck[256];

static void on_tick(int number)
{
  (void)number;
  if (entered_ns <= 0 || now_ns() - entered_ns <= allowed_ns)
    return;
  const ssize_t written = write(STDERR_FILENO, stuck, strlen(stuck));
  (void)written;
  _exit(DEVICE_FAILED);
}

static void enter(double limit_s)
{
  allowed_ns = (limit_s + 2 * LATER_S) * 1e9;
  entered_ns = now_ns();
}

static void watch(const char *host)
{
  const struct itimerval each_second = {{1, 0}, {1, 0}};
  snprintf(stuck, sizeof stuck, "xbench: scale: MPI does not return to member %d on %s: another rank hangs\n", rank,
           host);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_tick, .sa_flags = SA_RESTART}, NULL);
  setitimer(ITIMER_REAL, &each_second, NULL);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

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
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  active = size;
  MPI_Get_processor_name(name, &length);
  memset(host, 0, host_bytes);
  memcpy(host, name, (size_t)length < host_bytes ? (size_t)length : host_bytes - 1);
  *of_rank = (uint32_t)rank;
  *of_size = (uint32_t)size;
  watch(host);
}

/* Member 0 collects, so it knows who is missing, and gives all to each. MPI's own collective calls have no limit. */
static int64_t gather_of(int count, const void *mine, void *all, size_t bytes, double limit_s)
{
  MPI_Request request;
  const double end = now_ns() + (limit_s + (rank ? LATER_S : 0)) * 1e9;
  const int whole = (int)(bytes * (size_t)count), part = (int)bytes;
  if (rank) {
    MPI_Isend(mine, part, MPI_BYTE, 0, TAG_IN, MPI_COMM_WORLD, &request);
    if (!finish(&request, end))
      return 0;
    MPI_Irecv(all, whole, MPI_BYTE, 0, TAG_OUT, MPI_COMM_WORLD, &request);
    return finish(&request, end) ? XB_NOBODY : 0;
  }
  memcpy(all, mine, bytes);
  for (int m = 1; m < count; m++) {
    MPI_Irecv((char *)all + (size_t)m * bytes, part, MPI_BYTE, m, TAG_IN, MPI_COMM_WORLD, &request);
    if (!finish(&request, end))
      return m;
  }
  for (int m = 1; m < count; m++) {
    MPI_Isend(all, whole, MPI_BYTE, m, TAG_OUT, MPI_COMM_WORLD, &request);
    if (!finish(&request, end))
      return m;
  }
  return XB_NOBODY;
}

static int64_t gather(void *state, const void *mine, void *all, size_t bytes, double limit_s)
{
  (void)state;
  enter(limit_s);
  const int64_t missing = gather_of(active, mine, all, bytes, limit_s);
  entered_ns = 0;
  return missing;
}

/* `int` counts bytes: longer pieces are several messages. */
static int64_t exchange(void *state, const void *out, int64_t to, void *in, int64_t from, size_t bytes, double limit_s)
{
  const double end = now_ns() + (limit_s + LATER_S) * 1e9;
  int64_t missing = XB_NOBODY;
  (void)state;
  enter(limit_s);
  for (size_t done = 0; done < bytes && missing == XB_NOBODY; done += MESSAGE_BYTES) {
    const int some = bytes - done < MESSAGE_BYTES ? (int)(bytes - done) : MESSAGE_BYTES;
    MPI_Request coming = MPI_REQUEST_NULL, going = MPI_REQUEST_NULL;
    if (from != XB_NOBODY)
      MPI_Irecv((char *)in + done, some, MPI_BYTE, (int)from, TAG_EXCHANGE, MPI_COMM_WORLD, &coming);
    if (to != XB_NOBODY)
      MPI_Isend((const char *)out + done, some, MPI_BYTE, (int)to, TAG_EXCHANGE, MPI_COMM_WORLD, &going);
    missing = !finish(&coming, end) ? from : !finish(&going, end) ? to : XB_NOBODY;
  }
  entered_ns = 0;
  return missing;
}

static int64_t narrow(void *state, uint32_t count, double limit_s)
{
  const char here = 0;
  char *all = malloc((size_t)size);
  (void)state;
  enter(limit_s);
  const int64_t missing = all ? gather_of(size, &here, all, 1, limit_s) : rank;
  entered_ns = 0;
  free(all);
  active = (int)count;
  return missing;
}

static void end(void)
{
  enter(END_S);
  MPI_Finalize();
  entered_ns = 0;
}

static void give_up(int exit_code)
{
  MPI_Abort(MPI_COMM_WORLD, exit_code);
}

const xb_mpi_calls *xb_mpi_part(void)
{
  static const xb_mpi_calls calls = {begin, {gather, exchange, narrow}, end, give_up};
  return &calls;
}
