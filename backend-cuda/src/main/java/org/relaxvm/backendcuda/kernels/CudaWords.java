package org.relaxvm.backendcuda.kernels;

import java.util.Set;

/** Names that mean something in CUDA C. */
final class CudaWords {
  /** What a program cannot call its variables: words, macros, and functions that it may call. */
  static final Set<String> RESERVED =
      Set.of(
          ("alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t"
                  + " char16_t char32_t class co_await co_return co_yield compl concept const"
                  + " const_cast consteval constexpr constinit continue decltype default delete do"
                  + " double dynamic_cast else enum explicit export extern false final float for"
                  + " friend goto if inline int long mutable namespace new noexcept not not_eq"
                  + " nullptr operator or or_eq override private protected public register"
                  + " reinterpret_cast requires restrict return short signed sizeof static"
                  + " static_assert static_cast struct switch template this thread_local throw true"
                  + " try typedef typeid typename typeof union unsigned using virtual void volatile"
                  + " wchar_t while xor xor_eq threadIdx blockIdx blockDim gridDim warpSize"
                  + " linux unix i386 major minor makedev assert errno stdin stdout stderr offsetof"
                  + " NULL EOF BUFSIZ TRUE FALSE INFINITY NAN HUGE HUGE_VAL HUGE_VALF MAXFLOAT M_E"
                  + " M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI"
                  + " M_SQRT2 M_SQRT1_2 CHAR_BIT INT_MAX INT_MIN LONG_MAX LONG_MIN RAND_MAX"
                  + " CUDART_VERSION NVCC CLOCKS_PER_SEC isnan isinf isfinite signbit fpclassify"
                  + " isnormal acos acosh asin asinh atan atan2 atanh ceil cos cosh erf exp fabs"
                  + " floor fma fmod log pow rint rsqrt sin sinh sqrt tan tanh trunc acosf acoshf"
                  + " asinf asinhf atanf atan2f atanhf ceilf cosf coshf erff expf fabsf floorf fmaf"
                  + " fmodf logf powf rintf rsqrtf sinf sinhf sqrtf tanf tanhf truncf")
              .split(" "));

  private CudaWords() {}
}
