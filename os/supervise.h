/* A part of the program that runs strangers' code inside of itself, in a process that cannot end well by accident. */
#ifndef XB_SUPERVISE_H
#define XB_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>

/* Calls `run` in another process, in a session of its own, and waits. Its stdout and stderr come to this process as
 * messages with a secret, which what is written to the descriptors 1 and 2 there has not: that is shown on stderr, a
 * line behind "kernel: ". When `run` returns, or its process ends otherwise, all that it started is ended. SIGINT,
 * SIGTERM and SIGHUP are passed on; if this process is killed, so is the other.
 *
 * Returns what `run` returned. -1: it did not return, and `why` says what happened; -2: no process can be started.
 * Where there is no fork(), or with the variable XB_ONE_PROCESS, `run` is called here. */
enum { XB_ENDED_BYTES = 160 };
int xb_supervise(int (*run)(void *user), void *user, char why[XB_ENDED_BYTES]);

/* Ends this process as a return from `run`, or from main(), would, but calls no handlers of atexit(). */
_Noreturn void xb_leave(int code);

/* In that process, else nothing: ----------------------------------------------------------------------------------- */

/* From now on, as far as the system can: no network, no signals to other processes, no debugging of them, and limits of
 * memory, threads, files and CPU time. Without `programs`, also no new processes and no other programs. */
void xb_confine(bool programs);
/* What follows may hang: the process is ended if it lasts longer. 0: it is over. */
void xb_may_hang(double seconds);
/* Writes to stdout (1) or stderr (2); may be called in the handler of a signal. False: see errno. */
bool xb_write_stream(int stream, const char *text, size_t length);
/* 1 or 2 if the path is a name of that stream, which a supervised process cannot open; else 0. */
int xb_supervised_stream(const char *path);

#endif
