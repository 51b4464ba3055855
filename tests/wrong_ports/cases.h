/* The wrong ports: seventeen mistakes, each as a kernel in two forms, and the check that finds it on each API. The
 * table is in cases.c; docs/internals/wrong-ports.md quotes it, and script/gpu wrong-ports uses it. */
#ifndef WRONG_PORTS_CASES_H
#define WRONG_PORTS_CASES_H

#include <stdbool.h>
#include <stdint.h>

/* The check that finds a mistake while the program runs. */
typedef enum wrong_check {
  BY_NOTHING,
  BY_TRACKER,    /* core, while recording */
  BY_LAYER,      /* Vulkan's validation layer */
  BY_REFERENCE,  /* the result of the first run, compared with the CPU's */
  BY_SECOND_RUN, /* the same after a second run on the same buffers */
  BY_GUARDS,     /* the words around each buffer */
  BY_EMULATION,  /* the backend cpu, which sees each access outside of a buffer */
  BY_RACES,      /* the backend cpu, where it watches for races */
  BY_MEMORY,     /* the same, for wrong accesses */
} wrong_check;

typedef enum wrong_when {
  ALWAYS,
  IN_SMALL_WAVES, /* if waves have fewer than 32 lanes; otherwise it may pass */
  IN_STEP,        /* if the lanes of a wave run in step, as on a CPU device; otherwise it may pass */
  BY_LUCK,        /* a GPU may give a wrong result; a CPU device does not */
  ON_CPU,         /* a GPU may give a wrong result; a CPU device does */
} wrong_when;

typedef struct wrong_catch {
  wrong_check check;
  wrong_when when;
} wrong_catch;

enum { INPUT, OUTPUT, EXCHANGE, BUFFERS };

typedef struct wrong_port {
  const char *name; /* also the name of the sources */
  const char *title;
  wrong_catch vulkan, cuda;
  const char *sanitizer;     /* compute-sanitizer's tool that reports the CUDA form; "TOOL, blind": only the blind form;
                                NULL: none */
  const char *inspection;    /* the evidence in the compiled code; NULL: none */
  const char *on_cpu;        /* what finds the CUDA form on the backend cpu: wrong_port_found() */
  const char *shader_on_cpu; /* the same of the HLSL form: wrong_shader_found(); NULL: as the CUDA form */
  const char *seen;          /* the result on an H200, if not determined by the other columns; else NULL */
  wrong_check blind_to;      /* the check that can be disabled: the tracker or the guard words; BY_NOTHING: none */
  bool overlaps;             /* threads have to run at the same time: an emulation runs those of a group in turn */
  bool on_host;              /* the mistake is in the host's code: both forms run the same kernel */
  uint32_t group_size[3], groups;
  uint32_t words[BUFFERS]; /* of each buffer; 0: no such buffer */
  uint32_t binding_count;  /* per dispatch */
  bool texels;             /* INPUT is a texel buffer of bytes; the wrong form also writes to it */
  bool two_dispatches;     /* from INPUT to EXCHANGE, from EXCHANGE to OUTPUT */
  const void *args;
  uint32_t arg_bytes;
  uint32_t (*expected)(uint32_t i); /* word i of OUTPUT */
} wrong_port;

enum { POISON = 0x5EEDF00D }; /* in OUTPUT before a run */

extern const wrong_port wrong_ports[];
extern const uint32_t wrong_port_count;

/* Finds a port by its full name or number; NULL if there is none. */
const wrong_port *wrong_port_find(const char *name);
/* Word i of INPUT; below 2^24. */
uint32_t wrong_port_input(uint32_t i);
const char *wrong_check_name(wrong_check check);
/* Prints a Markdown table with one row per case. */
void wrong_ports_list(void);

#endif
