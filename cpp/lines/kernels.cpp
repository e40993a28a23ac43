#include "lines/kernels.h"

#include "lines/gradient.h"
#include "lines/processor.h"

namespace tengen {

namespace lines_base {
extern const LineKernels kernels;
extern const LearnKernels learning;
}  // namespace lines_base
#if defined(TENGEN_X86)
namespace lines_avx2 {
extern const LineKernels kernels;
extern const LearnKernels learning;
}  // namespace lines_avx2
namespace lines_avx512 {
extern const LineKernels kernels;
extern const LearnKernels learning;
}  // namespace lines_avx512
#endif

const std::vector<const LineKernels*>& all_line_kernels() {
  static const std::vector<const LineKernels*> all = [] {
    std::vector<const LineKernels*> found = {&lines_base::kernels};
#if defined(TENGEN_X86)
    if (processor().avx2) found.push_back(&lines_avx2::kernels);
    if (processor().avx512) found.push_back(&lines_avx512::kernels);
#endif
    return found;
  }();
  return all;
}

const LearnKernels& learn_kernels() {
#if defined(TENGEN_X86)
  if (processor().avx512) return lines_avx512::learning;
  if (processor().avx2) return lines_avx2::learning;
#endif
  return lines_base::learning;
}

const LineKernels& line_kernels() { return *all_line_kernels().back(); }

}  // namespace tengen
