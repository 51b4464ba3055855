/* A session: the devices and options of a run, how it is interrupted, and what it says while it works. */
#ifndef XB_SESSION_H
#define XB_SESSION_H

#include "commands/subcommands.h"
#include "measure/cell_results.h"

typedef struct xb_session {
  const xb_options *options;
  xb_target targets[XB_MAX_TARGETS];
  xb_setup setup; /* for the cells of each request */
  xb_sampling sampling;
  const xb_device_info *infos[XB_MAX_TARGETS];
  xb_result_device devices[XB_MAX_TARGETS];
  xb_measured_on on; /* the two above */
  xb_arena arena;    /* for data that lasts as long as the session */
  xb_request *requests;
  size_t request_count, requests_done;
  double began_ns;
  char now[128]; /* text for the request in progress */
  int exit_code; /* the most severe one so far */
} xb_session;

/* Opens the devices, and makes the requests. Returns -1 on success; otherwise the mistake has been reported and the
 * result is the exit code. */
int xb_session_open(xb_session *session, const xb_options *options);
/* From now on Ctrl-C ends the run: at first after the work that the device has begun. */
void xb_session_watch(xb_session *session);
bool xb_session_interrupted(void);
/* True if no other request can be measured: the user stopped the run, or a device became unusable. */
bool xb_session_is_over(const xb_session *session);
/* Says what is measured now. */
void xb_session_begin_request(xb_session *session, const xb_cell_group *cells);
void xb_session_clear_progress(void);
/* Wrong results are the most severe, then device errors, then missing features. */
void xb_session_note_exit(xb_session *session, int code);
/* Closes the devices. Returns the exit code. */
int xb_session_close(xb_session *session);

#endif
