/* The alphabeta engine behind a C interface, so that builds of different revisions can be loaded into one process. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENGEN_ABI 1
#define TENGEN_EXPORT __attribute__((visibility("default")))

typedef struct tengen_engine tengen_engine;

typedef struct {
  int32_t move;
  int32_t proven; /* plies to a proven win, negative to a proven loss, 0: not proven */
  double logit;   /* log of the odds of winning for the side to move; meaningless when proven */
  uint64_t nodes;
  int32_t depth;
} tengen_found;

typedef struct {
  const char *name, *meaning;
  int32_t value, low, high;
} tengen_parameter;

TENGEN_EXPORT int tengen_abi(void);

/* The parameters that can be set, `tengen_parameter_count` of them. */
TENGEN_EXPORT int tengen_parameter_count(void);
TENGEN_EXPORT void tengen_parameter_info(int index, tengen_parameter* out);

/* `rule`: 0 freestyle, 1 standard, 2 renju, 3 caro. NULL: such a board is not supported. */
TENGEN_EXPORT tengen_engine* tengen_create(int width, int height, int k, int rule, int threads, int hash_megabytes);
TENGEN_EXPORT void tengen_destroy(tengen_engine* engine);

/* Forgets everything and puts every parameter back to its shipped value. */
TENGEN_EXPORT void tengen_reset(tengen_engine* engine, uint64_t seed);
/* After a reset, before a search. 0: done, 1: no such parameter, 2: out of its range. */
TENGEN_EXPORT int tengen_set(tengen_engine* engine, const char* name, int value);

/* After a reset: values positions by a line network, read from a file that begins with its channels and hidden units
   (two little-endian int32), then holds its weights (float32). 0: done, 1: no such file, 2: it does not fit the
   engine's board. Engines of older revisions do not have this. */
TENGEN_EXPORT int tengen_network(tengen_engine* engine, const char* path);

/* The position after `count` legal moves, not over. 0 nodes or seconds: no such limit. */
TENGEN_EXPORT void tengen_search(tengen_engine* engine, const int16_t* moves, int count, uint64_t nodes, double seconds,
                                 tengen_found* out);

#ifdef __cplusplus
}
#endif
