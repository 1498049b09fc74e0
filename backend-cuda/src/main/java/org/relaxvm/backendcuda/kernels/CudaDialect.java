package org.relaxvm.backendcuda.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.codegen.Helper;
import org.relaxvm.backendsupport.gpu.codegen.KernelHead;
import org.relaxvm.backendsupport.gpu.codegen.MatrixMultiplyAdd;
import org.relaxvm.backendsupport.gpu.codegen.SharedArray;
import org.relaxvm.backendsupport.gpu.codegen.SharedMemoryCopy;
import org.relaxvm.backendsupport.gpu.codegen.VectorLoad;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * CUDA C, which is C++17 here, without any header. Elements of float16, bfloat16 and float8 are
 * stored by their bits and computed in float32; what is not plain C++ is in functions of {@link
 * Prelude}.
 *
 * <p>Programs round each operation by itself where the compiler is given {@link
 * CudaTarget#OPTIONS}; a product and a sum that may be rounded once are written as one function.
 *
 * <p>Pointers are not {@code __restrict__}: a kernel may be given the same memory to read and to
 * write, element by element.
 *
 * <p>Immutable and thread-safe.
 */
public final class CudaDialect implements Dialect {
  /** The most bytes that an instruction loads or stores. */
  private static final int VECTOR_BYTES = 16;

  /** Of shared memory, on each architecture. */
  private static final long DECLARED_SHARED_BYTES = 48 << 10;

  /** What every GPU launches. */
  private static final Axes BLOCKS = new Axes(Integer.MAX_VALUE, 65_535, 65_535);

  private final Axes mostBlocks;

  /** A dialect for every GPU. */
  public CudaDialect() {
    this(BLOCKS);
  }

  /**
   * A dialect for a GPU.
   *
   * @param mostBlocks of one launch, along each axis
   */
  public CudaDialect(Axes mostBlocks) {
    this.mostBlocks = mostBlocks;
  }

  @Override
  public String fileSuffix() {
    return ".cu";
  }

  @Override
  public Set<String> reserved() {
    return CudaWords.RESERVED;
  }

  @Override
  public String prologue(String program) {
    return Prelude.neededBy(program);
  }

  @Override
  public boolean addressesIncludeOffsets() {
    return true;
  }

  @Override
  public boolean computes(DType dtype) {
    return !dtype.isFloat() || dtype.equals(DType.FLOAT32) || dtype.equals(DType.FLOAT64);
  }

  @Override
  public String type(DType dtype) {
    if (dtype.isFloat()) {
      return dtype.equals(DType.FLOAT64) ? "double" : "float";
    }
    if (dtype.equals(DType.BOOL)) {
      return "int";
    }
    boolean unsigned = DTypes.isUnsigned(dtype);
    return switch (dtype.bits()) {
      // Whether a plain char has a sign is up to the machine.
      case 8 -> unsigned ? "unsigned char" : "signed char";
      case 16 -> unsigned ? "unsigned short" : "short";
      case 32 -> unsigned ? "unsigned int" : "int";
      // A long has 32 bits on some machines.
      default -> unsigned ? "unsigned long long" : "long long";
    };
  }

  @Override
  public String storageType(DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return "unsigned char";
    }
    if (isStoredByBits(dtype)) {
      return dtype.isFloat8() ? "unsigned char" : "unsigned short";
    }
    return type(dtype);
  }

  /** Whether elements are converted to values by functions of the prelude. */
  private static boolean isStoredByBits(DType dtype) {
    return dtype.isFloat() && dtype.bits() < 32;
  }

  /** What functions call a float of 8 or 16 bits. */
  static String floatName(DType dtype) {
    return switch (dtype.code()) {
      case FLOAT8_E4M3FN -> "e4m3";
      case FLOAT8_E5M2 -> "e5m2";
      case BFLOAT -> "bf16";
      default -> "f16";
    };
  }

  @Override
  public String indexType(boolean wide) {
    return wide ? "long long" : "int";
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
                "extern \"C\" __global__ void __launch_bounds__(%s)\n%s(%s) {\n"
                    .formatted(bounds(head), head.name(), parameters),
                ""));
  }

  private static String bounds(KernelHead head) {
    return head.workGroupSize()
        + (head.workGroupsAtOnce() == 1 ? "" : ", " + head.workGroupsAtOnce());
  }

  private String parameter(KernelHead.Parameter parameter) {
    return switch (parameter) {
      case KernelHead.Memory memory ->
          (memory.written() ? "" : "const ") + storageType(memory.dtype()) + "* " + memory.name();
      case KernelHead.Number number -> number.type() + " " + number.name();
    };
  }

  /** Aligned so that neighbours can be loaded at once. */
  @Override
  public String sharedArray(String name, DType dtype, long size) {
    return "__shared__ __align__(16) " + localArray(name, dtype, size);
  }

  @Override
  public String storedSharedArray(String name, DType dtype, long size) {
    return "__shared__ __align__(16) " + storageType(dtype) + " " + name + "[" + size + "];";
  }

  @Override
  public long mostSharedBytes() {
    return DECLARED_SHARED_BYTES;
  }

  @Override
  public List<String> sharedArraysOfLaunch(List<SharedArray> arrays) {
    List<String> lines = new ArrayList<>();
    long offset = 0;
    for (SharedArray array : arrays) {
      String type = array.stored() ? storageType(array.dtype()) : type(array.dtype());
      lines.add(
          "%s* const %s = (%s*)(rv_launch_memory() + %d);"
              .formatted(type, array.name(), type, offset));
      offset += array.alignedByteSize();
    }
    return lines;
  }

  @Override
  public String localArray(String name, DType dtype, long size) {
    return type(dtype) + " " + name + "[" + size + "];";
  }

  @Override
  public String workGroup(int axis) {
    return "blockIdx." + "xyz".charAt(axis);
  }

  @Override
  public long maxWorkGroups(int axis) {
    return axis == 0 ? mostBlocks.x() : axis == 1 ? mostBlocks.y() : mostBlocks.z();
  }

  @Override
  public String item() {
    return "threadIdx.x";
  }

  /** The same for both: threads of a block see all that the others wrote. */
  @Override
  public String barrier(boolean global) {
    return "__syncthreads();";
  }

  @Override
  public List<String> workGroupReduction(
      BinaryOp op, DType dtype, String array, int runs, int items) {
    WarpReduction reduction = new WarpReduction(this, op, dtype);
    return reduction.isKnown() ? reduction.of(array, runs, items) : List.of();
  }

  @Override
  public String load(DType dtype, String array, String index) {
    return loaded(dtype, array + "[" + index + "]");
  }

  @Override
  public String store(DType dtype, String array, String index, String value) {
    return array + "[" + index + "] = " + stored(dtype, value) + ";";
  }

  private static String loaded(DType dtype, String element) {
    return isStoredByBits(dtype) ? "rv_of_" + floatName(dtype) + "(" + element + ")" : element;
  }

  private static String stored(DType dtype, String value) {
    return isStoredByBits(dtype) ? "rv_" + floatName(dtype) + "(" + value + ")" : value;
  }

  @Override
  public List<String> loadVector(
      DType dtype, int lanes, String array, String index, String registers) {
    return loadVectors(List.of(new VectorLoad(dtype, lanes, array, index, registers)));
  }

  /**
   * Up to 16 bytes at once, where the first element lies at a multiple of these. One question is
   * asked for all of several loads, and nothing is converted before they are on their way: a thread
   * waits where it uses what it loaded.
   */
  @Override
  public List<String> loadVectors(List<VectorLoad> loads) {
    List<String> vectors = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    List<String> used = new ArrayList<>();
    boolean one = loads.size() == 1 && bytes(loads.getFirst()) <= VECTOR_BYTES;
    for (VectorLoad load : loads) {
      int most = Math.min(load.lanes(), VECTOR_BYTES / load.dtype().elementByteSize());
      for (int from = 0; from < load.lanes(); from += most) {
        String vector = one ? "rv_v" : "rv_v" + arguments.size();
        vectors.add("  rv_vector<%s, %d> %s;".formatted(storageType(load.dtype()), most, vector));
        arguments.add(vector + ", " + at(load.array() + " + " + load.index(), from));
        String element = loaded(load.dtype(), vector + ".at[rv_i]");
        used.add("  #pragma unroll");
        used.add(
            "  for (int rv_i = 0; rv_i < %d; rv_i++) %s = %s;"
                .formatted(most, lane(load.registers(), from), element));
      }
    }
    List<String> lines = new ArrayList<>();
    if (loads.isEmpty()) {
      return lines;
    }
    lines.add("{");
    lines.addAll(vectors);
    if (one) {
      lines.add("  rv_load(" + arguments.getFirst() + ");");
    } else {
      lines.add(
          arguments.stream()
              .map(argument -> "rv_is_aligned(" + argument + ")")
              .collect(Collectors.joining(" && ", "  if (", ") {")));
      arguments.forEach(argument -> lines.add("    rv_load_at_once(" + argument + ");"));
      lines.add("  } else {");
      arguments.forEach(argument -> lines.add("    rv_load(" + argument + ");"));
      lines.add("  }");
    }
    lines.addAll(used);
    lines.add("}");
    return lines;
  }

  private static int bytes(VectorLoad load) {
    return load.lanes() * load.dtype().elementByteSize();
  }

  @Override
  public List<String> storeVector(
      DType dtype, int lanes, String array, String index, String registers) {
    List<String> lines = new ArrayList<>();
    int most = Math.min(lanes, VECTOR_BYTES / dtype.elementByteSize());
    for (int from = 0; from < lanes; from += most) {
      lines.add("{");
      lines.add("  rv_vector<%s, %d> rv_v;".formatted(storageType(dtype), most));
      lines.add("  #pragma unroll");
      lines.add(
          "  for (int rv_i = 0; rv_i < %d; rv_i++) rv_v.at[rv_i] = %s;"
              .formatted(most, stored(dtype, lane(registers, from))));
      lines.add("  rv_store(rv_v, %s);".formatted(at(array + " + " + index, from)));
      lines.add("}");
    }
    return lines;
  }

  /** At once where it is a power of two of 16 bytes at most: arrays are aligned to these. */
  @Override
  public List<String> loadSharedVector(
      DType dtype, int lanes, String array, String index, String registers) {
    return lanes * dtype.elementByteSize() <= VECTOR_BYTES && type(dtype).equals(storageType(dtype))
        ? SharedMemory.loadVector(type(dtype), lanes, array, index, registers)
        : List.of();
  }

  @Override
  public List<String> beginCopy(SharedMemoryCopy copy) {
    return copy.lanes() * copy.dtype().elementByteSize() <= VECTOR_BYTES
        ? SharedMemory.beginCopy(copy)
        : List.of();
  }

  @Override
  public List<String> endCopies() {
    return SharedMemory.endCopies();
  }

  @Override
  public List<String> awaitCopies(int inFlight) {
    return SharedMemory.awaitCopies(inFlight);
  }

  @Override
  public List<String> matrixMultiplyAdd(MatrixMultiplyAdd gemm) {
    return SharedMemory.matrixMultiplyAdd(gemm);
  }

  private static String at(String offset, int from) {
    return from == 0 ? offset : offset + " + " + from;
  }

  private static String lane(String registers, int from) {
    return registers + "[" + (from == 0 ? "" : from + " + ") + "rv_i]";
  }

  /** A word: types have blanks. */
  @Override
  public String helperSuffix(DType dtype) {
    return dtype.isFloat() || dtype.equals(DType.BOOL) ? type(dtype) : dtype.toString();
  }

  @Override
  public String helper(Helper helper, DType dtype, String name) {
    String definition = Dialect.super.helper(helper, dtype, name);
    return definition.replaceFirst("static", "static __device__");
  }

  /** In no less than 32 bits, in which nothing overflows without a sign. */
  @Override
  public String wrapping(BinaryOp op, DType dtype, String a, String b) {
    String unsigned = type(new DType(TypeCode.UINT, Math.max(32, dtype.bits()), 1));
    return "(%s)((%s)%s %s (%s)%s)".formatted(type(dtype), unsigned, a, op.text(), unsigned, b);
  }

  @Override
  public String multiplyAdd(DType dtype, String sum, String a, String b) {
    return (isDouble(dtype) ? "fma(" : "fmaf(") + a + ", " + b + ", " + sum + ")";
  }

  private static boolean isDouble(DType dtype) {
    return dtype.equals(DType.FLOAT64);
  }

  @Override
  public String call(Intrinsic function, DType dtype, List<String> args) {
    String suffix = isDouble(dtype) ? "" : "f";
    String one = literal(dtype, 1.0);
    String name =
        switch (function) {
          case NEARBYINT -> "rint" + suffix;
          case ABS -> "fabs" + suffix;
          case ISNAN, ISINF, ISFINITE -> "rv_" + function.text();
          default -> function.name().toLowerCase(Locale.ROOT) + suffix;
        };
    return function == Intrinsic.SIGMOID
        ? "(%s / (%s + exp%s(-(%s))))".formatted(one, one, suffix, args.getFirst())
        : name + "(" + String.join(", ", args) + ")";
  }

  @Override
  public String floatRemainder(DType dtype, String a, String b) {
    return (isDouble(dtype) ? "fmod(" : "fmodf(") + a + ", " + b + ")";
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
      return isStoredByBits(to) && !from.equals(to)
          ? "rv_of_" + name + "(rv_" + name + "(" + converted + "))"
          : converted;
    }
    return from.isFloat() ? "rv_" + to + "_of(" + value + ")" : "(" + type(to) + ")(" + value + ")";
  }

  @Override
  public String literal(DType dtype, double exact) {
    boolean wide = isDouble(dtype);
    double value = wide ? exact : (float) exact;
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return wide
          ? "rv_double_of(0x%016xULL)".formatted(Double.doubleToLongBits(value))
          : "rv_float_of(0x%08xu)".formatted(Float.floatToIntBits((float) value));
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
    if (dtype.bits() == 64) {
      return unsigned ? Long.toUnsignedString(value) + "ULL" : indexLiteral(value, true);
    }
    String text = unsigned ? value + "u" : indexLiteral(value, false);
    return dtype.bits() < 32 ? "((" + type(dtype) + ")" + text + ")" : text;
  }

  /** The least has no literal of its own: a minus sign is an operator. */
  @Override
  public String indexLiteral(long value, boolean wide) {
    if (wide && value == Long.MIN_VALUE) {
      return "(-9223372036854775807LL - 1LL)";
    }
    if (!wide && value == Integer.MIN_VALUE) {
      return "(-2147483647 - 1)";
    }
    String text = wide ? value + "LL" : Long.toString(value);
    return value < 0 ? "(" + text + ")" : text;
  }

  /** Nothing: {@link #multiplyAdd} says it of each sum. */
  @Override
  public String contraction() {
    return "";
  }

  @Override
  public String unroll() {
    return "#pragma unroll";
  }
}
