#define NAMESPACE lines_avx2
#define NAME "avx2"
#include "lines/gradient.inc"
#include "lines/kernels.inc"
