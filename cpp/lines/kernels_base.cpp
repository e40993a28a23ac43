#define NAMESPACE lines_base
#define NAME "plain"
#include "lines/kernels.inc"
#include "lines/gradient.inc"
