#define NAMESPACE lines_avx512
#define NAME "avx512"
#include "lines/kernels.inc"
#include "lines/gradient.inc"
