/* Result codes and the caller-owned error record.
 *
 * Every fallible call returns an xb_code and takes an optional `xb_error *` as its last argument. The record is plain
 * memory of the caller's: nothing in it is allocated, and NULL is accepted everywhere.
 */
#ifndef XB_ERROR_H
#define XB_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum xb_code {
  XB_OK = 0,
  XB_INVALID,     /* the caller broke the contract; nothing was done */
  XB_UNAVAILABLE, /* no such backend, driver or device on this machine */
  XB_UNSUPPORTED, /* the device is there but cannot do this */
  XB_NOMEM,       /* host or device memory ran out; the device is still usable */
  XB_TIMEOUT,     /* a wait's time limit passed; the device is dead */
  XB_LOST,        /* the driver reported a fault; the device is dead */
  XB_INTERNAL,    /* a driver call failed in a way that has no better code, or the validation layer complained */
} xb_code;

typedef struct xb_error {
  xb_code code;
  int native;           /* VkResult, CUresult, ...; 0 where no driver call failed */
  char where[64];       /* the call that failed: "vkAllocateMemory", "xb_buffer_create" */
  char native_name[64]; /* "VK_ERROR_OUT_OF_DEVICE_MEMORY"; empty where no driver call failed */
  char message[512];    /* one line, complete: where, native name, and what to do; no control characters */
} xb_error;

/* "XB_NOMEM"; never NULL. */
const char *xb_code_name(xb_code code);

/* Fill `err` (may be NULL) and return `code`. The message becomes "where: text". */
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
