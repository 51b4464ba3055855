/* Names: of an API, and those that projects give their own macros and wrappers. */
#include "guide/rows.h"
#include "guide/scan/rules.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A name with :: counts as a whole, and so do its beginnings and its ends: cub::DeviceScan::InclusiveSum. */
static void add_parts(const xb_rule_input *in, const xb_token *t)
{
  const bool on_device = t->scope >= XB_SCOPE_DEVICE;
  xb_finding_add(in->findings, t->text, t->length, t->line, on_device);
  for (size_t i = 1; i + 2 < t->length; i++)
    if (!memcmp(t->text + i, "::", 2)) {
      if (memchr(t->text, ':', i))
        xb_finding_add(in->findings, t->text, i, t->line, on_device);
      xb_finding_add(in->findings, t->text + i + 2, t->length - i - 2, t->line, on_device);
    }
}

/* cudaMalloc(, cuLaunchKernel(: calls that return an error. */
static bool calls_api(const xb_rule_input *in, size_t at)
{
  const xb_token *t = xb_token_at(in->tokens, at);
  const size_t begin = !strncmp(t->text, "cuda", 4) ? 4 : !strncmp(t->text, "cu", 2) ? 2 : 0;
  return t->kind == XB_TOKEN_NAME && begin && t->length > begin && isupper((unsigned char)t->text[begin]) &&
         !xb_token_has_one(t, "GetErrorString GetErrorName ChannelDesc") &&
         xb_token_is(xb_token_at(in->tokens, at + 1), "(");
}

/* CHECK(cudaMalloc(...)), safe(device, cuInit(0)): one of the arguments is such a call. */
static bool wraps_call(const xb_rule_input *in, size_t at)
{
  const size_t open = at + 1, close = xb_token_close(in->tokens, open);
  if (xb_token_in(&in->tokens->list[at], "if while switch return for sizeof decltype") || calls_api(in, at) ||
      in->tokens->list[at].in_directive)
    return false;
  for (size_t i = open; i < close && i < open + XB_TOKEN_REACH; i++)
    if (xb_token_is(&in->tokens->list[i], "(") && i > open)
      i = xb_token_close(in->tokens, i);
    else if ((i == open || xb_token_is(&in->tokens->list[i], ",")) && calls_api(in, i + 1))
      return true;
  return false;
}

/* CUDA_CHECK, gpuErrchk, checkCudaErrors, CUDA_RT_CALL: what a project calls with the result of each call. */
static bool checks_errors(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const bool called = xb_token_is(xb_token_at(in->tokens, at + 1), "(");
  const bool alone = at && strchr(";})", *(t - 1)->text) && !xb_token_has_small(t); /* GPU_CHECK_KERNEL */
  if (t->in_signature || (!alone && !called))
    return false;
  return (called && wraps_call(in, at)) ||
         (xb_token_has_one(t,
                           "cuda gpu kernel device check_cu cu_check cublas cufft cudnn cusolver cusparse curand nccl "
                           "thrust") &&
          xb_token_has_one(t, "check errchk safe_call safecall _call _try assert fatal"));
}

/* Names such as CUDA_CHECK and DEV_INLINE, of which each project has its own, with what they stand for. */
static bool find_macro(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const bool device =
      xb_token_names_device(t) && !t->in_directive && !xb_token_is(t, "__device__") && !xb_token_is(t, "__global__");
  char text[80];
  if (xb_token_has(t, "check") && in->names[t->first] & XB_NAME_CHECKS)
    return true;
  if (checks_errors(in, at) || device)
    snprintf(text, sizeof text, "%s: %.*s", device ? "macro for __device__" : "check of errors", (int)t->length,
             t->text);
  else if (!xb_token_has_small(t) && xb_token_has(t, "KERNEL") && xb_token_has(t, "LOOP"))
    snprintf(text, sizeof text, "grid stride loop");
  else
    return false;
  xb_finding_add(in->findings, text, strlen(text), t->line, t->scope >= XB_SCOPE_DEVICE);
  return true;
}

/* warpReduceSum, subgroup_min: functions of the lanes of a warp that another source has. In this one, what is inside is
 * found. */
static bool find_warp_function(const xb_rule_input *in, size_t at)
{
  static const char *const kinds[][2] = {{"max", "maximum"}, {"min", "minimum"}, {"sum", "sum"},
                                         {"scan", "scan"},   {"prefix", "scan"}, {"reduce", "sum"}};
  const xb_token *t = &in->tokens->list[at], *after = xb_token_at(in->tokens, at + 1);
  const bool called = xb_token_in(after, "( <");
  if (t->scope < XB_SCOPE_DEVICE || t->in_signature || !called || !xb_token_has_one(t, "warp subgroup wave") ||
      !xb_token_has_small(t) || memchr(t->text, ':', t->length) || xb_token_has(t, "size"))
    return false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (xb_token_has(t, kinds[i][0]) && !(in->names[t->first] & XB_NAME_DECLARED)) {
      char text[80];
      snprintf(text, sizeof text, "%s of a warp: %.*s", kinds[i][1], (int)t->length, t->text);
      xb_finding_add(in->findings, text, strlen(text), t->line, true);
      return true;
    }
  return false;
}

/* A variable whose name is a word of CUDA, too: half, ballot, min. */
static bool is_variable(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at], *after = xb_token_at(in->tokens, at + 1);
  if (xb_token_in(t, "auto char constexpr decltype delete enum explicit inline long new noexcept nullptr nvcuda "
                     "operator short typename virtual lock mutex"))
    return false;
  for (size_t i = 0; i < t->length; i++)
    if (!islower((unsigned char)t->text[i]))
      return false;
  const bool typed = xb_token_is(t, "half") && at && (t - 1)->kind == XB_TOKEN_NAME && !xb_token_is(t - 1, "const") &&
                     (xb_token_in(after, "= ;")); /* its name is a type, so it is no symbol */
  return typed || (!xb_token_is(after, "(") && xb_symbol_of(in->symbols, t));
}

/* A variable or a function of the project: cublas_handle. The libraries have no name with this beginning. */
static bool is_of_project(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at], *after = xb_token_at(in->tokens, at + 1);
  if (!strncmp(t->text, "curand_", 7) && !xb_token_is(after, "(") && !xb_token_is(after, "<"))
    return true;
  return xb_guide_begins(t->text, "cublas_ cublaslt_ cudnn_ cusparse_ cusolver_ cufft_ nccl_");
}

void xb_rule_of_name(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (t->scope == XB_SCOPE_HOST && (xb_token_in(t, "gridDim blockDim")))
    return; /* a variable: dim3 gridDim(...) */
  const bool other_member = xb_token_is(t, "normalized") && !xb_token_is(xb_token_at(in->tokens, at + 1), "=");
  if (!find_macro(in, at) && !find_warp_function(in, at) && !other_member && !is_variable(in, at) &&
      !is_of_project(in, at))
    add_parts(in, t);
}
