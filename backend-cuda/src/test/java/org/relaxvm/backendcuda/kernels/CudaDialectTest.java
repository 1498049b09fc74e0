package org.relaxvm.backendcuda.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.codegen.Helper;
import org.relaxvm.backendsupport.gpu.codegen.KernelHead;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;

/** Each operation is written in a way that the compiler takes, for each dtype. */
class CudaDialectTest {
  private static final List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64,
          DType.FLOAT16,
          DType.BFLOAT16,
          DType.FLOAT32,
          DType.FLOAT64);

  private static final Set<Helper> OF_FLOATS =
      Set.of(Helper.MIN, Helper.MAX, Helper.FLOOR_REMAINDER);

  private final CudaDialect dialect = new CudaDialect();
  private final List<String> statements = new ArrayList<>();
  private final TreeMap<String, String> helpers = new TreeMap<>();

  private void requireCompiles() {
    List<KernelHead.Parameter> buffers = new ArrayList<>();
    DTYPES.forEach(dtype -> buffers.add(new KernelHead.Memory("b_" + dtype, dtype, true)));
    StringBuilder text = new StringBuilder();
    helpers.values().stream().filter(f -> !f.contains("_floor")).forEach(text::append);
    helpers.values().stream().filter(f -> f.contains("_floor")).forEach(text::append);
    text.append(dialect.kernel(new KernelHead("k_0", buffers, List.of(), 64, 1, false)));
    statements.forEach(statement -> text.append("  ").append(statement).append('\n'));
    text.append("}\n");
    String program = dialect.prologue(text.toString()) + text;
    Nvcc nvcc = Nvcc.needed("CudaDialectTest");
    for (CudaTarget target : List.of(new CudaTarget(7, 5), new CudaTarget(9, 0))) {
      assertThat(nvcc.ptx("k_0", program, target)).contains(".entry k_0(");
    }
  }

  private String element(DType dtype, int at) {
    return dialect.load(dtype, "b_" + dtype, String.valueOf(at));
  }

  private void store(DType dtype, String value) {
    statements.add(dialect.store(dtype, "b_" + dtype, "0", value));
  }

  @Test
  void casts() {
    for (DType from : DTYPES) {
      for (DType to : DTYPES) {
        store(to, dialect.cast(from, to, element(from, 1)));
      }
    }
    requireCompiles();
  }

  @Test
  void helpers() {
    for (DType dtype : DTYPES) {
      for (Helper helper : Helper.values()) {
        boolean unsigned = helper == Helper.ABSOLUTE && DTypes.isUnsigned(dtype);
        if (dtype.equals(DType.BOOL)
            || unsigned
            || (dtype.isFloat() && !OF_FLOATS.contains(helper))) {
          continue;
        }
        String name = helper.nameFor(dialect, dtype);
        helpers.put(name, dialect.helper(helper, dtype, name) + "\n");
        String b = helper == Helper.ABSOLUTE ? "0" : element(dtype, 2);
        store(dtype, name + "(" + element(dtype, 1) + ", " + b + ")");
      }
    }
    assertThat(helpers).hasSizeGreaterThan(70);
    requireCompiles();
  }

  @Test
  void functionsAndOperators() {
    for (DType dtype : DTYPES) {
      String a = element(dtype, 1);
      String b = element(dtype, 2);
      for (BinaryOp op : BinaryOp.values()) {
        if (op.kind() == BinaryOp.Kind.COMPARISON) {
          store(DType.BOOL, dialect.comparison(op, dtype, a, b));
        }
      }
      if (dtype.isFloat()) {
        store(dtype, dialect.multiplyAdd(dtype, a, b, a));
        store(dtype, dialect.floatRemainder(dtype, a, b));
      } else if (!dtype.equals(DType.BOOL)) {
        store(dtype, dialect.wrapping(BinaryOp.MUL, dtype, a, b));
      }
      for (Intrinsic function : Intrinsic.values()) {
        List<String> args = function.arity() == 1 ? List.of(a) : List.of(a, b);
        boolean ofFloats =
            function.rule() == Intrinsic.Rule.FLOAT || function.rule() == Intrinsic.Rule.NUMBER;
        if (dtype.isFloat() && ofFloats) {
          store(dtype, dialect.call(function, dtype, args));
        } else if (dtype.isFloat() && function.rule() == Intrinsic.Rule.FLOAT_TEST) {
          store(DType.BOOL, dialect.call(function, dtype, args));
        } else if (DTypes.isInteger(dtype) && function.name().startsWith("BITWISE")) {
          store(dtype, dialect.bitwise(function, dtype, args));
        }
      }
    }
    requireCompiles();
  }

  @Test
  void literals() {
    double[] floats = {
      0.0, -0.0, 1e-40, -1.5, 3.4028234663852886e38, Double.NaN, 1 / 0.0, -1 / 0.0
    };
    for (DType dtype : DTYPES) {
      if (dtype.isFloat()) {
        for (double value : floats) {
          store(dtype, dialect.literal(dtype, value));
        }
        continue;
      }
      boolean unsigned = DTypes.isUnsigned(dtype);
      int bits = dtype.equals(DType.BOOL) ? 1 : dtype.bits();
      store(dtype, dialect.literal(dtype, 0L));
      store(dtype, dialect.literal(dtype, unsigned ? -1L >>> (64 - bits) : -1L));
      store(dtype, dialect.literal(dtype, unsigned ? 1L : -1L << (bits - 1)));
    }
    requireCompiles();
  }

  @Test
  void vectors() {
    for (DType dtype : DTYPES) {
      statements.add("{");
      statements.add(dialect.localArray("v", dtype, 32));
      for (int lanes = 1; lanes <= 32; lanes *= 2) {
        statements.addAll(dialect.loadVector(dtype, lanes, "b_" + dtype, "3", "v"));
        statements.addAll(dialect.storeVector(dtype, lanes, "b_" + dtype, "100", "v"));
      }
      statements.add("}");
    }
    requireCompiles();
  }

  @Test
  void reductionsOfWorkGroups() {
    List<BinaryOp> ops = List.of(BinaryOp.ADD, BinaryOp.MUL, BinaryOp.MIN, BinaryOp.MAX);
    int arrays = 0;
    for (DType dtype : DTYPES) {
      boolean isBool = dtype.equals(DType.BOOL);
      for (BinaryOp op : isBool ? List.of(BinaryOp.AND, BinaryOp.OR) : ops) {
        for (int items : new int[] {2, 32, 64, 1024}) {
          String array = "s" + arrays++ % 2 + "_" + dtype;
          for (int runs : new int[] {1, 3}) {
            statements.add("{");
            statements.add(dialect.sharedArray(array, dtype, (long) runs * items));
            List<String> lines = dialect.workGroupReduction(op, dtype, array, runs, items);
            assertThat(lines).isNotEmpty();
            statements.addAll(lines);
            statements.add("}");
          }
        }
      }
    }
    assertThat(dialect.workGroupReduction(BinaryOp.SUB, DType.FLOAT32, "s", 1, 64)).isEmpty();
    requireCompiles();
  }

  @Test
  void nothingOverflowsThatHasASign() {
    assertThat(dialect.wrapping(BinaryOp.MUL, DType.INT16, "a", "b"))
        .isEqualTo("(short)((unsigned int)a * (unsigned int)b)");
    assertThat(dialect.wrapping(BinaryOp.ADD, DType.INT64, "a", "b"))
        .isEqualTo("(long long)((unsigned long long)a + (unsigned long long)b)");
    assertThat(dialect.indexLiteral(Integer.MIN_VALUE, false)).isEqualTo("(-2147483647 - 1)");
  }

  /** The options of compilers keep products and sums apart, but where they are one function. */
  @Test
  void productsAndSumsAreRoundedByThemselves() {
    Nvcc nvcc = Nvcc.needed("CudaDialectTest");
    store(DType.FLOAT32, "(b_float32[1] + (b_float32[2] * b_float32[3]))");
    String head = "extern \"C\" __global__ void k(float* b_float32) { ";
    String apart = nvcc.ptx("k", head + statements.getFirst() + " }", new CudaTarget(9, 0));
    assertThat(apart).contains("mul.rn.f32", "add.rn.f32").doesNotContain("fma");
    String value = dialect.multiplyAdd(DType.FLOAT32, "b_float32[1]", "b_float32[2]", "2.5f");
    store(DType.FLOAT32, value);
    String once = nvcc.ptx("k", head + statements.getLast() + " }", new CudaTarget(9, 0));
    assertThat(once).contains("fma.rn.f32").doesNotContain("mul.");
  }

  /** A program has the files of functions that it uses, to the letter and in their order. */
  @Test
  void programsBringAlongWhatTheyUse() {
    assertThat(dialect.prologue("no function of ours: rv_other(1)")).isEmpty();
    assertThat(Prelude.files())
        .allSatisfy(
            file ->
                assertThat(file.functions())
                    .as(file.name())
                    .isNotEmpty()
                    .allSatisfy(
                        function ->
                            assertThat(dialect.prologue("x = " + function + "(y);"))
                                .contains(file.text())));
    assertThat(dialect.prologue("rv_load(v, rv_f16(x))"))
        .startsWith("// Floats of 16 bits, which are stored")
        .contains("// Elements that lie beside each other")
        .doesNotContain("// Integers of floats");
  }
}
