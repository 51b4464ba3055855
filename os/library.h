/* Names of libraries that are opened at run time. */
#ifndef XB_LIBRARY_NAMES_H
#define XB_LIBRARY_NAMES_H

#ifdef _WIN32
#define XB_NVML_LIBRARY "nvml.dll"
#else
#define XB_NVML_LIBRARY "libnvidia-ml.so.1"
#endif

#endif
