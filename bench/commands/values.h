/* Parses values of the command line. Each function returns false after it reported a mistake. `option` is the prefix of
 * the message. */
#ifndef XB_VALUES_H
#define XB_VALUES_H

#include "base/exit_codes.h"
#include "benchmarks/choice.h"
#include "machine/choose.h"

/* Reports a mistake on the command line and returns false. */
#define xb_usage_error(...) (xb_report_error(XB_EXIT_USAGE, __VA_ARGS__), false)
/* "unknown WHAT 'typed': did you mean 'near'?; there are ..." */
bool xb_unknown_name_error(const char *what, const char *typed, const char *const *names, size_t count);

bool xb_parse_seconds(const char *option, const char *text, double most, double *seconds);
/* "1%", "0.5 %" or "1"; `part` is a fraction: 0.01 for 1%. */
bool xb_parse_percent(const char *option, const char *text, double least, double *part);
bool xb_parse_count(const char *option, const char *text, uint64_t *value);
bool xb_parse_bytes(const char *option, const char *text, uint64_t *bytes);
/* `text` must be one of `count` words; `place` is its index. `what` is its name in messages. */
bool xb_parse_word(const char *what, const char *text, const char *const *words, size_t count, size_t *place);
bool xb_check_backend(const char *text);
/* True for "a.json". `name` may be NULL. */
bool xb_is_json_name(const char *name);
/* Checks the name of an output file. */
bool xb_check_file(const char *option, const char *name);

/* ---- Lists, of a run -------------------------------------------------------------------------------------------- */

/* float32 if `text` is NULL. */
bool xb_parse_dtypes(const char *text, xb_choice *what);
/* "offset=0..32": adds a choice. */
bool xb_parse_at(const char *text, xb_choice *what);
/* "0", "2,0", "all"; the best family of each backend if `text` is NULL. */
bool xb_parse_queue_families(const char *text, xb_device_choice *on);
/* Sizes: 4194304, 2^22, 4Mi, 1e6, 4096x1000, 4096x1000x64, lists 1Ki,1Mi and ranges 2^16..2^28 (doubling). XB_INVALID
 * if the text is invalid; the message says what was expected. (sizes.c) */
xb_code xb_parse_sizes(const char *text, xb_size sizes[XB_MAX_SIZES], size_t *count, xb_error *err);

#endif
