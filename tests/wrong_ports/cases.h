/* The wrong ports: eight mistakes, each as a kernel in two forms, and which check catches it where. The table in
 * cases.c is what docs/wrong-ports.md quotes and what script/gpu-wrong-ports goes by. */
#ifndef WRONG_PORTS_CASES_H
#define WRONG_PORTS_CASES_H

#include <stdbool.h>
#include <stdint.h>

/* What catches a mistake while the program runs. */
typedef enum wrong_check {
  BY_NOTHING,
  BY_TRACKER,    /* the front door, while recording */
  BY_LAYER,      /* Vulkan's validation layer */
  BY_REFERENCE,  /* the result of the first run, held against the CPU's */
  BY_SECOND_RUN, /* the same after a second run on the same buffers */
  BY_GUARDS,     /* the words around each buffer */
} wrong_check;

typedef enum wrong_when {
  ALWAYS,
  IN_SMALL_WAVES, /* where waves have fewer than 32 lanes; elsewhere it may pass */
  BY_LUCK,        /* a GPU may show it; on a CPU device it passes */
} wrong_when;

typedef struct wrong_catch {
  wrong_check check;
  wrong_when when;
} wrong_catch;

enum { INPUT, OUTPUT, EXCHANGE, BUFFERS };

typedef struct wrong_port {
  const char *name; /* of the sources, too */
  const char *title;
  wrong_catch vulkan, cuda;
  const char *
      sanitizer; /* compute-sanitizer's tool that reports the CUDA form, "TOOL, blind" the blind one; NULL: none does */
  const char *inspection; /* what shows it in the compiled code; NULL: nothing */
  const char *seen;       /* on an H200, where the table leaves it open; NULL: it does not */
  wrong_check blind_to;   /* the check that can be taken away: the tracker or the guard words; BY_NOTHING: none */
  bool on_host;           /* the mistake is the host's: both forms run the same kernel */
  uint32_t group_size[3], groups;
  uint32_t words[BUFFERS]; /* of each buffer; 0: not there */
  uint32_t binding_count;  /* of one dispatch */
  bool two_dispatches;     /* from INPUT to EXCHANGE, from EXCHANGE to OUTPUT */
  const void *args;
  uint32_t arg_bytes;
  uint32_t (*expected)(uint32_t i); /* word i of OUTPUT */
} wrong_port;

enum { POISON = 0x5EEDF00D }; /* in OUTPUT before a run */

extern const wrong_port wrong_ports[];
extern const uint32_t wrong_port_count;

/* By full name or number; NULL if there is none. */
const wrong_port *wrong_port_find(const char *name);
/* Word i of INPUT; below 2^24. */
uint32_t wrong_port_input(uint32_t i);
const char *wrong_check_name(wrong_check check);
/* One row a case, as Markdown. */
void wrong_ports_list(void);

#endif
