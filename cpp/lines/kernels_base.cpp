#define NAMESPACE lines_base
#define NAME "plain"
#include "lines/kernels.inc"
