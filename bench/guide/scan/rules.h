/* What a token, in its context, adds to the findings. */
#ifndef XB_SCAN_RULES_H
#define XB_SCAN_RULES_H

#include "guide/scan/findings.h"
#include "source/symbols.h"
#include "source/tokens.h"
#include "source/values.h"

/* What a source says of a name: bits. */
enum {
  XB_NAME_DECLARED = 1,  /* a function, a parameter or a macro */
  XB_NAME_CHECKS = 2,    /* a macro of PyTorch that checks tensors */
  XB_NAME_STRUCT = 4,    /* a struct */
  XB_NAME_OF_KERNEL = 8, /* signatures of kernels have it */
};

typedef struct xb_rule_input {
  const xb_tokens *tokens;
  const xb_symbols *symbols;
  xb_findings *findings;
  const unsigned char *masks, *names; /* by xb_token.first; see xb_mask_names_read() */
  const bool *barrier_follows;        /* each token, in its function */
} xb_rule_input;

void xb_finding_add(xb_findings *findings, const char *text, size_t length, size_t line, bool on_device);
/* A finding of code for the device, at the line of `t`. */
void xb_rule_found(const xb_rule_input *in, const xb_token *t, const char *text);

/* All rules for the token at `at`. */
void xb_rules_apply(const xb_rule_input *in, size_t at);

void xb_rule_of_name(const xb_rule_input *in, size_t at); /* any other name: rules_names.c */

/* Each returns true if the token needs no finding of its own name. */
bool xb_rule_of_word(const xb_rule_input *in, size_t at);      /* keywords and qualifiers: rules_words.c */
bool xb_rule_of_call(const xb_rule_input *in, size_t at);      /* atomics and groups of threads: rules_calls.c */
void xb_rule_of_operator(const xb_rule_input *in, size_t at);  /* rules_operators.c */
void xb_rule_of_statement(const xb_rule_input *in, size_t at); /* indices and barriers: rules_statements.c */
void xb_rule_of_shared(const xb_rule_input *in, size_t at);    /* names of shared arrays: rules_statements.c */
void xb_rule_of_assembly(const xb_rule_input *in, size_t at);  /* PTX: rules_words.c */

/* True if the token has one of the words of a list somewhere, in any case of its letters. */
bool xb_token_has_one(const xb_token *t, const char *list);
/* True if the token names the size of a warp, or is it: `number` is "32". */
bool xb_rule_is_warp_size(const xb_token *t, const char *number);

#endif
