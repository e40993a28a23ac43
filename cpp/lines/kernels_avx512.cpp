#define NAMESPACE lines_avx512
#define NAME "avx512"
#include "lines/kernels.inc"
// The gradient uses what the kernels define.
#include "lines/gradient.inc"
