/* Values of options, from text. Each function returns true, or false after the mistake was told; where the text is NULL
 * the option was not given, and nothing is set. */
#ifndef XB_VALUES_H
#define XB_VALUES_H

#include "commands/options.h"

/* "unknown WHAT 'typed': did you mean 'near'?; there are ..." */
bool xb_mistake_unknown(const char *what, const char *typed, const char *const *names, size_t count);

bool xb_parse_seconds(const char *option, const char *text, double most, double *seconds);
/* "1%", "0.5 %", "1"; a part of 1. */
bool xb_parse_percent(const char *option, const char *text, double least, double *part);
bool xb_parse_count(const char *option, const char *text, uint64_t *value);
bool xb_parse_bytes(const char *option, const char *text, uint64_t *bytes);
/* Sets float32 where nothing was given. */
bool xb_parse_dtypes(const char *text, xb_options *o);
/* "offset=0..32": adds a choice. */
bool xb_parse_at(const char *text, xb_options *o);
/* "0..32", "1,2,8", "0..4,32", or words apart; false where it is something else, or too much. */
bool xb_parse_axis_values(const char *text, xb_axis_choice *choice);
/* One of `count` words: its place among them. `what`: what the mistake calls it. */
bool xb_parse_word(const char *what, const char *text, const char *const *words, size_t count, size_t *place);
bool xb_parse_launch(const char *text, xb_options *o);
bool xb_parse_queue_families(const char *text, xb_options *o);
/* Only checks that there is one. */
bool xb_parse_backend(const char *text);

#endif
