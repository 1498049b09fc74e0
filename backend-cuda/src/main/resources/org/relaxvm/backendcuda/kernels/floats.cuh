// Floats from their bits, and what they are.
static __device__ inline float rv_float_of(unsigned int bits) { return __uint_as_float(bits); }
static __device__ inline double rv_double_of(unsigned long long bits) { return __longlong_as_double((long long)bits); }
static __device__ inline bool rv_isnan(float x) { return x != x; }
static __device__ inline bool rv_isnan(double x) { return x != x; }
static __device__ inline bool rv_isinf(float x) { return fabsf(x) == __uint_as_float(0x7f800000u); }
static __device__ inline bool rv_isinf(double x) { return fabs(x) == __longlong_as_double(0x7ff0000000000000LL); }
static __device__ inline bool rv_isfinite(float x) { return fabsf(x) < __uint_as_float(0x7f800000u); }
static __device__ inline bool rv_isfinite(double x) { return fabs(x) < __longlong_as_double(0x7ff0000000000000LL); }
