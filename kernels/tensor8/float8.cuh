// The format of float8 in names of instructions.
#if defined(TENSOR8_E5M2)
#define FLOAT8 "e5m2"
#else
#define FLOAT8 "e4m3"
#endif
