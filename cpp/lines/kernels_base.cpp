#define NAMESPACE lines_base
#define NAME "plain"
#include "lines/gradient.inc"
#include "lines/kernels.inc"
