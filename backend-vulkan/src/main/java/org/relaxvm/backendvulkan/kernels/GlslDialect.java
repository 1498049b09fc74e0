package org.relaxvm.backendvulkan.kernels;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.codegen.Helper;
import org.relaxvm.backendsupport.gpu.codegen.KernelHead;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * GLSL 4.60 for Vulkan. Programs have several kernels, which {@link GlslKernel#of} makes shaders
 * of.
 *
 * <p>Integers of 8 and 16 bits are computed in 32 bits; floats of 8 and 16 bits, and float64 where
 * the device has none, are taken apart by bits and computed in float32. Stateless.
 */
public final class GlslDialect implements Dialect {
  /** Literals of integers of 64 bits that every float is exact for. */
  private static final Pattern SMALL_LONG = Pattern.compile("\\(?(-?\\d{1,6})U?L\\)?");

  private final GlslTarget target;

  /** A dialect for a device. */
  public GlslDialect(GlslTarget target) {
    this.target = target;
  }

  @Override
  public String fileSuffix() {
    return ".comp";
  }

  @Override
  public Set<String> reserved() {
    return GlslWords.RESERVED;
  }

  @Override
  public String prologue(String program) {
    String needed = MathLibrary.neededBy(program);
    return "#version 460\n" + GlslWords.extensions(needed + program) + needed;
  }

  @Override
  public boolean computes(DType dtype) {
    return !dtype.isFloat()
        || dtype.equals(DType.FLOAT32)
        || (dtype.equals(DType.FLOAT64) && target.hasFloat64());
  }

  @Override
  public String type(DType dtype) {
    if (dtype.isFloat()) {
      return dtype.equals(DType.FLOAT64) && target.hasFloat64() ? "double" : "float";
    }
    return dtype.equals(DType.BOOL) ? "bool" : GlslTypes.integer(dtype);
  }

  @Override
  public String storageType(DType dtype) {
    if (dtype.equals(DType.BOOL) || dtype.isFloat8()) {
      return "uint8_t";
    }
    if (dtype.equals(DType.FLOAT16) || dtype.equals(DType.BFLOAT16)) {
      return "uint16_t";
    }
    if (dtype.equals(DType.FLOAT64) && !target.hasFloat64()) {
      return "uvec2";
    }
    return DTypes.isInteger(dtype) && GlslTypes.isNarrow(dtype) ? dtype + "_t" : type(dtype);
  }

  @Override
  public String indexType(boolean wide) {
    return wide ? "int64_t" : "int";
  }

  @Override
  public String kernel(KernelHead head) {
    return new GlslHead(this, target, head).text();
  }

  @Override
  public String sharedArray(String name, DType dtype, long size) {
    return "shared " + localArray(name, dtype, size);
  }

  @Override
  public String localArray(String name, DType dtype, long size) {
    return type(dtype) + " " + name + "[" + size + "];";
  }

  @Override
  public String workGroup(int axis) {
    return "gl_WorkGroupID." + "xyz".charAt(axis);
  }

  @Override
  public long maxWorkGroups(int axis) {
    return target.maxWorkGroups().get(axis);
  }

  @Override
  public String item() {
    return "gl_LocalInvocationID.x";
  }

  @Override
  public String barrier(boolean global) {
    return global
        ? "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,"
            + " gl_StorageSemanticsShared | gl_StorageSemanticsBuffer,"
            + " gl_SemanticsAcquireRelease);"
        : "barrier();";
  }

  /** Only of one run: each takes barriers of its own, and halving all at once takes few. */
  @Override
  public List<String> workGroupReduction(
      BinaryOp op, DType dtype, String array, int runs, int items) {
    return runs == 1 && target.hasSubgroups() && SubgroupReduction.reduces(op, dtype)
        ? new SubgroupReduction(op, type(dtype), literal(dtype, Double.NaN)).of(array)
        : List.of();
  }

  /** Arrays have no indices of 64 bits. */
  @Override
  public String element(String array, String index) {
    return target.addressed() ? array + "[int(" + index + ")]" : array + "[" + index + "]";
  }

  /** An element of a buffer; of an address there is no array with indices of 64 bits either. */
  private String location(DType dtype, String array, String index) {
    return target.addressed()
        ? "%s(%s + %dUL * uint64_t(%s)).v"
            .formatted(GlslHead.pointerType(array), array, dtype.elementByteSize(), index)
        : array + "[" + index + "]";
  }

  @Override
  public String load(DType dtype, String array, String index) {
    String element = location(dtype, array, index);
    return switch (kind(dtype)) {
      case BOOL -> "(uint(" + element + ") != 0u)";
      case NARROW -> type(dtype) + "(" + element + ")";
      case FLOAT_BITS -> "rv_of_" + floatName(dtype) + "(uint(" + element + "))";
      case DOUBLE_BITS -> "rv_of_f64(" + element + ")";
      case PLAIN -> element;
    };
  }

  @Override
  public String store(DType dtype, String array, String index, String value) {
    String stored =
        switch (kind(dtype)) {
          case BOOL -> "uint8_t(uint(" + value + "))";
          case NARROW -> storageType(dtype) + "(" + value + ")";
          case FLOAT_BITS -> storageType(dtype) + "(rv_" + floatName(dtype) + "(" + value + "))";
          case DOUBLE_BITS -> "rv_f64(" + value + ")";
          case PLAIN -> value;
        };
    return location(dtype, array, index) + " = " + stored + ";";
  }

  /** How elements of memory become values. */
  private enum Kind {
    PLAIN,
    BOOL,
    NARROW,
    /** A float of 8 or 16 bits. */
    FLOAT_BITS,
    DOUBLE_BITS
  }

  private Kind kind(DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return Kind.BOOL;
    }
    if (dtype.isFloat() && dtype.bits() < 32) {
      return Kind.FLOAT_BITS;
    }
    if (dtype.equals(DType.FLOAT64) && !target.hasFloat64()) {
      return Kind.DOUBLE_BITS;
    }
    return GlslTypes.isNarrow(dtype) ? Kind.NARROW : Kind.PLAIN;
  }

  /** What functions call a float of 8 or 16 bits. */
  private static String floatName(DType dtype) {
    return switch (dtype.code()) {
      case FLOAT8_E4M3FN -> "e4m3";
      case FLOAT8_E5M2 -> "e5m2";
      case BFLOAT -> "bf16";
      default -> "f16";
    };
  }

  /** Integers of a dtype wrap around as it does, though several have one type. */
  @Override
  public String helperSuffix(DType dtype) {
    return dtype.isFloat() ? "float" + floatBits(dtype) : dtype.toString();
  }

  @Override
  public String helper(Helper helper, DType dtype, String name) {
    return Definitions.MARK + name + "\n" + GlslHelpers.definition(this, helper, dtype, name);
  }

  @Override
  public String comparison(BinaryOp op, DType dtype, String a, String b) {
    boolean ordersBooleans = dtype.equals(DType.BOOL) && op != BinaryOp.EQ && op != BinaryOp.NE;
    return ordersBooleans
        ? "(int(" + a + ") " + op.text() + " int(" + b + "))"
        : "(" + a + " " + op.text() + " " + b + ")";
  }

  @Override
  public String wrapping(BinaryOp op, DType dtype, String a, String b) {
    return GlslTypes.wrap(dtype, "(" + a + " " + op.text() + " " + b + ")");
  }

  @Override
  public String bitwise(Intrinsic function, DType dtype, List<String> args) {
    return switch (function) {
      case BITWISE_AND -> "(" + args.get(0) + " & " + args.get(1) + ")";
      case BITWISE_OR -> "(" + args.get(0) + " | " + args.get(1) + ")";
      case BITWISE_XOR -> "(" + args.get(0) + " ^ " + args.get(1) + ")";
      case BITWISE_NOT -> GlslTypes.wrap(dtype, "(~" + args.get(0) + ")");
      default -> throw new IllegalStateException("no operation on bits: " + function);
    };
  }

  /**
   * Products and quotients have no operand that is the constant 0: both operands are negated, which
   * gives the same.
   *
   * <p>Rationale: docs/rationale/backend-vulkan.md, "Why is 0 written as the negative of -0?"
   */
  @Override
  public String arithmetic(BinaryOp op, DType dtype, String a, String b) {
    boolean negated = (op == BinaryOp.MUL || op == BinaryOp.DIV) && isZero(dtype, a, b);
    return negated
        ? "(" + negative(dtype, a) + " " + op.text() + " " + negative(dtype, b) + ")"
        : "(" + a + " " + op.text() + " " + b + ")";
  }

  @Override
  public String multiplyAdd(DType dtype, String sum, String a, String b) {
    return isZero(dtype, a, b)
        ? "fma(" + negative(dtype, a) + ", " + negative(dtype, b) + ", " + sum + ")"
        : "fma(" + a + ", " + b + ", " + sum + ")";
  }

  private boolean isZero(DType dtype, String a, String b) {
    String zero = literal(dtype, 0.0);
    return a.equals(zero) || b.equals(zero);
  }

  private String negative(DType dtype, String value) {
    return value.equals(literal(dtype, 0.0)) ? literal(dtype, -0.0) : "(-" + value + ")";
  }

  @Override
  public String call(Intrinsic function, DType dtype, List<String> args) {
    String name =
        switch (function) {
          case SQRT, ABS -> function.text();
          case NEARBYINT -> "rv_rint" + floatBits(dtype);
          default -> "rv_" + function.text() + floatBits(dtype);
        };
    return name + "(" + String.join(", ", args) + ")";
  }

  private String floatBits(DType dtype) {
    return GlslTypes.floatBits(type(dtype));
  }

  @Override
  public String floatRemainder(DType dtype, String a, String b) {
    return "rv_fmod" + floatBits(dtype) + "(" + a + ", " + b + ")";
  }

  @Override
  public String cast(DType from, DType to, String value) {
    if (to.equals(DType.BOOL)) {
      return from.equals(DType.BOOL)
          ? value
          : "(" + value + " != " + (from.isFloat() ? literal(from, 0.0) : literal(from, 0)) + ")";
    }
    if (to.isFloat()) {
      String converted = toFloat(from, to, value);
      if (to.equals(DType.FLOAT16) && !from.equals(DType.FLOAT16)) {
        return "rv_half(" + converted + ")";
      }
      String name = floatName(to);
      return to.bits() < 32 && !from.equals(to)
          ? "rv_of_" + name + "(rv_" + name + "(" + converted + "))"
          : converted;
    }
    return from.isFloat()
        ? MathLibrary.toInteger(to, type(from)) + "(" + value + ")"
        : integer(from, to, value);
  }

  /** Small constants become floats here: integers of 64 bits are a feature of their own. */
  private String toFloat(DType from, DType to, String value) {
    Matcher small = SMALL_LONG.matcher(value);
    if (small.matches()) {
      return literal(to, Double.parseDouble(small.group(1)));
    }
    return type(from).equals(type(to)) ? value : type(to) + "(" + value + ")";
  }

  private String integer(DType from, DType to, String value) {
    String type = type(to);
    boolean signed = DTypes.isInteger(from) && !DTypes.isUnsigned(from);
    String whole = to.bits() == 64 && from.bits() < 64 && signed ? toLong(value) : value;
    boolean isThere = type(from).equals(type) || (to.equals(DType.INT64) && !whole.equals(value));
    String converted = isThere ? whole : type + "(" + whole + ")";
    return isWithin(from, to) ? converted : GlslTypes.wrap(to, converted);
  }

  /** Whether each integer of a dtype is one of another. */
  private static boolean isWithin(DType from, DType to) {
    if (from.equals(DType.BOOL)) {
      return true;
    }
    return DTypes.isUnsigned(from)
        ? from.bits() < to.bits() || (from.bits() == to.bits() && DTypes.isUnsigned(to))
        : from.bits() <= to.bits() && !DTypes.isUnsigned(to);
  }

  @Override
  public String converted(String type, String value) {
    return type.equals("int64_t") ? toLong(value) : type + "(" + value + ")";
  }

  /** An integer of at most 64 bits; its type says whether it has a sign. */
  private static String toLong(String value) {
    return "rv_long(" + value + ")";
  }

  @Override
  public String literal(DType dtype, double exact) {
    boolean wide = type(dtype).equals("double");
    double value = wide ? exact : (float) exact;
    if (Double.isNaN(value)) {
      return wide ? "packDouble2x32(uvec2(0u, 0x7ff80000u))" : "uintBitsToFloat(0x7fc00000u)";
    }
    if (Double.isInfinite(value)) {
      int sign = value < 0 ? 0x80000000 : 0;
      return wide
          ? "packDouble2x32(uvec2(0u, 0x%08xu))".formatted(sign | 0x7ff00000)
          : "uintBitsToFloat(0x%08xu)".formatted(sign | 0x7f800000);
    }
    String text = wide ? Double.toString(value) + "lf" : Float.toString((float) value) + "f";
    return value < 0 || (value == 0 && 1 / value < 0) ? "(" + text + ")" : text;
  }

  @Override
  public String literal(DType dtype, long value) {
    return dtype.equals(DType.BOOL) ? String.valueOf(value != 0) : GlslTypes.literal(dtype, value);
  }

  @Override
  public String indexLiteral(long value, boolean wide) {
    // Kernels whose constants need more than 32 bits are only run with indices of 64.
    return wide
        ? GlslTypes.literal(DType.INT64, value)
        : GlslTypes.literal(DType.INT32, (int) value);
  }

  /** Nothing: {@link #multiplyAdd} says it of each sum. */
  @Override
  public String contraction() {
    return "";
  }

  @Override
  public String unroll() {
    return "[[unroll]]";
  }
}
