package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.codegen.functions.BlockFunctions;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Functions that vector loops leave to blocks, compared with the evaluator. */
class BlockFunctionsTest {
  private static final List<Long> SIZES = List.of(0L, 1L, 15L, 1023L, 1024L, 1025L, 2500L);

  static Stream<DType> dtypes() {
    return Stream.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
  }

  /** {@code f(x, y)} of each element. */
  private static PrimFunc elementwise(
      DType dtype, Optional<Long> size, BiFunction<PrimExpr, PrimExpr, PrimExpr> f) {
    KernelBuilder kernel = new KernelBuilder("elementwise");
    PrimExpr n = size.<PrimExpr>map(IntImm::of).orElseGet(() -> kernel.extent("n"));
    TensorExpr x = kernel.input("X", dtype, List.of(n));
    TensorExpr y = kernel.input("Y", dtype, List.of(n));
    return kernel.build(kernel.compute("Z", List.of(n), i -> f.apply(x.at(i), y.at(i))));
  }

  private static PrimExpr several(PrimExpr x, PrimExpr y) {
    PrimExpr wave = Exprs.mul(Exprs.call(Intrinsic.SIN, x), Exprs.call(Intrinsic.TANH, y));
    return Exprs.add(wave, Exprs.call(Intrinsic.POW, y, Exprs.call(Intrinsic.COS, x)));
  }

  @ParameterizedTest
  @MethodSource("dtypes")
  void goBlockByBlock(DType dtype) {
    for (long size : SIZES) {
      check(elementwise(dtype, Optional.empty(), BlockFunctionsTest::several), size);
      check(elementwise(dtype, Optional.of(size), BlockFunctionsTest::several), size);
    }
  }

  @Test
  void computeOnceWhatIsUsedTwice() {
    PrimFunc kernel =
        elementwise(
            DType.FLOAT32,
            Optional.empty(),
            (x, y) -> {
              PrimExpr sine = Exprs.call(Intrinsic.SIN, x);
              return Exprs.add(Exprs.mul(sine, sine), Exprs.call(Intrinsic.COS, sine));
            });

    assertThat(applied(kernel)).containsExactly(Intrinsic.SIN, Intrinsic.COS);
    check(kernel, 2500);
  }

  @Test
  void leaveTheLoopOnlyWhereTheyAreTooMuchForIt() {
    assertThat(applied(function(Intrinsic.EXP, DType.FLOAT32))).isEmpty();
    assertThat(applied(function(Intrinsic.SQRT, DType.FLOAT16))).isEmpty();
    assertThat(applied(function(Intrinsic.EXP, DType.FLOAT16))).containsExactly(Intrinsic.EXP);
    assertThat(applied(function(Intrinsic.SIN, DType.FLOAT32))).containsExactly(Intrinsic.SIN);
  }

  private static PrimFunc function(Intrinsic op, DType dtype) {
    return elementwise(dtype, Optional.empty(), (x, y) -> Exprs.call(op, x));
  }

  /** The argument of the last turn would be read from behind the end. */
  @Test
  void stayUnderTheirCondition() {
    KernelBuilder builder = new KernelBuilder("neighbours");
    Var n = builder.extent("n");
    TensorExpr x = builder.input("X", DType.FLOAT32, List.of(n));
    PrimFunc kernel =
        builder.build(
            builder.compute(
                "Z",
                List.of(n),
                i -> {
                  PrimExpr next = Exprs.add(i.getFirst(), 1);
                  return Exprs.ifThenElse(
                      Exprs.lt(next, n),
                      Exprs.call(Intrinsic.SIN, x.at(next)),
                      Exprs.call(Intrinsic.COS, x.at(i)));
                }));

    assertThat(applied(kernel)).isEmpty();
    check(kernel, 1025);
  }

  @Test
  void runInRows() {
    KernelBuilder builder = new KernelBuilder("rows");
    Var n = builder.extent("n");
    Var m = builder.extent("m");
    TensorExpr x = builder.input("X", DType.FLOAT32, List.of(n, m));
    TensorExpr y = builder.input("Y", DType.FLOAT32, List.of(m));
    PrimFunc kernel =
        builder.build(builder.compute("Z", List.of(n, m), i -> several(x.at(i), y.at(i.get(1)))));

    assertThat(applied(kernel)).isNotEmpty();
    check(kernel, List.of(Shape.of(5, 1500), Shape.of(1500), Shape.of(5, 1500)));
  }

  private static List<Intrinsic> applied(PrimFunc kernel) {
    List<Intrinsic> found = new ArrayList<>();
    collect(BlockFunctions.in(Lowering.of(CpuSchedule.of(kernel).kernel())).body(), found);
    return found;
  }

  private static void collect(Node node, List<Intrinsic> found) {
    if (node instanceof Node.Apply apply) {
      found.add(apply.op());
    }
    node.children().forEach(child -> collect(child, found));
  }

  private static void check(PrimFunc kernel, long size) {
    List<Shape> shapes = kernel.buffers().stream().map(buffer -> Shape.of(size)).toList();
    check(kernel, shapes);
  }

  private static void check(PrimFunc kernel, List<Shape> shapes) {
    List<Object> args = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      DType dtype = kernel.buffers().get(i).dtype();
      args.add(
          i < shapes.size() - 1
              ? values(dtype, shapes.get(i))
              : Tensor.zeros(dtype, shapes.get(i)));
    }
    new Evaluator().run(kernel, args);
    double[] expected = ((Tensor) args.getLast()).toDoubleArray();
    args.set(args.size() - 1, Tensor.zeros(kernel.buffers().getLast().dtype(), shapes.getLast()));

    GeneratedKernels.call(GeneratedKernels.compile(kernel), null, args);

    double[] got = ((Tensor) args.getLast()).toDoubleArray();
    double tolerance = tolerance(((Tensor) args.getLast()).dtype());
    for (int i = 0; i < got.length; i++) {
      double size = Math.max(1, Math.abs(expected[i]));
      assertThat(got[i]).as("element " + i).isCloseTo(expected[i], within(tolerance * size));
    }
  }

  private static double tolerance(DType dtype) {
    return switch (dtype.bits()) {
      case 64 -> 1e-14;
      case 32 -> 1e-6;
      default -> 0x1p-6;
    };
  }

  /** Numbers from 0.05 to 1. */
  private static Tensor values(DType dtype, Shape shape) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    for (int i = 0; i < shape.elementCount(); i++) {
      set(tensor.segment(), dtype, i, (float) (0.05 + 0.95 * (i * 0.618 % 1)));
    }
    return tensor;
  }

  private static void set(MemorySegment memory, DType dtype, int i, float value) {
    if (dtype.equals(DType.FLOAT64)) {
      memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
    } else if (dtype.equals(DType.FLOAT32)) {
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
    } else if (dtype.equals(DType.FLOAT16)) {
      memory.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(value));
    } else {
      memory.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToIntBits(value) >>> 16));
    }
  }
}
