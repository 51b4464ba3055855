/* Values of options, from text. Each function returns -1, or the exit code after the mistake was told; where the text
 * is NULL the option was not given, and nothing is set. */
#ifndef XB_VALUES_H
#define XB_VALUES_H

#include "commands/options.h"

/* "unknown WHAT 'typed': did you mean 'near'?; there are ..." */
int xb_complain_unknown(const char *what, const char *typed, const char *const *names, size_t count);

int xb_parse_seconds(const char *option, const char *text, double most, double *seconds);
/* "1%", "0.5 %", "1"; a part of 1. */
int xb_parse_percent(const char *option, const char *text, double least, double *part);
int xb_parse_count(const char *option, const char *text, uint64_t *value);
int xb_parse_bytes(const char *option, const char *text, uint64_t *bytes);
/* Sets float32 where nothing was given. */
int xb_parse_dtypes(const char *text, xb_options *o);
/* "offset=0..32": adds a choice. */
int xb_parse_at(const char *text, xb_options *o);
/* "0..32", "1,2,8", "0..4,32", or words apart; false where it is something else, or too much. */
bool xb_parse_axis_values(const char *text, xb_axis_choice *choice);
int xb_parse_cache(const char *text, xb_cache *cache);
int xb_parse_launch(const char *text, xb_options *o);
int xb_parse_queue_families(const char *text, xb_options *o);
int xb_parse_loop(const char *text, xb_loop *loop);
int xb_parse_format(const char *text, xb_format *format);
/* Only checks that there is one. */
int xb_parse_backend(const char *text);

#endif
