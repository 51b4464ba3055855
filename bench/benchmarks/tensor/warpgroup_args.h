/* Sizes of the kernels whose warp groups multiply from shared memory, for C and CUDA. */
#ifndef XB_WARPGROUP_ARGS_H
#define XB_WARPGROUP_ARGS_H

/* Rungs 13 to 20: the tile of a group, what it multiplies at a time, and the threads of a warp group. */
#define TENSOR_GROUP_ROWS 128
#define TENSOR_GROUP_COLUMNS 256
#if !defined(TENSOR_GROUP_DEPTH) /* tensor8_args.h has its own */
#define TENSOR_GROUP_DEPTH 64
#endif
#define TENSOR_GROUP_BOX 64 /* columns of a row of 128 bytes in shared memory */
#define TENSOR_WARPGROUP 128
/* Such stages in shared memory: of rung 13, and of rungs 14 to 16. */
#define TENSOR_BUFFERS 3
#define TENSOR_STAGES 4

#endif
