/* A source in CUDA C++, HLSL or GLSL as a list of tokens. */
#ifndef XB_SOURCE_TOKENS_H
#define XB_SOURCE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum xb_token_kind {
  XB_TOKEN_NAME,      /* also with `::` inside */
  XB_TOKEN_NUMBER,    /* as written, with its suffix */
  XB_TOKEN_OPERATOR,  /* the longest one, but `<` and `>` one by one */
  XB_TOKEN_LAUNCH,    /* <<< of a launch, also << < */
  XB_TOKEN_TEXT,      /* the inside of a string or a character */
  XB_TOKEN_DIRECTIVE, /* # and its name, without blanks: #pragma */
  XB_TOKEN_COMMENT,   /* all of it; only with keeps_comments */
} xb_token_kind;

/* Who runs the code that a token belongs to. */
typedef enum xb_token_scope { XB_SCOPE_FILE, XB_SCOPE_HOST, XB_SCOPE_DEVICE, XB_SCOPE_KERNEL } xb_token_scope;

typedef struct xb_token {
  const char *text;
  size_t length, line;
  size_t close; /* of a bracket that opens: the index of the one that closes it, or of the last token */
  size_t alike; /* as in xb_tokens.alike: the next one */
  size_t first; /* the index of the first token of this text: what is known of names is in arrays by it */
  xb_token_kind kind;
  xb_token_scope scope;
  bool in_directive; /* behind the # of a line */
  bool in_signature; /* of a function */
  bool of_device;    /* a macro whose text has __device__ or __global__ (xb_tokens_set_scopes) */
} xb_token;

typedef struct xb_tokens {
  xb_token *list;
  size_t count, capacity, lines;
  size_t *alike; /* by the hash of its last part, the first token, and one more; 0: none */
  bool out_of_memory;
  bool keeps_left_out; /* set by the caller: what `#if 0` leaves out is read, too, and what #include names */
  bool keeps_comments; /* set by the caller */
  char *comments;      /* set by the caller: the text itself, whose comments become blanks; NULL: they stay */
} xb_tokens;

/* Cuts the text, which has to live as long as the tokens. Comments and what `#if 0` leaves out are no tokens. */
void xb_tokens_read(xb_tokens *tokens, const char *text);
/* Removes the tokens that are not to be kept. Returns false if there is no memory. */
bool xb_tokens_keep(xb_tokens *tokens, const bool *keep);
void xb_tokens_free(xb_tokens *tokens);

/* Sets the scope of each token: that of the function around it. What stands in no function is the device's in a header
 * for it. */
void xb_tokens_set_scopes(xb_tokens *tokens, bool for_device);
/* True if the name says that a function runs on the device: a qualifier, or a macro that looks like one. */
bool xb_token_names_device(const xb_token *token);

bool xb_token_is(const xb_token *token, const char *text);
/* True if the token is one of the words of a list, "const static extern". */
bool xb_token_in(const xb_token *token, const char *list);
bool xb_token_equals(const xb_token *a, const xb_token *b);
/* The last part of a name: `reduce` of `cg::reduce`. */
bool xb_token_ends(const xb_token *token, const char *text);
/* True if the token has the word somewhere, in any case of its letters. */
bool xb_token_has(const xb_token *token, const char *word);
/* True if it has a small letter. */
bool xb_token_has_small(const xb_token *token);
/* The token at `at`, or an empty one behind the last. */
const xb_token *xb_token_at(const xb_tokens *tokens, size_t at);
/* How far a rule looks from a token: a longer statement is no statement that people write, and to look through it from
 * each of its tokens takes hours. */
enum { XB_TOKEN_REACH = 1024 };
/* The end of what it looks through from `at` on. */
size_t xb_token_reach(const xb_tokens *tokens, size_t at);
/* From `at` on, the first token that is one of the words of the list; where none is in reach and before `end`, the end
 * of that. */
size_t xb_token_find(const xb_tokens *tokens, size_t at, size_t end, const char *list);
/* One behind the last such token before `at`; where none is in reach, the first token in reach. */
size_t xb_token_find_back(const xb_tokens *tokens, size_t at, const char *list);
/* The `>` of the arguments of a template whose `<` is at `at`; `at`: none in reach. */
size_t xb_token_angle(const xb_tokens *tokens, size_t at);
/* The index of the `open` that the `close` at `at` belongs to; 0: none in reach. */
size_t xb_token_open(const xb_tokens *tokens, size_t at, const char *open, const char *close);
/* The first of the tokens whose last part may be this text, and one more; 0: none. The next is its `alike`. A few
 * others are among them. */
size_t xb_token_alike(const xb_tokens *tokens, const char *text, size_t length);
/* The index of the bracket that closes the one at `open`, or of the last token. */
size_t xb_token_close(const xb_tokens *tokens, size_t open);

#endif
