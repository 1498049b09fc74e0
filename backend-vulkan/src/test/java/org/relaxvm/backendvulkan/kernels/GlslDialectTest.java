package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.codegen.Helper;
import org.relaxvm.backendsupport.gpu.codegen.KernelHead;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;

/** Each operation is written in a way that the compiler takes, for each dtype. */
class GlslDialectTest {
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

  private final List<String> statements = new ArrayList<>();
  private final List<KernelHead.Parameter> buffers = new ArrayList<>();
  private final TreeMap<String, String> helpers = new TreeMap<>();

  private GlslDialect dialect(boolean hasFloat64, boolean wide) {
    for (DType dtype : DTYPES) {
      buffers.add(new KernelHead.Memory("b_" + dtype, dtype, true));
    }
    return new GlslDialect(new GlslTarget(hasFloat64, 64, wide));
  }

  private void requireCompiles(GlslDialect dialect) {
    StringBuilder text = new StringBuilder();
    helpers.values().stream().filter(f -> !f.contains("_floor")).forEach(text::append);
    helpers.values().stream().filter(f -> f.contains("_floor")).forEach(text::append);
    text.append(dialect.kernel(new KernelHead("k_0", buffers, List.of(), 1, 1, true)));
    statements.forEach(statement -> text.append("  ").append(statement).append('\n'));
    text.append("}\n");
    GlslKernel kernel = GlslKernel.of(dialect.prologue(text.toString()) + text).getFirst();
    assertThat(ShaderCompiler.compile("k_0", kernel.shader(), Targets.EXACT)).isNotEmpty();
  }

  private static String element(GlslDialect dialect, DType dtype, int at) {
    return dialect.load(dtype, "b_" + dtype, String.valueOf(at));
  }

  private void store(GlslDialect dialect, DType dtype, String value) {
    statements.add(dialect.store(dtype, "b_" + dtype, "0", value));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void casts(boolean hasFloat64) {
    GlslDialect dialect = dialect(hasFloat64, false);
    for (DType from : DTYPES) {
      for (DType to : DTYPES) {
        store(dialect, to, dialect.cast(from, to, element(dialect, from, 1)));
      }
    }
    requireCompiles(dialect);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void helpers(boolean hasFloat64) {
    GlslDialect dialect = dialect(hasFloat64, true);
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
        String a = element(dialect, dtype, 1);
        String b = helper == Helper.ABSOLUTE ? "0" : element(dialect, dtype, 2);
        store(dialect, dtype, name + "(" + a + ", " + b + ")");
      }
    }
    assertThat(helpers).hasSizeGreaterThan(70);
    requireCompiles(dialect);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void functionsAndOperators(boolean hasFloat64) {
    GlslDialect dialect = dialect(hasFloat64, false);
    for (DType dtype : DTYPES) {
      String a = element(dialect, dtype, 1);
      String b = element(dialect, dtype, 2);
      for (BinaryOp op : BinaryOp.values()) {
        if (op.kind() == BinaryOp.Kind.COMPARISON) {
          store(dialect, DType.BOOL, dialect.comparison(op, dtype, a, b));
        }
      }
      if (dtype.isFloat()) {
        store(dialect, dtype, dialect.multiplyAdd(dtype, a, b, a));
        store(dialect, dtype, dialect.floatRemainder(dtype, a, b));
      } else if (!dtype.equals(DType.BOOL)) {
        store(dialect, dtype, dialect.wrapping(BinaryOp.MUL, dtype, a, b));
      }
      for (Intrinsic function : Intrinsic.values()) {
        List<String> args = function.arity() == 1 ? List.of(a) : List.of(a, b);
        boolean ofFloats =
            function.rule() == Intrinsic.Rule.FLOAT || function.rule() == Intrinsic.Rule.NUMBER;
        if (dtype.isFloat() && ofFloats) {
          store(dialect, dtype, dialect.call(function, dtype, args));
        } else if (dtype.isFloat() && function.rule() == Intrinsic.Rule.FLOAT_TEST) {
          store(dialect, DType.BOOL, dialect.call(function, dtype, args));
        } else if (DTypes.isInteger(dtype) && function.name().startsWith("BITWISE")) {
          store(dialect, dtype, dialect.bitwise(function, dtype, args));
        }
      }
    }
    requireCompiles(dialect);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void literals(boolean hasFloat64) {
    GlslDialect dialect = dialect(hasFloat64, true);
    double[] floats = {
      0.0, -0.0, 1e-40, -1.5, 3.4028234663852886e38, Double.NaN, 1 / 0.0, -1 / 0.0
    };
    for (DType dtype : DTYPES) {
      if (dtype.isFloat()) {
        for (double value : floats) {
          store(dialect, dtype, dialect.literal(dtype, value));
        }
        continue;
      }
      boolean unsigned = DTypes.isUnsigned(dtype);
      int bits = dtype.equals(DType.BOOL) ? 1 : dtype.bits();
      store(dialect, dtype, dialect.literal(dtype, 0L));
      store(dialect, dtype, dialect.literal(dtype, unsigned ? -1L >>> (64 - bits) : -1L));
      store(dialect, dtype, dialect.literal(dtype, unsigned ? 1L : -1L << (bits - 1)));
    }
    requireCompiles(dialect);
  }

  @Test
  void narrowIntegersWrapAround() {
    GlslDialect dialect = dialect(true, false);
    assertThat(dialect.wrapping(BinaryOp.ADD, DType.INT8, "a", "b"))
        .isEqualTo("((a + b) << 24 >> 24)");
    assertThat(dialect.wrapping(BinaryOp.MUL, DType.UINT16, "a", "b"))
        .isEqualTo("((a * b) & 65535u)");
    assertThat(dialect.wrapping(BinaryOp.SUB, DType.UINT32, "a", "b")).isEqualTo("(a - b)");
    assertThat(dialect.cast(DType.INT32, DType.UINT8, "a")).isEqualTo("(uint(a) & 255u)");
    assertThat(dialect.cast(DType.INT8, DType.INT16, "a")).isEqualTo("a");
    assertThat(dialect.cast(DType.INT8, DType.UINT64, "a")).isEqualTo("uint64_t(rv_long(a))");
  }

  @Test
  void smallConstantsNeedNoIntegersOf64Bits() {
    GlslDialect dialect = dialect(true, false);
    assertThat(dialect.cast(DType.INT64, DType.FLOAT32, "3L")).isEqualTo("3.0f");
    assertThat(dialect.cast(DType.INT64, DType.FLOAT64, "(-3L)")).isEqualTo("(-3.0lf)");
    assertThat(dialect.cast(DType.INT64, DType.FLOAT32, "16777217L")).isEqualTo("float(16777217L)");
  }

  /** Numbers are those of SPIR-V: OpControlBarrier, and bits of memory semantics. */
  @Test
  void workItemsThatMeetAtMemorySeeIt() {
    int acquireRelease = 0x8;
    int buffers = 0x40;
    int shared = 0x100;
    assertThat(semantics(false)).isEqualTo(acquireRelease | shared);
    assertThat(semantics(true)).isEqualTo(acquireRelease | shared | buffers);
  }

  private static int semantics(boolean global) {
    GlslDialect dialect = new GlslDialect(new GlslTarget(true, 128, false));
    KernelHead head =
        new KernelHead(
            "k_0",
            List.of(new KernelHead.Memory("A", DType.FLOAT32, true)),
            List.of("shared float s[4];"),
            4,
            1,
            global);
    String text = dialect.kernel(head) + "  " + dialect.barrier(global) + "\n}\n";
    assertThat(text.contains("coherent buffer")).isEqualTo(global);
    String shader = GlslKernel.of(dialect.prologue(text) + text).getFirst().shader();
    SpirvModule module = SpirvModule.of(ShaderCompiler.compile("k_0", shader, Targets.PLAIN));
    SpirvModule.Instruction barrier =
        module.instructions().stream().filter(i -> i.opcode() == 224).findFirst().orElseThrow();
    return module.instructions().stream()
        .filter(i -> i.opcode() == 43 && i.operand(1) == barrier.operand(2))
        .findFirst()
        .orElseThrow()
        .operand(2);
  }
}
