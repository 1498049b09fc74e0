package org.relaxvm.backendopencl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.codegen.KernelHead;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * OpenCL C 1.2. Elements of float16 are loaded and stored by functions that every device has;
 * bfloat16 and float8, and float64 where the device has none, are taken apart by bits. All of them
 * are computed in float32. Stateless.
 */
public final class OpenClDialect implements Dialect {
  private static final Set<String> RESERVED =
      Set.of(
          ("auto break case char const continue default do double else enum extern float for goto"
                  + " if inline int long register return short signed sizeof static struct switch"
                  + " typedef union unsigned void volatile while bool half uchar ushort uint ulong"
                  + " size_t ptrdiff_t kernel global local constant private restrict true false"
                  + " acos acosh asin asinh atan atan2 atanh cos cosh erf exp log rsqrt sin sinh"
                  + " sqrt tan tanh pow ceil floor rint trunc fabs fmod isnan isinf isfinite min"
                  + " max abs clamp mad fma dot cross length distance normalize step sign mix"
                  + " degrees radians select any all barrier half2 image1d_t image2d_t image3d_t"
                  + " sampler_t event_t M_PI INFINITY NAN MAXFLOAT HUGE_VALF as_float as_uint"
                  + " round exp2 exp10 log2 log10 log1p expm1 cbrt hypot lgamma tgamma erfc"
                  + " fmin fmax fract frexp ldexp logb maxmag minmag modf nextafter pown powr"
                  + " remainder remquo rootn sincos sinpi cospi tanpi hadd mul24 mad24 rotate"
                  + " upsample popcount printf prefetch shuffle vload2 vload3 vload4"
                  + " vload8 vload16 vstore2 vstore3 vstore4 vstore8 vstore16 vload_half"
                  + " vload_half2 vload_half4 vload_half8 vload_half16 vstore_half_rte"
                  + " vstore_half2_rte vstore_half4_rte vstore_half8_rte vstore_half16_rte")
              .split(" "));

  /** The longest vectors. */
  private static final int MOST_LANES = 16;

  private final boolean hasFloat64;

  /**
   * A dialect.
   *
   * @param hasFloat64 whether the device computes with doubles
   */
  public OpenClDialect(boolean hasFloat64) {
    this.hasFloat64 = hasFloat64;
  }

  @Override
  public String fileSuffix() {
    return ".cl";
  }

  @Override
  public Set<String> reserved() {
    return RESERVED;
  }

  @Override
  public String prologue(String program) {
    StringBuilder text = new StringBuilder();
    if (program.contains("double")) {
      text.append("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    }
    text.append("#pragma OPENCL FP_CONTRACT OFF\n");
    if (program.contains("rv_half(")) {
      text.append(HALF);
    }
    if (program.contains("bf16(")) {
      text.append(BFLOAT16);
    }
    if (program.contains("e4m3(") || program.contains("e5m2(")) {
      text.append(FLOAT8);
    }
    if (program.contains("f64(")) {
      text.append(DOUBLE_BITS);
    }
    return text.toString();
  }

  private static final String HALF =
      """
      static inline float rv_half(float x) {
        uint u = as_uint(x), a = u & 0x7fffffffu, s = u & 0x80000000u;
        if (a >= 0x7f800000u) return x;
        if (a >= 0x477ff000u) return as_float(s | 0x7f800000u);
        if (a < 0x38800000u) return as_float(s | as_uint(rint(as_float(a) * 16777216.0f) * 5.9604644775390625e-8f));
        return as_float(s | ((a + 0xfffu + (a >> 13 & 1u)) & 0xffffe000u));
      }
      """;

  private static final String BFLOAT16 =
      """
      static inline ushort rv_bf16(float x) {
        uint u = as_uint(x);
        return x != x ? (ushort)(u >> 16 | 0x40u) : (ushort)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
      }
      static inline float rv_of_bf16(ushort x) { return as_float((uint)x << 16); }
      """;

  /** Bits of fraction, the bias of exponents, the largest number and what is none. */
  private static final String FLOAT8 =
      """
      static inline float rv_of_float8(uint x, uint f, uint b, uint l, uint n) {
        uint s = (x & 0x80u) << 24, a = x & 0x7fu;
        if (a > l) return as_float(s | (a == l + 1u && a != n ? 0x7f800000u : 0x7fc00000u));
        if (a < (1u << f)) return as_float(s | as_uint((float)a * as_float((128u - b - f) << 23)));
        return as_float(s | ((a << (23u - f)) + ((127u - b) << 23)));
      }
      static inline uchar rv_float8(float x, uint f, uint b, uint l, uint n) {
        uint u = as_uint(x), s = u >> 24 & 0x80u, a = u & 0x7fffffffu, e = a >> 23;
        if (a > 0x7f800000u) return (uchar)(s | n);
        uint r = a - ((127u - b) << 23), d = 23u - f;
        if (e < 128u - b) {
          r = (a & 0x7fffffu) | 0x800000u;
          d = d + 128u - b - e > 25u ? 25u : d + 128u - b - e;
        }
        r = (r + (1u << (d - 1u)) - 1u + (r >> d & 1u)) >> d;
        return (uchar)(s | (r > l ? l + 1u : r));
      }
      static inline float rv_of_e4m3(uchar x) { return rv_of_float8(x, 3u, 7u, 0x7eu, 0x7fu); }
      static inline uchar rv_e4m3(float x) { return rv_float8(x, 3u, 7u, 0x7eu, 0x7fu); }
      static inline float rv_of_e5m2(uchar x) { return rv_of_float8(x, 2u, 15u, 0x7bu, 0x7eu); }
      static inline uchar rv_e5m2(float x) { return rv_float8(x, 2u, 15u, 0x7bu, 0x7eu); }
      """;

  private static final String DOUBLE_BITS =
      """
      static inline float rv_of_f64(ulong x) {
        uint s = (uint)(x >> 32) & 0x80000000u;
        int e = (int)(x >> 52 & 0x7ffu);
        ulong m = x & 0xfffffffffffffUL;
        if (e == 0x7ff) return as_float(s | 0x7f800000u | (m != 0 ? 0x400000u : 0u));
        if (e < 850) return as_float(s);
        float f = (float)(m | 0x10000000000000UL);
        return as_float(s | as_uint(ldexp(f, e - 1075)));
      }
      static inline ulong rv_f64(float x) {
        uint u = as_uint(x), a = u & 0x7fffffffu;
        ulong s = (ulong)(u & 0x80000000u) << 32;
        if (a >= 0x7f800000u) return s | 0x7ff0000000000000UL | (ulong)(a & 0x7fffffu) << 29;
        if (a == 0) return s;
        int e = (int)(a >> 23);
        uint m = a & 0x7fffffu;
        if (e == 0) { e = 1; while ((m & 0x800000u) == 0) { m <<= 1; e--; } m &= 0x7fffffu; }
        return s | (ulong)(e + 896) << 52 | (ulong)m << 29;
      }
      """;

  @Override
  public boolean computes(DType dtype) {
    return !dtype.isFloat()
        || dtype.equals(DType.FLOAT32)
        || (dtype.equals(DType.FLOAT64) && hasFloat64);
  }

  @Override
  public String type(DType dtype) {
    if (dtype.isFloat()) {
      return dtype.equals(DType.FLOAT64) && hasFloat64 ? "double" : "float";
    }
    if (dtype.equals(DType.BOOL)) {
      return "int";
    }
    String name =
        switch (dtype.bits()) {
          case 8 -> "char";
          case 16 -> "short";
          case 32 -> "int";
          default -> "long";
        };
    return DTypes.isUnsigned(dtype) ? "u" + name : name;
  }

  @Override
  public String storageType(DType dtype) {
    if (dtype.equals(DType.BOOL) || dtype.isFloat8()) {
      return "uchar";
    }
    if (dtype.equals(DType.FLOAT16)) {
      return "half";
    }
    if (dtype.equals(DType.BFLOAT16)) {
      return "ushort";
    }
    return dtype.equals(DType.FLOAT64) && !hasFloat64 ? "ulong" : type(dtype);
  }

  @Override
  public String indexType(boolean wide) {
    return wide ? "long" : "int";
  }

  @Override
  public String kernel(KernelHead head) {
    String parameters =
        head.parameters().stream().map(this::parameter).collect(Collectors.joining(", "));
    return head.shared().stream()
        .map(line -> "  " + line + "\n")
        .collect(
            Collectors.joining(
                "",
                "__kernel __attribute__((reqd_work_group_size(%d, 1, 1)))\nvoid %s(%s) {\n"
                    .formatted(head.workGroupSize(), head.name(), parameters),
                ""));
  }

  private String parameter(KernelHead.Parameter parameter) {
    return switch (parameter) {
      case KernelHead.Memory memory ->
          "__global " + storageType(memory.dtype()) + "* " + memory.name();
      case KernelHead.Number number -> number.type() + " " + number.name();
    };
  }

  @Override
  public String sharedArray(String name, DType dtype, long size) {
    return "__local " + type(dtype) + " " + name + "[" + size + "];";
  }

  @Override
  public String localArray(String name, DType dtype, long size) {
    return type(dtype) + " " + name + "[" + size + "];";
  }

  @Override
  public String workGroup(int axis) {
    return "get_group_id(" + axis + ")";
  }

  @Override
  public String item() {
    return "get_local_id(0)";
  }

  @Override
  public String barrier(boolean global) {
    return global
        ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
        : "barrier(CLK_LOCAL_MEM_FENCE);";
  }

  @Override
  public String load(DType dtype, String array, String index) {
    if (dtype.equals(DType.FLOAT16)) {
      return "vload_half(" + index + ", " + array + ")";
    }
    return load(dtype, array + "[" + index + "]");
  }

  @Override
  public String store(DType dtype, String array, String index, String value) {
    if (dtype.equals(DType.FLOAT16)) {
      return "vstore_half_rte(" + value + ", " + index + ", " + array + ");";
    }
    return array + "[" + index + "] = " + stored(dtype, value) + ";";
  }

  /** Functions for vectors of up to 16 elements, which may start at any element. */
  @Override
  public List<String> loadVector(
      DType dtype, int lanes, String array, String index, String registers) {
    List<String> lines = new ArrayList<>();
    for (int from = 0; from < lanes; from += MOST_LANES) {
      int size = Math.min(MOST_LANES, lanes - from);
      String address = "0, " + at(array + " + " + index, from);
      if (isTakenApart(dtype)) {
        lines.add("{");
        lines.add(
            "  const %s%d rv_v = vload%d(%s);".formatted(storageType(dtype), size, size, address));
        for (int lane = 0; lane < size; lane++) {
          String component = "rv_v.s" + Integer.toHexString(lane);
          lines.add("  %s[%d] = %s;".formatted(registers, from + lane, load(dtype, component)));
        }
        lines.add("}");
      } else {
        String half = dtype.equals(DType.FLOAT16) ? "_half" : "";
        String value = "vload%s%d(%s)".formatted(half, size, address);
        String converted =
            dtype.equals(DType.BOOL) ? "convert_int%d(%s)".formatted(size, value) : value;
        lines.add("vstore%d(%s, 0, %s);".formatted(size, converted, at(registers, from)));
      }
    }
    return lines;
  }

  @Override
  public List<String> storeVector(
      DType dtype, int lanes, String array, String index, String registers) {
    List<String> lines = new ArrayList<>();
    for (int from = 0; from < lanes; from += MOST_LANES) {
      int size = Math.min(MOST_LANES, lanes - from);
      String address = "0, " + at(array + " + " + index, from);
      String value = "vload%d(0, %s)".formatted(size, at(registers, from));
      if (isTakenApart(dtype)) {
        int start = from;
        String components =
            IntStream.range(0, size)
                .mapToObj(lane -> stored(dtype, registers + "[" + (start + lane) + "]"))
                .collect(Collectors.joining(", "));
        value = "(%s%d)(%s)".formatted(storageType(dtype), size, components);
      } else if (dtype.equals(DType.BOOL)) {
        value = "convert_uchar%d(%s)".formatted(size, value);
      }
      boolean half = dtype.equals(DType.FLOAT16);
      lines.add(
          "vstore%s%d%s(%s, %s);"
              .formatted(half ? "_half" : "", size, half ? "_rte" : "", value, address));
    }
    return lines;
  }

  private static String at(String address, int from) {
    return from == 0 ? address : address + " + " + from;
  }

  /** Whether elements are converted to values by functions of the program. */
  private boolean isTakenApart(DType dtype) {
    return dtype.equals(DType.BFLOAT16)
        || dtype.isFloat8()
        || (dtype.equals(DType.FLOAT64) && !hasFloat64);
  }

  /** What functions call a float that is taken apart. */
  private static String floatName(DType dtype) {
    return switch (dtype.code()) {
      case FLOAT8_E4M3FN -> "e4m3";
      case FLOAT8_E5M2 -> "e5m2";
      case BFLOAT -> "bf16";
      default -> "f64";
    };
  }

  private String load(DType dtype, String element) {
    return isTakenApart(dtype) ? "rv_of_" + floatName(dtype) + "(" + element + ")" : element;
  }

  private String stored(DType dtype, String value) {
    return isTakenApart(dtype) ? "rv_" + floatName(dtype) + "(" + value + ")" : value;
  }

  @Override
  public String call(Intrinsic function, DType dtype, List<String> args) {
    String one = type(dtype).equals("double") ? "1.0" : "1.0f";
    String name =
        switch (function) {
          case NEARBYINT -> "rint";
          case ABS -> "fabs";
          case SIGMOID -> "";
          default -> function.name().toLowerCase(Locale.ROOT);
        };
    return function == Intrinsic.SIGMOID
        ? "(%s / (%s + exp(-(%s))))".formatted(one, one, args.getFirst())
        : name + "(" + String.join(", ", args) + ")";
  }

  @Override
  public String floatRemainder(DType dtype, String a, String b) {
    return "fmod(" + a + ", " + b + ")";
  }

  @Override
  public String cast(DType from, DType to, String value) {
    if (to.equals(DType.BOOL)) {
      return "((" + value + ") != 0)";
    }
    if (to.isFloat()) {
      String converted = type(from).equals(type(to)) ? value : "(" + type(to) + ")(" + value + ")";
      if (to.equals(DType.FLOAT16) && !from.equals(DType.FLOAT16)) {
        return "rv_half(" + converted + ")";
      }
      String name = floatName(to);
      return to.bits() < 32 && !from.equals(to) && !to.equals(DType.FLOAT16)
          ? "rv_of_" + name + "(rv_" + name + "(" + converted + "))"
          : converted;
    }
    return from.isFloat()
        ? "convert_" + type(to) + "_sat_rtz(" + value + ")"
        : "(" + type(to) + ")(" + value + ")";
  }

  @Override
  public String literal(DType dtype, double exact) {
    boolean wide = type(dtype).equals("double");
    double value = wide ? exact : (float) exact;
    if (Double.isNaN(value)) {
      return wide ? "((double)NAN)" : "NAN";
    }
    if (Double.isInfinite(value)) {
      String sign = value < 0 ? "-" : "";
      return "(" + sign + (wide ? "(double)INFINITY" : "INFINITY") + ")";
    }
    String text = wide ? Double.toString(value) : Float.toString((float) value) + "f";
    return value < 0 || (value == 0 && 1 / value < 0) ? "(" + text + ")" : text;
  }

  @Override
  public String literal(DType dtype, long value) {
    if (dtype.equals(DType.BOOL)) {
      return value != 0 ? "1" : "0";
    }
    boolean unsigned = dtype.code() == TypeCode.UINT;
    String text =
        dtype.bits() == 64
            ? value == Long.MIN_VALUE && !unsigned
                ? "(-9223372036854775807L - 1L)"
                : (unsigned ? Long.toUnsignedString(value) + "UL" : value + "L")
            : value == Integer.MIN_VALUE ? "(-2147483647 - 1)" : value + (unsigned ? "u" : "");
    String typed = dtype.bits() < 32 ? "(" + type(dtype) + ")" + text : text;
    return value < 0 || dtype.bits() < 32 ? "(" + typed + ")" : typed;
  }

  @Override
  public String indexLiteral(long value, boolean wide) {
    String text = wide ? value + "L" : Long.toString(value);
    return value < 0 ? "(" + text + ")" : text;
  }

  @Override
  public String contraction() {
    return "#pragma OPENCL FP_CONTRACT ON";
  }

  @Override
  public String unroll() {
    return "#pragma unroll";
  }
}
