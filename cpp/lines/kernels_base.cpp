#define NAMESPACE lines_base
#define NAME "plain"
#include "lines/kernels.inc"
// The gradient uses what the kernels define.
#include "lines/gradient.inc"
