/* The data of large buffers, for benchmarks whose calls copy them. It repeats after a while, so that it costs little to
 * write and to check; the first word of each piece is its own, so that no piece can stand for another one. */
#ifndef XB_PIECES_H
#define XB_PIECES_H

#include "benchmarks/benchmark.h"

/* Writes data of the case's size and seed to device memory, through the device `writer`. `*sum`: of its words, modulo
 * 2^32; may be NULL. */
xb_code xb_pieces_write(const xb_case *c, xb_device *writer, xb_buffer *written, uint32_t *sum, xb_error *err);
/* Downloads all of it, and compares each word. */
xb_code xb_pieces_check(const xb_case *c, xb_buffer *read, xb_error *err);
/* The same in memory of the host. */
xb_code xb_pieces_write_host(const xb_case *c, uint32_t *written, xb_error *err);
xb_code xb_pieces_check_host(const xb_case *c, const uint32_t *read, xb_error *err);

#endif
