#define NAMESPACE lines_avx512
#define NAME "avx512"
#include "lines/gradient.inc"
#include "lines/kernels.inc"
