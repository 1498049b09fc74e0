package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.relaxvm.backendcuda.driver.ToolkitLibrary.UselessException;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;

/** The functions of cuBLAS, as {@code cublas_api.h} of CUDA 12 declares them. Thread-safe. */
final class CublasCalls {
  /** CUBLAS_OP_N and CUBLAS_OP_T. */
  private static final int AS_IT_LIES = 0;

  private static final int TRANSPOSED = 1;

  /** CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION, over CUBLAS_DEFAULT_MATH. */
  private static final int PRECISE = 16;

  /** CUBLAS_GEMM_DEFAULT. */
  private static final int ANY_ALGORITHM = -1;

  private final CublasFunctions functions;
  private final MethodHandle create;
  private final MethodHandle destroy;
  private final MethodHandle setStream;
  private final MethodHandle setWorkspace;
  private final MethodHandle setMathMode;
  private final MethodHandle gemm;

  /**
   * Finds them.
   *
   * @throws UselessException when one is not there
   */
  CublasCalls(CublasFunctions functions) {
    this.functions = functions;
    create = functions.function("cublasCreate_v2", ADDRESS);
    destroy = functions.function("cublasDestroy_v2", ADDRESS);
    setStream = functions.function("cublasSetStream_v2", ADDRESS, JAVA_LONG);
    setWorkspace = functions.function("cublasSetWorkspace_v2", ADDRESS, JAVA_LONG, JAVA_LONG);
    setMathMode = functions.function("cublasSetMathMode", ADDRESS, JAVA_INT);
    gemm =
        functions.function(
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

  /** A new handle, for the context that is current. */
  MemorySegment create() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointer = arena.allocate(ADDRESS);
      functions.check("cublasCreate", () -> (int) create.invokeExact(pointer));
      MemorySegment handle = pointer.get(ADDRESS, 0);
      try {
        functions.check("cublasSetMathMode", () -> (int) setMathMode.invokeExact(handle, PRECISE));
      } catch (RuntimeException e) {
        destroy(handle);
        throw e;
      }
      return handle;
    }
  }

  void destroy(MemorySegment handle) {
    functions.check("cublasDestroy", () -> (int) destroy.invokeExact(handle));
  }

  /** The workspace comes after the stream, which takes the one before away. */
  void use(MemorySegment handle, long stream, long workspace, long workspaceBytes) {
    functions.check("cublasSetStream", () -> (int) setStream.invokeExact(handle, stream));
    functions.check(
        "cublasSetWorkspace",
        () -> (int) setWorkspace.invokeExact(handle, workspace, workspaceBytes));
  }

  /**
   * Enqueues a GEMM. The library takes matrices column by column: what is row-major is the
   * transpose to it, and the transpose of the result is the product of those of the operands in the
   * other order.
   */
  void multiply(MemorySegment handle, Gemm of, long a, long b, long c) {
    CublasTypes types = CublasTypes.of(of.dtype());
    int m = Math.toIntExact(of.m());
    int n = Math.toIntExact(of.n());
    int k = Math.toIntExact(of.k());
    int batch = Math.toIntExact(of.batch());
    int opB = of.transposedB() ? TRANSPOSED : AS_IT_LIES;
    int opA = of.transposedA() ? TRANSPOSED : AS_IT_LIES;
    int lineB = of.transposedB() ? k : n;
    int lineA = of.transposedA() ? m : k;
    long stepC = of.m() * of.n();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = types.factor(arena, 1);
      MemorySegment zero = types.factor(arena, 0);
      int type = types.data();
      int compute = types.compute();
      long stepA = of.stepA();
      long stepB = of.stepB();
      functions.check(
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
