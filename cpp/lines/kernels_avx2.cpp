#define NAMESPACE lines_avx2
#define NAME "avx2"
#include "lines/kernels.inc"
// The gradient uses what the kernels define.
#include "lines/gradient.inc"
