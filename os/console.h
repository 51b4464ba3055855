/* The terminal, as the system tells of it. */
#ifndef XB_CONSOLE_H
#define XB_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In columns; 0 if it is unknown or `fd` is no terminal. */
size_t xb_console_width(int fd);
bool xb_console_is_terminal(int fd);
/* For a process whose descriptors 1 and 2 become others: what the two above say of them now is what they say later. */
void xb_console_keep(void);
/* Of the terminal that stdout is. */
bool xb_console_has_colours(void);
/* What a character takes on the terminal: 0, 1 or 2; -1 if it is not printable. */
int xb_character_columns(uint32_t code);
/* Asked after a failed write: whether it is a pipe without a reader, or a socket whose other end is closed. */
bool xb_reader_is_gone(int fd);

#endif
