/* Result codes and the caller-owned error record.
 *
 * Every call that can fail returns an xb_code and takes an optional `xb_error *` as its last argument. The caller owns
 * the record, nothing in it is allocated, and it may always be NULL.
 */
#ifndef XB_ERROR_H
#define XB_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum xb_code {
  XB_OK = 0,
  XB_INVALID,     /* wrong use by the caller; nothing was done */
  XB_UNAVAILABLE, /* this machine has no such backend, driver or device */
  XB_UNSUPPORTED, /* the device cannot do this */
  XB_NOMEM,       /* host or device memory ran out; the device is still usable */
  XB_TIMEOUT,     /* a wait's time limit passed; the device is unusable */
  XB_LOST,        /* the driver reported a fault; the device is unusable */
  XB_INTERNAL,    /* another failure of a driver call, or an error of the validation layer */
} xb_code;

typedef struct xb_error {
  xb_code code;
  int native;           /* VkResult, CUresult, ...; 0 if no driver call failed */
  char where[64];       /* the failed call: "vkAllocateMemory", "xb_buffer_create" */
  char native_name[64]; /* "VK_ERROR_OUT_OF_DEVICE_MEMORY"; empty if no driver call failed */
  char message[512];    /* all of it in one line: where, native name, problem, what to do; UTF-8 that is safe for a
                           terminal */
} xb_error;

/* "XB_NOMEM"; never NULL. */
const char *xb_code_name(xb_code code);

/* Fills `err` (may be NULL) and returns `code`. The message becomes "where: text". */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
xb_code
xb_fail(xb_error *err, xb_code code, const char *where, const char *format, ...);

/* The same for a failed driver call: the message becomes "where: native_name" or "where: native_name: text". */
#if defined(__GNUC__)
__attribute__((format(printf, 6, 7)))
#endif
xb_code
xb_fail_native(xb_error *err, xb_code code, const char *where, int native, const char *native_name, const char *format,
               ...);

#ifdef __cplusplus
}
#endif
#endif
