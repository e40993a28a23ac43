#define NAMESPACE lines_avx2
#define NAME "avx2"
#include "lines/kernels.inc"
#include "lines/gradient.inc"
