#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORDS = 64 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

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

static void run_with(const char *program, const char *arguments, const char *environment, double interrupt_after,
                     int out, process_result *result)
{
  FILE *err = tmpfile();
  if (!err)
    abort();
  const double begin = now();
  const pid_t pid = fork();
  if (!pid)
    child(program, arguments, environment, out, fileno(err));
  if (interrupt_after > 0) {
    const struct timespec wait = {.tv_sec = (time_t)interrupt_after,
                                  .tv_nsec = (long)(1e9 * (interrupt_after - (double)(time_t)interrupt_after))};
    nanosleep(&wait, NULL);
    kill(pid, SIGINT);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  result->seconds = now() - begin;
  result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  read_back(err, result->err);
}

void process_run(const char *program, const char *arguments, const char *environment, double interrupt_after,
                 process_result *result)
{
  FILE *out = tmpfile();
  if (!out)
    abort();
  run_with(program, arguments, environment, interrupt_after, fileno(out), result);
  read_back(out, result->out);
}

void process_run_into(const char *program, const char *arguments, int out, process_result *result)
{
  *result->out = 0;
  run_with(program, arguments, NULL, 0, out, result);
}
