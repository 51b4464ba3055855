/* Compiles the sources of a pair while the program runs, and keeps the code in a cache if the compiler tells all that
 * it was made from. */
#ifndef XB_PAIR_COMPILE_H
#define XB_PAIR_COMPILE_H

#include "base/arena.h"
#include "xb/gpu.h"

/* What a compiler of shaders is asked for. */
typedef enum xb_optimization {
  XB_OPTIMIZE_AS_USUAL,
  XB_OPTIMIZE_OFF,
  XB_OPTIMIZE_SPEED,
  XB_OPTIMIZE_SIZE
} xb_optimization;

/* A source and how it is compiled. Code that is already compiled counts as a source, too. */
typedef struct xb_pair_source {
  const char *path;
  const char *compiler; /* NULL: the first of its language that is there */
  const char *tool;     /* the file of this compiler, as --compiler NAME=PATH gives it; NULL: the one in PATH */
  xb_optimization optimization;
  bool quiet;               /* the compiler's messages are not shown */
  const char *const *flags; /* for the compiler, such as -DTILE=16; ends with NULL; may be NULL */
  const char *within;       /* the folder that it may read files in, beside those of -I; NULL: any */
  bool for_d3d12;           /* HLSL becomes DXIL instead of SPIR-V */
  bool for_cpu;             /* CUDA C++ becomes a module for the processor instead of PTX */
  bool lists_kernels;       /* for_cpu: it has the table of its kernels itself, as kernels/entry.cuh makes it */
  uint32_t checks;          /* on the processor: what the code is to be watched for: xb_checks */
} xb_pair_source;

/* What a run looks for beside wrong results, where CUDA is emulated. The first two are in the code. */
typedef enum xb_checks { XB_CHECK_RACES = 1, XB_CHECK_MEMORY = 2, XB_CHECK_ORDER = 4 } xb_checks;
void xb_set_checks(uint32_t checks); /* of all runs of this process */
uint32_t xb_checks_in_code(void);

typedef struct xb_pair_binary {
  const char *data; /* SPIR-V, DXIL, PTX, cubin or fat binary, with a zero byte behind it */
  size_t bytes;
  const char *compiler; /* its name; NULL: the file was already compiled */
  const char *command;  /* its program and options, with blanks between them; NULL */
} xb_pair_binary;

/* The format of the code that a file of this name becomes, as xb_device_info.code: "spv", "dxil" or "fatbin".
 * XB_INVALID with a message for any other extension. */
xb_code xb_pair_code_format(const char *path, const char **format, xb_error *err);
/* False if the file is compiled already. */
bool xb_pair_is_source(const char *path);
/* True for CUDA that is not compiled yet: .cu and .cuh. */
bool xb_is_cuda_source(const char *path);
/* The entry point that the language prescribes; NULL if it prescribes none. */
const char *xb_pair_prescribed_entry(const char *path);
/* What glslang does where two functions call WaveGetLaneCount or WaveGetLaneIndex. Newer ones refuse the result by
 * themselves. */
#define XB_BUILTIN_TWICE                                                                                               \
  "WaveGetLaneCount or WaveGetLaneIndex is called in two functions: glslang declares it in each, and Vulkan allows "   \
  "one declaration; call it in the entry point only, and pass the value on (or take --compiler dxc)"
/* XB_INVALID: the code has not this entry point; NULL: it has none, or several. `all`: those that it has. (instance.c)
 */
xb_code xb_pair_no_entry(const char *where, const char *entry, const char *all, xb_error *err);
/* Fails if no compiler has this name. */
xb_code xb_pair_check_compiler(const char *name, const char *path, xb_error *err);

/* `capability`: 90 for compute capability 9.0. The compiler's messages go to stderr. XB_INVALID if the source does not
 * compile, XB_UNAVAILABLE if no compiler of its language is there. */
xb_code xb_pair_compile(const xb_pair_source *source, const char *entry, uint32_t capability, xb_arena *arena,
                        xb_pair_binary *binary, xb_error *err);

/* What DXC prints of a DXIL container, the only form in which names and types can be read. XB_UNAVAILABLE without DXC.
 */
xb_code xb_pair_list_dxil(const char *path, const xb_pair_binary *binary, xb_arena *arena, const char **listing,
                          xb_error *err);

/* ---- Instances of templates (instance.c) ------------------------------------------------------------------------ */

/* True for "ns::kernel<256, float>" and "kernel(float*)": the compiler has to be asked for it. */
bool xb_is_instance(const char *entry);
/* True for "kernel<256>" and "kernel(float*)", not for "ns::kernel". */
bool xb_is_template(const char *entry);
/* "&kernel<256>" of "kernel<256>"; a cast for "kernel(float*, int)", one of several functions of the name. */
const char *xb_instance_address(const char *entry, xb_arena *arena);
/* What is put behind a source to ask for an instance. */
const char *xb_instance_question(const char *entry, xb_arena *arena);
/* `name` is a mangled name in the code: is it a question, and is it the kernel that `question` asked for? */
bool xb_is_probe_symbol(const char *name);
bool xb_matches_probe(const char *question, const char *name, xb_arena *arena);
/* The name as in C++; the same name if it is not mangled. */
const char *xb_demangle(const char *name, xb_arena *arena);

/* Folders with the headers that stand for CUDA's, with xb/abi.h, and with the kernels that the program carries. NULL:
 * they cannot be written, neither into the cache nor into a folder of this user in TMPDIR or /tmp. (cache.c) */
const char *xb_cpu_headers(xb_arena *arena);
const char *xb_public_headers(xb_arena *arena);
const char *xb_carried_kernels(xb_arena *arena);

/* ---- Private to this folder ------------------------------------------------------------------------------------- */

typedef struct xb_pair_language {
  const char *extension, *format;
  const char *compilers; /* in order of preference, each with a space behind it; NULL: the file is code already */
  const char *entry;     /* prescribed */
} xb_pair_language;

/* NULL: an unknown extension. HLSL in a file for GLSL is told by its [numthreads]. */
const xb_pair_language *xb_pair_language_of(const char *path);

enum { XB_MOST_COMPILER_WORDS = 128, XB_MOST_HEADERS = 128 };

/* One compilation. */
typedef struct xb_pair_job {
  const xb_pair_source *source;
  const char *entry, *compiler; /* entry: NULL: not known, CUDA only */
  const char *tool;             /* its file */
  const char *input;            /* the file that it reads: the source, or a temporary one */
  bool device_only;             /* CUDA: without the host code */
  const char *headers;          /* a folder of headers without host code, and what is in it */
  const char *header_files[XB_MOST_HEADERS];
  int header_count;
  const char *device_words; /* macros of the source that stand for __device__ or __global__, "HD DEVICE" */
  const char *elsewhere;    /* a file that it must not read; NULL: it read none */
  const char *lacking;      /* a header of CUDA's that the emulation has not; NULL: none is asked for */
  bool host_headers;        /* for_cpu: the kernels include headers of C++, or use what is in them */
  const char *precompiled;  /* for_cpu: a folder of the cache (precompiled.c); NULL: none */
  bool uses_precompiled;
  bool keeps_casts;                              /* for_cpu: it compiles only with its casts as they are */
  int precompiled_word;                          /* where it is in `words` */
  uint64_t precompiled_state;                    /* a hash that changes with the files that it was made from */
  const char *words[XB_MOST_COMPILER_WORDS + 1]; /* of a fresh job they end with NULL */
  int count;
  xb_arena *arena;
} xb_pair_job;

/* The first file that is neither in the folder of the source's manifest nor in one of -I, nor the compiler's own: among
 * those that the text of a preprocessor comes from or, without `markers`, that a compiler's messages are about. NULL:
 * there is none. (within.c) */
const char *xb_read_elsewhere(const xb_pair_job *j, const char *text, bool markers);
/* The same, where a compiler does not tell what it reads: as far as the text and the files that it includes say. */
const char *xb_included_elsewhere(const xb_pair_job *j, const char *path, int depth);
void xb_pair_add_word(xb_pair_job *j, const char *word);
void xb_pair_add_words(xb_pair_job *j, const char *text); /* with blanks between them */
/* The option that names the folder of the source: where a temporary input looks for headers. */
void xb_pair_add_folder(xb_pair_job *j);
/* The entry points of HLSL, "scan, reduce". */
const char *xb_hlsl_entries(const char *text, char all[200]);
/* Sets `device_words`. (device_code.c) */
void xb_find_device_words(xb_pair_job *j);
/* Replaces comments by blanks, and functions of the host by blanks or by their declarations. (device_code.c) */
void xb_drop_host_code(const xb_pair_job *j, char *text, bool keep_heads);
/* For the CPU: PTX that reads a register of the thread's place, "mov.u32 %0, %%laneid;", becomes C++, and asm of no
 * text, a fence for the compiler, the compiler's own. */
void xb_translate_registers(char *text);
/* Makes the folders that a file is in. (cache.c) */
void xb_make_folders(char *path);
/* Writes into the folder `headers` what the text of `path`, and its headers, include, without functions of
 * the host. Names that begin with ../ become up/. */
void xb_copy_headers(xb_pair_job *j, const char *path, char *text);
/* Replaces the #include of `path`, whose text it is, that leads to a file that is not there. False: there is none. */
bool xb_drop_include(const char *messages, const char *path, char *text);
/* Adds the options of the job's compiler. */
void xb_pair_add_options(xb_pair_job *j, uint32_t capability);

#define XB_PRECOMPILED_NAME "first.h"
/* Adds the first header, precompiled if that is there. The words before are all that changes it. (precompiled.c) */
void xb_precompiled_add(xb_pair_job *j);
/* Precompiles it, if this is not the first kernel that is compiled so, and puts it into the words. */
void xb_precompiled_make(xb_pair_job *j);
/* Takes it out of the words: the header is read. */
void xb_precompiled_leave_out(xb_pair_job *j);
/* The compiler fails with it, and not without: it is not used again. */
void xb_precompiled_was_wrong(xb_pair_job *j);
bool xb_is_clang(const xb_pair_job *j);

/* ---- Compiled code, kept (cache.c) ------------------------------------------------------------------------------- */

/* In XDG_CACHE_HOME/xbench (else ~/.cache/xbench), under a hash of everything that it was made from. Several processes
 * may use it at once. */
typedef struct xb_cache_key {
  uint64_t hash[2];
} xb_cache_key;

/* Starts at {{0}}. */
void xb_cache_add(xb_cache_key *key, const void *data, size_t bytes);
/* A program: its path, size and time of change. */
void xb_cache_add_tool(xb_cache_key *key, const char *path);

/* The cache's folder, which exists; NULL if there is no place for one, or another user could have put code there. */
const char *xb_cache_folder(xb_arena *arena);
/* False if the cache does not have it, if it is damaged, or if others may have written it. A zero byte is behind the
 * data. */
bool xb_cache_get(const xb_cache_key *key, xb_arena *arena, const char **data, size_t *bytes);
/* Does nothing if the cache cannot be written. */
void xb_cache_put(const xb_cache_key *key, const char *data, size_t bytes, xb_arena *arena);

/* The host's compiler of C++ (cplusplus.c). */
void xb_cplusplus_add_options(xb_pair_job *j);
/* True for those of the user's flags that it gets. */
bool xb_cplusplus_takes(const char *flag);
/* Compiles the source to a module. `said`: what the compiler said. */
xb_code xb_cplusplus_compile(xb_pair_job *j, xb_pair_binary *binary, const char **said, xb_error *err);

/* ---- The program's own kernels, without nvcc (nvrtc.c) ----------------------------------------------------------- */

/* The build had no nvcc, or the variable XB_NVRTC is set: kernels for NVIDIA's GPUs are compiled when a run needs them.
 */
bool xb_first_run_needed(void);
/* Machine code of a kernel by NVRTC, or from the cache; PTX where NVRTC does not know the GPU. `label` is its name in
 * messages. The flags of `source` are folders of headers; a line "// nvcc: FLAGS" in it has flags of its own.
 * XB_UNSUPPORTED without NVRTC, or without a header of the toolkit that the kernel includes. */
xb_code xb_first_run(const char *label, const xb_pair_source *source, uint32_t capability, xb_arena *arena,
                     xb_pair_binary *binary, xb_error *err);
/* Called before a compilation; NULL: nobody is told. */
extern void (*xb_first_run_begins)(const char *label);

/* ---- NVRTC (nvrtc.c) -------------------------------------------------------------------------------------------- */

/* The path of the library, opened on the first call: the one that XB_NVRTC names, or the first that is found and not
 * newer than the driver, or the oldest. NULL if there is none. */
const char *xb_nvrtc_find(void);
/* Why not, and what to do. */
const char *xb_nvrtc_missing(void);
/* "nvrtc 13.0"; NULL if it is not there. */
const char *xb_nvrtc_name(void);
/* What the driver supports, 12020 for CUDA 12.2, if NVRTC is newer; else 0. */
int xb_nvrtc_newer_than(void);
/* The folder of the toolkit's headers, which has XB_TOOLKIT_HEADER: that beside the library, else one of this machine;
 * NULL: none. */
const char *xb_nvrtc_headers(xb_arena *arena);
#define XB_TOOLKIT_HEADER "cuda_fp16.h"
/* "sm_90"; "compute_89" if NVRTC does not know 90; NULL if it knows newer ones only. */
const char *xb_nvrtc_architecture(uint32_t capability, xb_arena *arena);
/* INFINITY and NAN. */
void xb_nvrtc_add_macros(xb_pair_job *j);
/* Compiles CUDA C++ to PTX; with --gpu-architecture=sm_90, to machine code. `log`: what the compiler said. */
xb_code xb_nvrtc_compile(const char *path, const char *text, const char *const *options, int option_count,
                         xb_arena *arena, xb_pair_binary *binary, const char **log, xb_error *err);

#endif
