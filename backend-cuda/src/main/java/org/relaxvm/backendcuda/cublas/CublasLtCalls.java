package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.relaxvm.backendcuda.driver.ToolkitLibrary.UselessException;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;

/** The functions of cuBLASLt, as {@code cublasLt.h} of CUDA 12 declares them. Thread-safe. */
final class CublasLtCalls {
  /** cublasOperation_t. */
  private static final int AS_IT_LIES = 0;

  private static final int TRANSPOSED = 1;

  /** cublasLtMatmulDescAttributes_t. */
  private static final int OPERATION_A = 3;

  private static final int OPERATION_B = 4;
  private static final int EPILOGUE = 7;
  private static final int BIAS_POINTER = 8;

  /** cublasLtMatrixLayoutAttribute_t. */
  private static final int BATCH_COUNT = 5;

  private static final int BATCH_STEP = 6;

  /** cublasLtMatmulPreferenceAttributes_t. */
  private static final int MOST_WORKSPACE = 1;

  private static final int REDUCTION_SCHEMES = 3;
  private static final int LEAST_ALIGNMENT_A = 5;
  private static final int LEAST_ALIGNMENT_B = 6;
  private static final int LEAST_ALIGNMENT_C = 7;
  private static final int LEAST_ALIGNMENT_D = 8;

  /** CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE: parts of sums are not rounded to 16 bits. */
  private static final int REDUCE_PRECISELY = 2;

  /** cublasLtEpilogue_t, whose values but for the first one can be combined. */
  private static final int NO_EPILOGUE = 1;

  private static final int RELU = 2;
  private static final int BIAS = 4;
  private static final int GELU_TANH = 32;

  /** cublasLtMatmulHeuristicResult_t, which starts with a cublasLtMatmulAlgo_t. */
  private static final long RESULT_BYTES = 96;

  private static final long ALGORITHM_BYTES = 64;
  private static final long STATE_AT = 72;

  private final CublasFunctions functions;
  private final MethodHandle create;
  private final MethodHandle destroy;
  private final MethodHandle createDescription;
  private final MethodHandle setDescription;
  private final MethodHandle destroyDescription;
  private final MethodHandle createLayout;
  private final MethodHandle setLayout;
  private final MethodHandle destroyLayout;
  private final MethodHandle createPreference;
  private final MethodHandle setPreference;
  private final MethodHandle destroyPreference;
  private final MethodHandle heuristic;
  private final MethodHandle matmul;

  /**
   * Finds them.
   *
   * @throws UselessException when one is not there
   */
  CublasLtCalls(CublasFunctions functions) {
    this.functions = functions;
    create = functions.function("cublasLtCreate", ADDRESS);
    destroy = functions.function("cublasLtDestroy", ADDRESS);
    createDescription = functions.function("cublasLtMatmulDescCreate", ADDRESS, JAVA_INT, JAVA_INT);
    setDescription =
        functions.function("cublasLtMatmulDescSetAttribute", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
    destroyDescription = functions.function("cublasLtMatmulDescDestroy", ADDRESS);
    createLayout =
        functions.function(
            "cublasLtMatrixLayoutCreate", ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    setLayout =
        functions.function(
            "cublasLtMatrixLayoutSetAttribute", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
    destroyLayout = functions.function("cublasLtMatrixLayoutDestroy", ADDRESS);
    createPreference = functions.function("cublasLtMatmulPreferenceCreate", ADDRESS);
    setPreference =
        functions.function(
            "cublasLtMatmulPreferenceSetAttribute", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
    destroyPreference = functions.function("cublasLtMatmulPreferenceDestroy", ADDRESS);
    heuristic =
        functions.function(
            "cublasLtMatmulAlgoGetHeuristic",
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
    matmul =
        functions.function(
            "cublasLtMatmul",
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            ADDRESS,
            JAVA_LONG,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            ADDRESS,
            JAVA_LONG,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
  }

  /** A new handle. */
  MemorySegment create() {
    return created("cublasLtCreate", pointer -> (int) create.invokeExact(pointer));
  }

  void destroy(MemorySegment handle) {
    functions.check("cublasLtDestroy", () -> (int) destroy.invokeExact(handle));
  }

  /** A function that writes the address of what it makes. */
  private interface Maker {
    int status(MemorySegment pointer) throws Throwable;
  }

  private MemorySegment created(String what, Maker maker) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointer = arena.allocate(ADDRESS);
      functions.check(what, () -> maker.status(pointer));
      return pointer.get(ADDRESS, 0);
    }
  }

  private void set(
      String what, MethodHandle setter, MemorySegment object, int attribute, MemorySegment value) {
    long bytes = value.byteSize();
    functions.check(what, () -> (int) setter.invokeExact(object, attribute, value, bytes));
  }

  private void setDescription(MemorySegment description, int attribute, int value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointer = arena.allocateFrom(JAVA_INT, value);
      set("cublasLtMatmulDescSetAttribute", setDescription, description, attribute, pointer);
    }
  }

  private void setPreference(MemorySegment preference, int attribute, MemorySegment value) {
    set("cublasLtMatmulPreferenceSetAttribute", setPreference, preference, attribute, value);
  }

  /**
   * How to compute GEMMs of one form. The library takes matrices column by column: what is
   * row-major is the transpose to it, and the transpose of the result is the product of those of
   * the operands in the other order, {@code first} and {@code second}. A bias along the columns
   * lies along the rows of that transpose, as the library wants it.
   *
   * <p>For one thread. Whoever has it destroys it.
   */
  final class Plan {
    private final Gemm gemm;
    private final Arena memory = Arena.ofShared();
    private final MemorySegment one;
    private final MemorySegment zero;
    private final MemorySegment algorithm = memory.allocate(ALGORITHM_BYTES, Long.BYTES);
    private MemorySegment description = MemorySegment.NULL;
    private MemorySegment first = MemorySegment.NULL;
    private MemorySegment second = MemorySegment.NULL;
    private MemorySegment result = MemorySegment.NULL;

    private Plan(Gemm gemm) {
      this.gemm = gemm;
      CublasTypes types = CublasTypes.of(gemm.dtype());
      one = types.factor(memory, 1);
      zero = types.factor(memory, 0);
      try {
        describe(types);
      } catch (RuntimeException e) {
        destroy();
        throw e;
      }
    }

    private void describe(CublasTypes types) {
      description =
          created(
              "cublasLtMatmulDescCreate",
              pointer ->
                  (int) createDescription.invokeExact(pointer, types.compute(), types.scale()));
      setDescription(description, OPERATION_A, gemm.transposedB() ? TRANSPOSED : AS_IT_LIES);
      setDescription(description, OPERATION_B, gemm.transposedA() ? TRANSPOSED : AS_IT_LIES);
      setDescription(description, EPILOGUE, epilogue(gemm));
      first = layout(gemm.n(), gemm.k(), gemm.transposedB(), gemm.stepB());
      second = layout(gemm.k(), gemm.m(), gemm.transposedA(), gemm.stepA());
      result = layout(gemm.n(), gemm.m(), false, gemm.m() * gemm.n());
    }

    private MemorySegment layout(long rows, long columns, boolean transposed, long step) {
      int type = CublasTypes.of(gemm.dtype()).data();
      long height = transposed ? columns : rows;
      long width = transposed ? rows : columns;
      MemorySegment layout =
          created(
              "cublasLtMatrixLayoutCreate",
              pointer -> (int) createLayout.invokeExact(pointer, type, height, width, height));
      try (Arena arena = Arena.ofConfined()) {
        String what = "cublasLtMatrixLayoutSetAttribute";
        MemorySegment count = arena.allocateFrom(JAVA_INT, Math.toIntExact(gemm.batch()));
        set(what, setLayout, layout, BATCH_COUNT, count);
        set(what, setLayout, layout, BATCH_STEP, arena.allocateFrom(JAVA_LONG, step));
        return layout;
      } catch (RuntimeException e) {
        functions.check(
            "cublasLtMatrixLayoutDestroy", () -> (int) destroyLayout.invokeExact(layout));
        throw e;
      }
    }

    /** Asks for the best algorithm; false when there is none. */
    private boolean choose(MemorySegment handle, Addresses addresses, long workspaceBytes) {
      setBias(addresses);
      MemorySegment preference =
          created(
              "cublasLtMatmulPreferenceCreate",
              pointer -> (int) createPreference.invokeExact(pointer));
      try (Arena arena = Arena.ofConfined()) {
        setPreference(preference, MOST_WORKSPACE, arena.allocateFrom(JAVA_LONG, workspaceBytes));
        setPreference(
            preference, REDUCTION_SCHEMES, arena.allocateFrom(JAVA_INT, REDUCE_PRECISELY));
        Addresses alignments = addresses.alignments();
        setAlignment(preference, LEAST_ALIGNMENT_A, alignments.b());
        setAlignment(preference, LEAST_ALIGNMENT_B, alignments.a());
        setAlignment(preference, LEAST_ALIGNMENT_C, alignments.out());
        setAlignment(preference, LEAST_ALIGNMENT_D, alignments.out());
        MemorySegment found = arena.allocate(RESULT_BYTES, Long.BYTES);
        MemorySegment count = arena.allocate(JAVA_INT);
        int status =
            CublasFunctions.status(
                () ->
                    (int)
                        heuristic.invokeExact(
                            handle,
                            description,
                            first,
                            second,
                            result,
                            result,
                            preference,
                            1,
                            found,
                            count));
        if (status != CublasFunctions.NOT_SUPPORTED) {
          functions.check("cublasLtMatmulAlgoGetHeuristic", status);
        }
        boolean any =
            status == 0 && count.get(JAVA_INT, 0) > 0 && found.get(JAVA_INT, STATE_AT) == 0;
        algorithm.copyFrom(found.asSlice(0, ALGORITHM_BYTES));
        return any;
      } finally {
        functions.check(
            "cublasLtMatmulPreferenceDestroy",
            () -> (int) destroyPreference.invokeExact(preference));
      }
    }

    private void setBias(Addresses at) {
      if (gemm.hasBias()) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment pointer = arena.allocateFrom(JAVA_LONG, at.bias());
          set("cublasLtMatmulDescSetAttribute", setDescription, description, BIAS_POINTER, pointer);
        }
      }
    }

    private void setAlignment(MemorySegment preference, int attribute, long bytes) {
      try (Arena arena = Arena.ofConfined()) {
        setPreference(preference, attribute, arena.allocateFrom(JAVA_INT, Math.toIntExact(bytes)));
      }
    }

    /** Enqueues a GEMM, of tensors that are aligned as those that it was made for. */
    void multiply(
        MemorySegment handle, Addresses at, long workspace, long workspaceBytes, long stream) {
      setBias(at);
      long a = at.a();
      long b = at.b();
      long out = at.out();
      functions.check(
          "cublasLtMatmul",
          () ->
              (int)
                  matmul.invokeExact(
                      handle,
                      description,
                      one,
                      b,
                      first,
                      a,
                      second,
                      zero,
                      out,
                      result,
                      out,
                      result,
                      algorithm,
                      workspace,
                      workspaceBytes,
                      stream));
    }

    /** Releases what the library made. */
    void destroy() {
      destroyLayout(result);
      destroyLayout(second);
      destroyLayout(first);
      if (!description.equals(MemorySegment.NULL)) {
        functions.check(
            "cublasLtMatmulDescDestroy", () -> (int) destroyDescription.invokeExact(description));
      }
      memory.close();
    }

    private void destroyLayout(MemorySegment layout) {
      if (!layout.equals(MemorySegment.NULL)) {
        functions.check(
            "cublasLtMatrixLayoutDestroy", () -> (int) destroyLayout.invokeExact(layout));
      }
    }
  }

  private static int epilogue(Gemm gemm) {
    int function =
        switch (gemm.function()) {
          case NONE -> 0;
          case RELU -> RELU;
          case GELU_TANH -> GELU_TANH;
          case GELU, SILU, SIGMOID, TANH ->
              throw new IllegalStateException("no epilogue of cuBLASLt: " + gemm.function());
        };
    int all = function | (gemm.hasBias() ? BIAS : 0);
    return all == 0 ? NO_EPILOGUE : all;
  }

  /** How to compute a GEMM; empty when the library has no algorithm for it. */
  Optional<Plan> plan(MemorySegment handle, Gemm gemm, Addresses addresses, long workspaceBytes) {
    Plan plan = new Plan(gemm);
    boolean found = false;
    try {
      found = plan.choose(handle, addresses, workspaceBytes);
      return found ? Optional.of(plan) : Optional.empty();
    } finally {
      if (!found) {
        plan.destroy();
      }
    }
  }
}
