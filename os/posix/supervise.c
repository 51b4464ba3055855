#define _GNU_SOURCE /* fopencookie, getrandom, struct sysinfo */
#include "os/supervise.h"

#include "os/console.h"
#include "os/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A message. One write is one message: what a kernel writes to this descriptor has no secret, and is dropped. */
enum { OUT = 1, ERR = 2, END, HANG, MOST_BYTES = 4000 };
typedef struct message {
  uint64_t secret;
  uint32_t kind, length;
  char bytes[MOST_BYTES];
} message;
static const size_t HEAD = offsetof(message, bytes);

static struct {
  uint64_t secret;
  int channel;
  pid_t process, parent; /* process: 0: this one is not supervised */
} self;

/* Leaks are looked for when a process exits; sanitizers stop its threads for that. */
extern void __lsan_do_leak_check(void) __attribute__((weak));

/* ---- In the process that is supervised --------------------------------------------------------------------------- */

static bool is_supervised(void)
{
  return self.process && self.process == getpid(); /* and not a process that it started */
}

static bool send_message(uint32_t kind, const void *bytes, size_t length)
{
  message m = {.secret = self.secret, .kind = kind, .length = (uint32_t)length};
  ssize_t n;
  memcpy(m.bytes, bytes, length);
  while ((n = write(self.channel, &m, HEAD + length)) < 0 && errno == EINTR)
    ;
  return n > 0;
}

bool xb_write_stream(int stream, const char *text, size_t length)
{
  while (length) {
    const size_t some = length < MOST_BYTES ? length : MOST_BYTES;
    const ssize_t n = !is_supervised()                             ? write(stream, text, length)
                      : send_message((uint32_t)stream, text, some) ? (ssize_t)some
                                                                   : -1;
    if (n < 0 && errno != EINTR)
      return false;
    text += n > 0 ? n : 0;
    length -= n > 0 ? (size_t)n : 0;
  }
  return true;
}

static ssize_t write_cookie(void *cookie, const char *bytes, size_t count)
{
  return xb_write_stream(cookie ? ERR : OUT, bytes, count) ? (ssize_t)count : 0;
}

int xb_supervised_stream(const char *path)
{
  static const char *const names[] = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
                                      "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"};
  for (int i = 0; i < 6 && is_supervised(); i++)
    if (!strcmp(path, names[i]))
      return 1 + i / 3;
  return 0;
}

void xb_may_hang(double seconds)
{
  if (is_supervised())
    send_message(HANG, &seconds, sizeof seconds);
}

static int begin(int channel, int words, uint64_t secret, pid_t parent)
{
  static int is_stderr;
  const cookie_io_functions_t functions = {.write = write_cookie};
  FILE *out = fopencookie(NULL, "w", functions), *err = fopencookie(&is_stderr, "w", functions);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (setsid() < 0 || getppid() != parent || !out || !err || nothing < 0)
    return -1;
  xb_console_keep();
  setvbuf(err, NULL, _IONBF, 0);
  self.secret = secret;
  self.channel = channel;
  self.process = getpid();
  self.parent = parent;
  stdout = out;
  stderr = err;
  return dup2(nothing, 0) < 0 || dup2(words, 1) < 0 || dup2(words, 2) < 0 ? -1 : 0;
}

_Noreturn void xb_leave(int exit_code)
{
  const int32_t code = exit_code;
  fflush(NULL);
  if (is_supervised())
    send_message(END, &code, sizeof code);
  if (is_supervised() && __lsan_do_leak_check)
    exit(code);
  _exit(code); /* handlers of a kernel are not called */
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

static void limit(int resource, uint64_t value)
{
  struct rlimit l;
  if (getrlimit(resource, &l))
    return;
  l.rlim_cur = l.rlim_cur < value ? l.rlim_cur : (rlim_t)value;
  l.rlim_max = l.rlim_cur;
  setrlimit(resource, &l);
}

static void limit_resources(void)
{
  enum { MORE_THREADS = 4096, DAY_S = 24 * 60 * 60 };
  struct sysinfo machine;
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  const bool known = file && fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages) == 1 && !sysinfo(&machine);
  if (file)
    fclose(file);
  if (known) { /* as much memory as the machine has, beside what the process has already */
    limit(RLIMIT_DATA, pages * (uint64_t)sysconf(_SC_PAGESIZE) + (uint64_t)machine.totalram * machine.mem_unit);
    limit(RLIMIT_NPROC, (uint64_t)machine.procs + MORE_THREADS);
  }
  limit(RLIMIT_CPU, (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) * DAY_S);
  limit(RLIMIT_FSIZE, UINT64_C(64) << 30);
  limit(RLIMIT_NOFILE, UINT64_MAX); /* the hard one */
  limit(RLIMIT_CORE, 0);
  file = fopen("/proc/self/oom_score_adj", "we"); /* where memory runs out all the same, this process ends first */
  if (file) {
    fputs("1000", file);
    fclose(file);
  }
}

/* ---- System calls ------------------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#ifdef ARCHITECTURE
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define REFUSE(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), RETURN(REFUSED)
/* Of a call with this value of an argument; of all others, and with none of these bits. */
#define REFUSE_IF(number, argument, value)                                                                             \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD(args[argument]),                                             \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), RETURN(REFUSED), RETURN(SECCOMP_RET_ALLOW)
#define REFUSE_UNLESS(number, argument, value)                                                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD(args[argument]),                                             \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0), RETURN(REFUSED), RETURN(SECCOMP_RET_ALLOW)
#define REFUSE_WITHOUT(number, argument, bits)                                                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD(args[argument]),                                             \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), RETURN(REFUSED), RETURN(SECCOMP_RET_ALLOW)

static void filter_calls(bool programs)
{
  enum { X32 = 0x40000000, THREAD = 0x10000 /* CLONE_THREAD */, NO_CALL = X32 - 1 };
  struct sock_filter program[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      RETURN(REFUSED),
      LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1),
      RETURN(REFUSED),
      REFUSE(SYS_socket),
      REFUSE(SYS_connect),
      REFUSE(SYS_bind),
      REFUSE(SYS_io_uring_setup), /* it opens sockets, too */
      REFUSE(programs ? NO_CALL : SYS_execve),
      REFUSE(programs ? NO_CALL : SYS_execveat),
      REFUSE(SYS_kill),
      REFUSE(SYS_tkill),
      REFUSE(SYS_rt_sigqueueinfo),
      REFUSE(SYS_rt_tgsigqueueinfo),
      REFUSE(SYS_pidfd_send_signal),
      REFUSE(SYS_process_vm_readv),
      REFUSE(SYS_process_vm_writev),
      REFUSE(SYS_setsid),
      REFUSE(programs ? NO_CALL : SYS_setpgid),
      REFUSE(SYS_setrlimit),
      REFUSE(SYS_unshare),
      REFUSE(SYS_setns),
      REFUSE(SYS_bpf),
      REFUSE(__lsan_do_leak_check ? NO_CALL : SYS_ptrace),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1), /* its flags cannot be seen; the C library takes clone */
      RETURN(SECCOMP_RET_ERRNO | ENOSYS),
#ifdef SYS_fork
      REFUSE(programs ? NO_CALL : SYS_fork),
      REFUSE(programs ? NO_CALL : SYS_vfork),
#endif
      REFUSE_WITHOUT(programs || __lsan_do_leak_check ? NO_CALL : SYS_clone, 0, THREAD),
      REFUSE_IF(SYS_tgkill, 0, (uint32_t)self.parent),
      REFUSE_IF(SYS_prctl, 0, PR_SET_PDEATHSIG),
      REFUSE_UNLESS(SYS_prlimit64, 2, 0), /* no new limit: the lower half of a pointer */
      RETURN(SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog all = {.len = sizeof program / sizeof *program, .filter = program};
  if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &all);
}
#else
static void filter_calls(bool programs)
{
  (void)programs;
}
#endif

void xb_confine(bool programs)
{
  if (!is_supervised())
    return;
  limit_resources();
  filter_calls(programs);
}

/* ---- In the process that waits ----------------------------------------------------------------------------------- */

enum { LINE_BYTES = 400, MOST_SHOWN = 1 << 16, GRACE_S = 60 };

typedef struct watched {
  pid_t process;
  int channel, words;
  uint64_t secret;
  double limit; /* when what may hang has to be over; 0: nothing is watched */
  bool ended;   /* it says so */
  int32_t code;
  int killed;            /* by this signal */
  char line[LINE_BYTES]; /* what a kernel writes */
  size_t length, shown;
} watched;

static volatile pid_t passed_to;
static volatile sig_atomic_t passed; /* the last signal */

static void pass_on(int number)
{
  passed = number;
  kill(-passed_to, number);
}

static void stop_both(int number)
{
  const int error = errno;
  (void)number;
  pass_on(SIGSTOP);
  raise(SIGSTOP);
  pass_on(SIGCONT);
  errno = error;
}

static double now_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show_line(watched *w)
{
  if (w->shown < MOST_SHOWN) {
    fputs("kernel: ", stderr);
    for (size_t i = 0; i < w->length; i++) /* nothing that a terminal acts on */
      fputc((unsigned char)w->line[i] < ' ' || (unsigned char)w->line[i] >= 0x7f ? '?' : w->line[i], stderr);
    fputs((w->shown += w->length + 1) < MOST_SHOWN ? "\n" : "\nkernel: (the rest is not shown)\n", stderr);
  }
  w->length = 0;
}

/* False: there is nothing more for now. */
static bool take_words(watched *w)
{
  char bytes[4096];
  const ssize_t n = read(w->words, bytes, sizeof bytes);
  for (ssize_t i = 0; i < n; i++) {
    if (bytes[i] != '\n')
      w->line[w->length++] = bytes[i];
    if (bytes[i] == '\n' || w->length == LINE_BYTES)
      show_line(w);
  }
  return n > 0;
}

static bool take_message(watched *w)
{
  message m;
  double seconds;
  const ssize_t n = read(w->channel, &m, sizeof m);
  if (n < 0) /* the first read after a reset fails; later ones return the messages that were sent before it */
    return errno == EINTR || errno == ECONNRESET;
  if (n < (ssize_t)HEAD || m.secret != w->secret || m.length != (size_t)n - HEAD)
    return n > 0;
  switch (m.kind) {
  case OUT:
    fwrite(m.bytes, 1, m.length, stdout);
    fflush(stdout);
    break;
  case ERR: fwrite(m.bytes, 1, m.length, stderr); break;
  case HANG:
    memcpy(&seconds, m.bytes, sizeof seconds);
    w->limit = seconds > 0 ? now_s() + seconds : 0;
    break;
  case END:
    memcpy(&w->code, m.bytes, sizeof w->code);
    w->ended = true;
    w->limit = now_s() + GRACE_S;
    break;
  }
  return true;
}

/* Ends the other process and all that it started: those that left its group are this process's children now. */
static void end_all(pid_t process)
{
  char path[64];
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
  snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
  do {
    FILE *children = fopen(path, "re");
    int child;
    while (children && fscanf(children, "%d", &child) == 1)
      kill(child, SIGKILL);
    if (children)
      fclose(children);
  } while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
}

/* Until it ends. Returns as waitpid; 0: it was not going to end. */
static pid_t await(watched *w, int *status, char why[XB_ENDED_BYTES])
{
  enum { AT_ONCE = 64 };
  pid_t ended = 0;
  bool gone = false;
  while (!ended || (ended < 0 && errno == EINTR)) {
    struct pollfd fds[] = {{w->channel, POLLIN, 0}, {w->words, POLLIN, 0}};
    poll(fds, gone ? 0 : 2, gone ? 1 : 50);
    gone |= fds[0].revents & POLLHUP;
    for (int i = 0; i < AT_ONCE && take_message(w); i++)
      ;
    for (int i = 0; i < AT_ONCE && take_words(w); i++)
      ;
    ended = waitpid(w->process, status, WNOHANG | WUNTRACED);
    if (ended > 0 && WIFSTOPPED(*status)) {
      snprintf(why, XB_ENDED_BYTES, "it was stopped by signal %d", WSTOPSIG(*status));
      return 0;
    }
    if (w->limit > 0 && now_s() > w->limit) {
      snprintf(why, XB_ENDED_BYTES, "it hangs outside of its kernels' time limit");
      return 0;
    }
  }
  return ended;
}

static int wait_for(watched *w, char why[XB_ENDED_BYTES])
{
  int status = 0;
  const pid_t ended = await(w, &status, why);
  end_all(w->process);
  while (take_message(w)) /* what was written before */
    ;
  while (take_words(w))
    ;
  if (w->length)
    show_line(w);
  if (w->ended)
    return w->code || ended <= 0 || !WIFEXITED(status) ? w->code : WEXITSTATUS(status);
  if (ended > 0 && WIFSIGNALED(status))
    snprintf(why, XB_ENDED_BYTES, "it was ended by signal %d", w->killed = WTERMSIG(status));
  else if (ended > 0)
    snprintf(why, XB_ENDED_BYTES, "it ended with exit code %d before it was done", WEXITSTATUS(status));
  return -1;
}

int xb_supervise(int (*run)(void *user), void *user, char why[XB_ENDED_BYTES])
{
  int channel[2] = {-1, -1}, words[2] = {-1, -1};
  struct sigaction before[XB_ENDINGS], stop;
  sigset_t all, mask;
  watched w = {0};
  const pid_t parent = getpid();
  const char *one = getenv("XB_ONE_PROCESS");
  *why = 0;
  if (one && *one && strcmp(one, "0") != 0)
    return run(user);
  if (getrandom(&w.secret, sizeof w.secret, 0) != sizeof w.secret ||
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) || pipe2(words, O_CLOEXEC))
    return -2;
  fcntl(channel[0], F_SETFL, O_NONBLOCK);
  fcntl(words[0], F_SETFL, O_NONBLOCK);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  fflush(NULL);
  passed = 0;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask); /* until it is known to whom they go */
  xb_handle_endings(pass_on, 0, before);
  sigaction(SIGTSTP, &(struct sigaction){.sa_handler = stop_both}, &stop);
  w.process = fork();
  if (!w.process) {
    for (int i = 0; i < XB_ENDINGS; i++)
      sigaction(xb_endings[i], &before[i], NULL);
    sigaction(SIGTSTP, &stop, NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(channel[0]); /* what is written to it would be lost, and break the connection */
    close(words[0]);
    if (begin(channel[1], words[1], w.secret, parent))
      _exit(127);
    xb_leave(run(user));
  }
  passed_to = w.process > 0 ? w.process : parent;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  w.channel = channel[0];
  w.words = words[0];
  close(channel[1]);
  close(words[1]);
  const int code = w.process < 0 ? -2 : wait_for(&w, why);
  close(channel[0]);
  close(words[0]);
  for (int i = 0; i < XB_ENDINGS; i++)
    sigaction(xb_endings[i], &before[i], NULL);
  sigaction(SIGTSTP, &stop, NULL);
  if (code == -1 && w.killed && w.killed == passed) /* as without another process */
    raise(w.killed);
  return code;
}
