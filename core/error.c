#include "xb/error.h"

#include "core/utf8.h"

#include <stdarg.h>
#include <stdio.h>

const char *xb_code_name(xb_code code)
{
  switch (code) {
  case XB_OK: return "XB_OK";
  case XB_INVALID: return "XB_INVALID";
  case XB_UNAVAILABLE: return "XB_UNAVAILABLE";
  case XB_UNSUPPORTED: return "XB_UNSUPPORTED";
  case XB_NOMEM: return "XB_NOMEM";
  case XB_TIMEOUT: return "XB_TIMEOUT";
  case XB_LOST: return "XB_LOST";
  case XB_INTERNAL: return "XB_INTERNAL";
  }
  return "XB_?";
}

static xb_code fill(xb_error *err, xb_code code, const char *where, int native, const char *native_name,
                    const char *format, va_list args)
{
  if (!err)
    return code;
  char text[sizeof err->message];
  vsnprintf(text, sizeof text, format, args);
  *err = (xb_error){.code = code, .native = native};
  snprintf(err->where, sizeof err->where, "%s", where);
  snprintf(err->native_name, sizeof err->native_name, "%s", native_name);
  const int head = snprintf(err->message, sizeof err->message, "%s%s%s", where, *native_name ? ": " : "", native_name);
  if (*text && head >= 0 && (size_t)head < sizeof err->message)
    snprintf(err->message + head, sizeof err->message - (size_t)head, ": %.*s",
             (int)(sizeof err->message - (size_t)head), text);
  xb_make_printable(err->message, 0); /* it may contain names and messages of drivers */
  return code;
}

xb_code xb_fail(xb_error *err, xb_code code, const char *where, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fill(err, code, where, 0, "", format, args);
  va_end(args);
  return code;
}

xb_code xb_fail_native(xb_error *err, xb_code code, const char *where, int native, const char *native_name,
                       const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fill(err, code, where, native, native_name, format, args);
  va_end(args);
  return code;
}
