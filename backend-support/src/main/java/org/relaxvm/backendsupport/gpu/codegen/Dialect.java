package org.relaxvm.backendsupport.gpu.codegen;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * How a language of the C family writes what is not the same in all of them. {@link KernelPrinter}
 * does the remainder. Buffers are only ever indexed: there is no arithmetic of pointers, but where
 * a dialect writes it itself.
 *
 * <p>Implementations are stateless and thread-safe.
 */
public interface Dialect {
  /** What the name of a file with a program ends with, such as {@code .cl}. */
  String fileSuffix();

  /** Names that a program of this language cannot give to variables. */
  Set<String> reserved();

  /**
   * What comes in front of all else in a program.
   *
   * @param program all that follows
   */
  String prologue(String program);

  /**
   * Whether the language can compute with a dtype. Where it cannot, elements are stored in the
   * dtype and computed in float32; that is only asked for floats.
   */
  boolean computes(DType dtype);

  /** The type of a value of a dtype that is computed with, such as {@code int}. */
  String type(DType dtype);

  /** The type of the elements of a buffer in memory, such as {@code ushort} for bfloat16. */
  String storageType(DType dtype);

  /** The type of indices, of 32 or 64 bits. */
  String indexType(boolean wide);

  /**
   * Whether kernels are given the address of a buffer's first element. Where they are not, they are
   * given the memory that it lies in, and where in it.
   */
  default boolean addressesIncludeOffsets() {
    return false;
  }

  /** The lines of a kernel up to its first statement, the arrays of its work-groups among them. */
  String kernel(KernelHead head);

  /** The declaration of an array that the work-items of a work-group share. */
  String sharedArray(String name, DType dtype, long size);

  /**
   * The declaration of an array that the work-items of a work-group share, whose elements lie in it
   * as they do in memory of the device. {@link #load} and {@link #store} read and write them.
   */
  default String storedSharedArray(String name, DType dtype, long size) {
    return sharedArray(name, dtype, size);
  }

  /**
   * Bytes of arrays of a work-group that a program can declare. Where a kernel has more of them,
   * they are declared by {@link #sharedArraysOfLaunch}.
   */
  default long mostSharedBytes() {
    return Long.MAX_VALUE;
  }

  /**
   * Declarations of all arrays of a work-group in memory whose size is given at the launch, one
   * after the other by their {@link SharedArray#alignedByteSize}. Never called where {@link
   * #mostSharedBytes} has no limit.
   */
  default List<String> sharedArraysOfLaunch(List<SharedArray> arrays) {
    throw new UnsupportedOperationException("arrays of groups are declared with their size");
  }

  /** The declaration of an array of one work-item. */
  String localArray(String name, DType dtype, long size);

  /** The number of a work-group along an axis, 0 for x. */
  String workGroup(int axis);

  /**
   * The most work-groups that one launch has along an axis, 0 for x. What has more takes several;
   * see {@link LaunchSource.Parameter.FirstWorkGroup}. Without more knowledge what GPUs of CUDA
   * launch, which drivers of OpenCL need not tell.
   */
  default long maxWorkGroups(int axis) {
    return axis == 0 ? Integer.MAX_VALUE : 65_535;
  }

  /** The number of a work-item in its work-group along x. */
  String item();

  /**
   * A statement at which all work-items of a work-group meet, and see what each of them wrote
   * before.
   *
   * @param global whether that was to memory of the device, too
   */
  String barrier(boolean global);

  /** An element of an array that was declared by {@link #sharedArray} or {@link #localArray}. */
  default String element(String array, String index) {
    return array + "[" + index + "]";
  }

  /**
   * Statements that put all elements of each run in an array that the work-items of a work-group
   * share together by an operation, into the first element of the run: a run has one for each
   * work-item, whose values the others see. None where halving the runs again and again is best.
   *
   * @param runs that follow each other in the array
   * @param items elements of a run, and work-items of the work-group; a power of two
   */
  default List<String> workGroupReduction(
      BinaryOp op, DType dtype, String array, int runs, int items) {
    return List.of();
  }

  /** An element of memory of the device as a value to compute with. */
  String load(DType dtype, String array, String index);

  /** A statement that writes an element of memory of the device. */
  String store(DType dtype, String array, String index, String value);

  /**
   * Statements that load adjacent elements in memory of the device, into an array made by {@link
   * #localArray} from its start on. One by one, unless a language can do better.
   *
   * @param lanes how many, a power of two
   * @param index of the first; it may be any
   */
  default List<String> loadVector(
      DType dtype, int lanes, String array, String index, String registers) {
    return IntStream.range(0, lanes)
        .mapToObj(
            lane ->
                "%s[%d] = %s;".formatted(registers, lane, load(dtype, array, index + " + " + lane)))
        .toList();
  }

  /**
   * Statements of several {@link #loadVector} that do not depend on each other. A language in which
   * elements have to be converted may load all of them first.
   */
  default List<String> loadVectors(List<VectorLoad> loads) {
    return loads.stream()
        .flatMap(
            load ->
                loadVector(load.dtype(), load.lanes(), load.array(), load.index(), load.registers())
                    .stream())
        .toList();
  }

  /** Statements that store an array of a work-item, as {@link #loadVector} loads one. */
  default List<String> storeVector(
      DType dtype, int lanes, String array, String index, String registers) {
    return IntStream.range(0, lanes)
        .mapToObj(lane -> store(dtype, array, index + " + " + lane, registers + "[" + lane + "]"))
        .toList();
  }

  /**
   * Statements that load adjacent elements in an array that work-items share, as {@link
   * #loadVector} does from memory of the device. None where one by one is best.
   *
   * @param index of the first, a multiple of {@code lanes}
   */
  default List<String> loadSharedVector(
      DType dtype, int lanes, String array, String index, String registers) {
    return List.of();
  }

  /**
   * Statements that begin to copy to shared memory. What they copy may be used from where {@link
   * #awaitCopies} says so. None where languages have plain copies only.
   */
  default List<String> beginCopy(SharedMemoryCopy copy) {
    return List.of();
  }

  /** Statements after copies that belong together, which {@link #awaitCopies} counts as one. */
  default List<String> endCopies() {
    return List.of();
  }

  /**
   * Statements in front of a barrier, from which on copies may be used.
   *
   * @param inFlight how many of the last ones that belong together need not be done
   */
  default List<String> awaitCopies(int inFlight) {
    return List.of();
  }

  /** Statements that multiply matrices at once; none where loops are best. */
  default List<String> matrixMultiplyAdd(MatrixMultiplyAdd gemm) {
    return List.of();
  }

  /**
   * What the names of functions end with that are made for a dtype. Dtypes for which it is the same
   * share these functions.
   */
  default String helperSuffix(DType dtype) {
    return type(dtype);
  }

  /**
   * The definition of a function that programs contain.
   *
   * @param dtype an integer, or a float where the helper is for those
   * @param name of the function; other helpers are called as {@link Helper#nameFor} says
   */
  default String helper(Helper helper, DType dtype, String name) {
    return "static inline " + CHelpers.definition(this, helper, dtype, name);
  }

  /** A comparison of two values of a dtype. */
  default String comparison(BinaryOp op, DType dtype, String a, String b) {
    return "(" + a + " " + op.text() + " " + b + ")";
  }

  /** A sum, difference, product or quotient of floats of a dtype, as IEEE 754 defines it. */
  default String arithmetic(BinaryOp op, DType dtype, String a, String b) {
    return "(" + a + " " + op.text() + " " + b + ")";
  }

  /** A sum, difference or product of integers of a dtype, which wraps around. */
  default String wrapping(BinaryOp op, DType dtype, String a, String b) {
    String type = type(dtype);
    String unsigned = type(new DType(TypeCode.UINT, dtype.bits(), 1));
    return "(%s)((%s)%s %s (%s)%s)".formatted(type, unsigned, a, op.text(), unsigned, b);
  }

  /**
   * An operation on the bits of integers of a dtype.
   *
   * @param args two; one for {@link Intrinsic#BITWISE_NOT}
   */
  default String bitwise(Intrinsic function, DType dtype, List<String> args) {
    String type = type(dtype);
    return switch (function) {
      case BITWISE_AND -> "(%s)(%s & %s)".formatted(type, args.get(0), args.get(1));
      case BITWISE_OR -> "(%s)(%s | %s)".formatted(type, args.get(0), args.get(1));
      case BITWISE_XOR -> "(%s)(%s ^ %s)".formatted(type, args.get(0), args.get(1));
      case BITWISE_NOT -> "(%s)(~%s)".formatted(type, args.get(0));
      default -> throw new IllegalStateException("no operation on bits: " + function);
    };
  }

  /**
   * A float plus the product of two where that may be rounded once: in loops that say so, see
   * {@link #contraction}.
   */
  default String multiplyAdd(DType dtype, String sum, String a, String b) {
    return "(" + sum + " + (" + a + " * " + b + "))";
  }

  /** A function of floats that are computed in this dtype. */
  String call(Intrinsic function, DType dtype, List<String> args);

  /** The remainder of a division of floats towards 0, exact. */
  String floatRemainder(DType dtype, String a, String b);

  /**
   * A value as another type. Integers wrap around; floats become integers as {@link
   * org.relaxvm.tir.expr.Cast} says.
   */
  String cast(DType from, DType to, String value);

  /**
   * An integer or counter in another type of integers.
   *
   * @param type given by {@link #type} or {@link #indexType}
   * @param value a name, a call or an expression in parentheses
   */
  default String converted(String type, String value) {
    return "(" + type + ")" + value;
  }

  /** A float as a literal. */
  String literal(DType dtype, double value);

  /** An integer as a literal of the type of a dtype. */
  String literal(DType dtype, long value);

  /** An index as a literal. */
  String indexLiteral(long value, boolean wide);

  /**
   * What stands at the begin of a block in which a product and a sum may be rounded once; empty
   * where that is so everywhere, or nowhere.
   */
  String contraction();

  /** A directive before a loop to unroll it; empty when there is none. */
  String unroll();
}
