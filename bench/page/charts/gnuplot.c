#include "page/charts/gnuplot.h"

#include "base/exit_codes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OUTPUT = 16 << 20, MOST_ERROR_OUTPUT = 4096, LONGEST_S = 60, LONGEST_EXIT_S = 5 };

typedef struct child {
  pid_t pid;
  int in, out, err; /* this process' ends of the pipes; -1: closed */
  const char *script;
  size_t left;
  char *output;
  size_t output_bytes, output_room;
  char error_output[MOST_ERROR_OUTPUT + 1];
  size_t error_bytes;
} child;

/* ---- Start ------------------------------------------------------------------------------------------------------ */

static int open_pipe(int *ours, int *theirs, bool we_write)
{
  int ends[2];
  if (pipe(ends))
    return errno;
  *ours = ends[we_write];
  *theirs = ends[!we_write];
  return fcntl(ends[0], F_SETFD, FD_CLOEXEC) || fcntl(ends[1], F_SETFD, FD_CLOEXEC) ? errno : 0;
}

static void shut(int *fd)
{
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* gnuplot gets default signal handling, and no environment variables that change its behaviour. */
static int spawn(child *c, const int theirs[3])
{
  static char name[] = "gnuplot", defaults[] = "-d", from_stdin[] = "-", locale[] = "LC_ALL=C";
  char path[4096];
  char *argv[] = {name, defaults, from_stdin, NULL}, *environment[] = {locale, NULL, NULL};
  const char *search = getenv("PATH");
  if (search && (size_t)snprintf(path, sizeof path, "PATH=%s", search) < sizeof path)
    environment[1] = path;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t ignored;
  sigemptyset(&ignored);
  sigaddset(&ignored, SIGPIPE);
  sigaddset(&ignored, SIGXFSZ);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  int error = 0;
  for (int fd = 0; fd < 3 && !error; fd++)
    error = posix_spawn_file_actions_adddup2(&actions, theirs[fd], fd);
  error = error ? error : posix_spawnattr_setsigdefault(&attributes, &ignored);
  error = error ? error : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  error = error ? error : posix_spawnp(&c->pid, name, &actions, &attributes, argv, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

static int start(child *c)
{
  int theirs[] = {-1, -1, -1};
  int error = open_pipe(&c->in, &theirs[0], true);
  error = error ? error : open_pipe(&c->out, &theirs[1], false);
  error = error ? error : open_pipe(&c->err, &theirs[2], false);
  if (!error && fcntl(c->in, F_SETFL, O_NONBLOCK)) /* gnuplot may stop reading while it writes much output */
    error = errno;
  error = error ? error : spawn(c, theirs);
  for (int i = 0; i < 3; i++)
    shut(&theirs[i]);
  return error;
}

/* ---- Pipes ------------------------------------------------------------------------------------------------------ */

static void write_script(child *c)
{
  const ssize_t n = write(c->in, c->script, c->left);
  if (n > 0) {
    c->script += n;
    c->left -= (size_t)n;
  }
  if (!c->left || (n < 0 && errno != EAGAIN && errno != EINTR)) /* gnuplot ended; its exit code is reported later */
    shut(&c->in);
}

static int read_output(child *c)
{
  if (c->output_room - c->output_bytes < 65536) {
    const size_t room = c->output_room ? 2 * c->output_room : 1 << 18;
    char *more = room <= 2 * MOST_OUTPUT ? realloc(c->output, room) : NULL;
    if (!more)
      return room <= 2 * MOST_OUTPUT ? ENOMEM : EFBIG;
    c->output = more;
    c->output_room = room;
  }
  const ssize_t n = read(c->out, c->output + c->output_bytes, c->output_room - c->output_bytes - 1);
  if (n > 0)
    c->output_bytes += (size_t)n;
  else if (!n || errno != EINTR)
    shut(&c->out);
  c->output[c->output_bytes] = 0;
  return 0;
}

/* Keeps the first MOST_ERROR_OUTPUT bytes. */
static void read_error_output(child *c)
{
  char text[4096];
  const ssize_t n = read(c->err, text, sizeof text);
  const size_t said = n > 0 ? (size_t)n : 0, room = MOST_ERROR_OUTPUT - c->error_bytes;
  const size_t kept = said < room ? said : room;
  memcpy(c->error_output + c->error_bytes, text, kept);
  c->error_bytes += kept;
  if (!n || (n < 0 && errno != EINTR))
    shut(&c->err);
}

static int run_pipes(child *c)
{
  const time_t end = time(NULL) + LONGEST_S;
  int error = 0;
  while ((c->out >= 0 || c->err >= 0) && !error) {
    struct pollfd fds[] = {{c->in, POLLOUT, 0}, {c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
    if (poll(fds, 3, 1000) < 0 && errno != EINTR)
      return errno;
    if (fds[0].revents)
      write_script(c);
    if (fds[1].revents)
      error = read_output(c);
    if (fds[2].revents)
      read_error_output(c);
    if (time(NULL) > end)
      error = ETIMEDOUT;
  }
  return error;
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

/* The first error line or, if there is none, the first line that is not empty. Warnings and lines of the script come
 * before an error. */
static char *find_error(char *error_output)
{
  char *first = NULL, *rest = NULL;
  for (char *line = strtok_r(error_output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    line += strspn(line, " \t^");
    if (!strncmp(line, "line ", 5) && !strstr(line, "warning:"))
      return line;
    first = first || !*line ? first : line;
  }
  return first;
}

/* Safe for a terminal. */
static const char *first_error(char *error_output)
{
  char *line = find_error(error_output);
  for (char *p = line; p && *p; p++)
    if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
      *p = '?';
  return line ? line : "it printed no reason";
}

/* Waits after gnuplot has closed its pipes. Returns false if it does not exit. */
static bool await_exit(const child *c, int *status)
{
  const time_t end = time(NULL) + LONGEST_EXIT_S;
  pid_t pid;
  while ((pid = waitpid(c->pid, status, WNOHANG)) != c->pid && time(NULL) <= end)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return pid == c->pid;
}

static int finish(child *c, int error)
{
  int status = 0;
  shut(&c->in);
  if (!error && !await_exit(c, &status))
    error = ETIMEDOUT;
  if (error) {
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
      ;
  }
  if (error == EFBIG)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot printed more than %d MiB for one chart", MOST_OUTPUT >> 20);
  if (error == ETIMEDOUT)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot did not finish a chart within %d s", LONGEST_S);
  if (error)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot: %s", strerror(error));
  if (WIFEXITED(status) && !WEXITSTATUS(status) && c->output)
    return -1;
  return xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot failed (%s %d): %s",
                         WIFSIGNALED(status) ? "signal" : "exit code",
                         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), first_error(c->error_output));
}

int xb_gnuplot(const char *script, size_t length, char **text)
{
  child c = {.in = -1, .out = -1, .err = -1, .script = script, .left = length};
  int code;
  const int error = start(&c);
  if (error)
    code = xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot cannot be started: %s", strerror(error));
  else
    code = finish(&c, run_pipes(&c));
  shut(&c.in);
  shut(&c.out);
  shut(&c.err);
  if (code >= 0)
    free(c.output);
  *text = code < 0 ? c.output : NULL;
  return code;
}
