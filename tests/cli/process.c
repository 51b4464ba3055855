#include "process.h"

#include "patience.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORDS = 64 };

/* Splits `text` in place. */
static int split(char *text, char *words[MAX_WORDS])
{
  int count = 0;
  for (char *p = text; *p && count < MAX_WORDS - 1;) {
    while (*p == ' ')
      p++;
    const char end = *p == '\'' ? '\'' : ' ';
    if (*p == '\'')
      p++;
    else if (!*p)
      break;
    words[count++] = p;
    while (*p && *p != end)
      p++;
    if (*p)
      *p++ = 0;
  }
  words[count] = NULL;
  return count;
}

static void child(const char *program, const char *arguments, const char *environment, int out, int err)
{
  char argument_text[4096], environment_text[4096], *words[MAX_WORDS], *settings[MAX_WORDS];
  snprintf(argument_text, sizeof argument_text, "xbench %s", arguments);
  snprintf(environment_text, sizeof environment_text, "%s", environment ? environment : "");
  split(argument_text, words);
  const int count = split(environment_text, settings);
  for (int i = 0; i < count; i++) {
    char *value = strchr(settings[i], '=');
    *value++ = 0;
    setenv(settings[i], value, 1);
  }
  signal(SIGINT, SIG_DFL); /* as in a terminal, also where the suite runs in the background */
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execv(program, words);
  _exit(127);
}

static void read_back(FILE *file, char text[PROCESS_OUTPUT])
{
  rewind(file);
  text[fread(text, 1, PROCESS_OUTPUT - 1, file)] = 0;
  fclose(file);
}

/* The parent's position in the file is the child's, so it is left alone. */
static bool is_in(const char *text, int file)
{
  char all[PROCESS_OUTPUT];
  const ssize_t got = pread(file, all, sizeof all - 1, 0);
  all[got > 0 ? got : 0] = 0;
  return strstr(all, text);
}

static void run_with(const char *program, const char *arguments, const char *environment, const char *interrupt_upon,
                     int out, process_result *result)
{
  FILE *err = tmpfile();
  if (!err)
    abort();
  const pid_t pid = fork();
  if (!pid)
    child(program, arguments, environment, out, fileno(err));
  for (double s = 0; interrupt_upon && !is_in(interrupt_upon, out) && s < patience_s(); s += 0.05)
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  if (interrupt_upon)
    kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  read_back(err, result->err);
}

void process_run(const char *program, const char *arguments, const char *environment, const char *interrupt_upon,
                 process_result *result)
{
  FILE *out = tmpfile();
  if (!out)
    abort();
  run_with(program, arguments, environment, interrupt_upon, fileno(out), result);
  read_back(out, result->out);
}

void process_run_into(const char *program, const char *arguments, int out, process_result *result)
{
  *result->out = 0;
  run_with(program, arguments, NULL, NULL, out, result);
}
