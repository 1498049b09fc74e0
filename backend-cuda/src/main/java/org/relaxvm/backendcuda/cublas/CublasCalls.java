package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendcuda.toolkit.ToolkitLibrary.UselessException;
import org.relaxvm.backendsupport.vendor.Product;

/** The functions of cuBLAS, as {@code cublas_api.h} of CUDA 12 declares them. Thread-safe. */
final class CublasCalls {
  /** CUBLAS_OP_N and CUBLAS_OP_T. */
  private static final int AS_IT_LIES = 0;

  private static final int TURNED = 1;

  /** CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION, over CUBLAS_DEFAULT_MATH. */
  private static final int PRECISE = 16;

  /** CUBLAS_GEMM_DEFAULT. */
  private static final int ANY_ALGORITHM = -1;

  /**
   * Of a dtype.
   *
   * @param data cudaDataType
   * @param compute cublasComputeType_t
   */
  private record Codes(int data, int compute) {}

  /** CUBLAS_COMPUTE_32F is without TF32 in this mode; 64 bits have CUBLAS_COMPUTE_64F. */
  private static final Map<DType, Codes> CODES =
      Map.of(
          DType.FLOAT32, new Codes(0, 68),
          DType.FLOAT64, new Codes(1, 70),
          DType.FLOAT16, new Codes(2, 68),
          DType.BFLOAT16, new Codes(14, 68));

  private final MethodHandle create;
  private final MethodHandle destroy;
  private final MethodHandle property;
  private final MethodHandle setStream;
  private final MethodHandle setWorkspace;
  private final MethodHandle setMathMode;
  private final MethodHandle gemm;

  CublasCalls(SymbolLookup symbols) {
    create = function(symbols, "cublasCreate_v2", ADDRESS);
    destroy = function(symbols, "cublasDestroy_v2", ADDRESS);
    property = function(symbols, "cublasGetProperty", JAVA_INT, ADDRESS);
    setStream = function(symbols, "cublasSetStream_v2", ADDRESS, JAVA_LONG);
    setWorkspace = function(symbols, "cublasSetWorkspace_v2", ADDRESS, JAVA_LONG, JAVA_LONG);
    setMathMode = function(symbols, "cublasSetMathMode", ADDRESS, JAVA_INT);
    gemm =
        function(
            symbols,
            "cublasGemmStridedBatchedEx",
            ADDRESS,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            ADDRESS,
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_LONG,
            ADDRESS,
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle function(
      SymbolLookup symbols, String name, MemoryLayout... parameters) {
    MemorySegment address =
        symbols
            .find(name)
            .orElseThrow(() -> new UselessException("has no " + name + ": it is no cuBLAS of 12"));
    return Linker.nativeLinker()
        .downcallHandle(address, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private interface Call {
    int status() throws Throwable;
  }

  private static void check(String what, Call call) {
    int status;
    try {
      status = call.status();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (status != 0) {
      throw new BackendException(
          status == 3 ? ErrorKind.MEMORY : ErrorKind.RUNTIME,
          what
              + " of cuBLAS failed with "
              + nameOf(status)
              + "\n  what to do: use the project's own kernels with -D"
              + Cublas.SETTING
              + "="
              + Cublas.OFF);
    }
  }

  private static String nameOf(int status) {
    return switch (status) {
      case 1 -> "CUBLAS_STATUS_NOT_INITIALIZED";
      case 3 -> "CUBLAS_STATUS_ALLOC_FAILED";
      case 7 -> "CUBLAS_STATUS_INVALID_VALUE";
      case 8 -> "CUBLAS_STATUS_ARCH_MISMATCH";
      case 11 -> "CUBLAS_STATUS_MAPPING_ERROR";
      case 13 -> "CUBLAS_STATUS_EXECUTION_FAILED";
      case 14 -> "CUBLAS_STATUS_INTERNAL_ERROR";
      case 15 -> "CUBLAS_STATUS_NOT_SUPPORTED";
      default -> "status " + status;
    };
  }

  static boolean knows(DType dtype) {
    return CODES.containsKey(dtype);
  }

  /** A new handle, for the context that is current. */
  MemorySegment create() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ADDRESS);
      check("cublasCreate", () -> (int) create.invokeExact(place));
      MemorySegment handle = place.get(ADDRESS, 0);
      try {
        check("cublasSetMathMode", () -> (int) setMathMode.invokeExact(handle, PRECISE));
      } catch (RuntimeException e) {
        destroy(handle);
        throw e;
      }
      return handle;
    }
  }

  void destroy(MemorySegment handle) {
    check("cublasDestroy", () -> (int) destroy.invokeExact(handle));
  }

  /** Such as {@code 12.6.4}: MAJOR_VERSION, MINOR_VERSION and PATCH_LEVEL. */
  String version() {
    return property(0) + "." + property(1) + "." + property(2);
  }

  /** Such as 12. */
  int major() {
    return property(0);
  }

  private int property(int which) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(JAVA_INT);
      check("cublasGetProperty", () -> (int) property.invokeExact(which, place));
      return place.get(JAVA_INT, 0);
    }
  }

  /** The workspace comes after the stream, which takes the one before away. */
  void use(MemorySegment handle, long stream, long workspace, long workspaceBytes) {
    check("cublasSetStream", () -> (int) setStream.invokeExact(handle, stream));
    check(
        "cublasSetWorkspace",
        () -> (int) setWorkspace.invokeExact(handle, workspace, workspaceBytes));
  }

  /**
   * Enqueues a product. The library takes matrices column by column: what lies row by row is the
   * transpose to it, and the transpose of the result is the product of those of the operands in the
   * other order.
   */
  void multiply(MemorySegment handle, Product of, long a, long b, long c) {
    Codes codes = CODES.get(of.dtype());
    if (codes == null) {
      throw new IllegalStateException("no dtype of cuBLAS: " + of.dtype());
    }
    int m = Math.toIntExact(of.m());
    int n = Math.toIntExact(of.n());
    int k = Math.toIntExact(of.k());
    int batch = Math.toIntExact(of.batch());
    int opB = of.turnedB() ? TURNED : AS_IT_LIES;
    int opA = of.turnedA() ? TURNED : AS_IT_LIES;
    int lineB = of.turnedB() ? k : n;
    int lineA = of.turnedA() ? m : k;
    long stepC = of.m() * of.n();
    try (Arena arena = Arena.ofConfined()) {
      boolean wide = of.dtype().equals(DType.FLOAT64);
      MemorySegment one =
          wide ? arena.allocateFrom(JAVA_DOUBLE, 1) : arena.allocateFrom(JAVA_FLOAT, 1);
      MemorySegment zero =
          wide ? arena.allocateFrom(JAVA_DOUBLE, 0) : arena.allocateFrom(JAVA_FLOAT, 0);
      int type = codes.data();
      int compute = codes.compute();
      long stepA = of.stepA();
      long stepB = of.stepB();
      check(
          "cublasGemmStridedBatchedEx",
          () ->
              (int)
                  gemm.invokeExact(
                      handle,
                      opB,
                      opA,
                      n,
                      m,
                      k,
                      one,
                      b,
                      type,
                      lineB,
                      stepB,
                      a,
                      type,
                      lineA,
                      stepA,
                      zero,
                      c,
                      type,
                      n,
                      stepC,
                      batch,
                      compute,
                      ANY_ALGORITHM));
    }
  }
}
