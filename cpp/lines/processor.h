// Which instruction sets the processor at hand has, for choosing kernels. Asked of the processor itself: compilers that
// build for other systems bring no __builtin_cpu_supports.
#pragma once

#if defined(TENGEN_X86)
#include <cpuid.h>

#include <cstdint>

namespace tengen {

// x86-64-v3 and x86-64-v4 as far as the kernels use them, and kept by the operating system.
struct Processor {
  bool avx2 = false, avx512 = false;

  Processor() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return;
    const bool fma = c >> 12 & 1, saves = c >> 27 & 1;
    if (!saves || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
    std::uint32_t kept = 0, high = 0;
    __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
    const auto has = [b](unsigned mask) { return (b & mask) == mask; };
    avx2 = fma && (kept & 0x6) == 0x6 && has(1u << 5 | 1u << 8);
    avx512 = avx2 && (kept & 0xe6) == 0xe6 && has(1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31);
  }
};

inline const Processor& processor() {
  static const Processor one;
  return one;
}

}  // namespace tengen
#endif
