package org.relaxvm.backendcpu.substitution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.PoolAttrs;
import org.relaxvm.tir.op.PoolOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Kernels with stages behind a product become one call of the library. */
class LibraryCallTest {
  private static final DType F32 = DType.FLOAT32;
  private static final String MATMUL = "A,B,null,false,false,'none',C";

  private static Optional<PackedFunc> library(String name) {
    BackendProvider cpu =
        ServiceLoader.load(BackendProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("cpu"))
            .findFirst()
            .orElseThrow();
    return cpu.open().devices().getFirst().library().find(name);
  }

  /** What stands behind a product. */
  private enum Behind {
    NOTHING,
    BIAS,
    RESIDUAL,
    BIAS_AND_RESIDUAL
  }

  private static PrimExpr f(double value) {
    return new FloatImm(F32, value);
  }

  private static PrimExpr apply(Activation activation, PrimExpr x) {
    return switch (activation) {
      case NONE -> x;
      case RELU -> Exprs.max(x, f(0));
      case SIGMOID -> Exprs.call(Intrinsic.SIGMOID, x);
      case TANH -> Exprs.call(Intrinsic.TANH, x);
      case SILU -> Exprs.mul(x, Exprs.call(Intrinsic.SIGMOID, x));
      case GELU ->
          Exprs.mul(
              x,
              Exprs.add(
                  f(0.5),
                  Exprs.mul(Exprs.call(Intrinsic.ERF, Exprs.mul(x, f(Math.sqrt(0.5)))), f(0.5))));
    };
  }

  private static PrimFunc matmul(
      Behind behind, UnaryOperator<PrimExpr> activation, String arguments) {
    KernelBuilder kernel = new KernelBuilder("fused");
    return matmul(kernel, kernel.extent("m"), behind, activation, arguments);
  }

  private static PrimFunc matmul(
      KernelBuilder kernel,
      PrimExpr m,
      Behind behind,
      UnaryOperator<PrimExpr> activation,
      String arguments) {
    Var k = kernel.extent("k");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", F32, List.of(m, k));
    TensorExpr b = kernel.input("B", F32, List.of(k, n));
    TensorExpr bias = kernel.input("bias", F32, List.of(n));
    TensorExpr residual = kernel.input("R", F32, List.of(m, n));
    TensorExpr c =
        kernel.reduce(
            "C",
            List.of(m, n),
            List.of(k),
            Reducer.SUM,
            (i, r) -> Exprs.mul(a.at(i.get(0), r.get(0)), b.at(r.get(0), i.get(1))));
    TensorExpr last = c;
    if (behind == Behind.BIAS || behind == Behind.BIAS_AND_RESIDUAL) {
      last = kernel.compute("biased", c.shape(), i -> Exprs.add(c.at(i), bias.at(i.get(1))));
    }
    if (behind == Behind.RESIDUAL || behind == Behind.BIAS_AND_RESIDUAL) {
      TensorExpr before = last;
      last = kernel.compute("sum", c.shape(), i -> Exprs.add(residual.at(i), before.at(i)));
    }
    TensorExpr before = last;
    TensorExpr probe = kernel.inlined("probe", c.shape(), i -> activation.apply(before.at(i)));
    PrimExpr zero = IntImm.of(0);
    if (!probe.at(zero, zero).equals(before.at(zero, zero))) {
      last = kernel.compute("Y", c.shape(), i -> activation.apply(before.at(i)));
    }
    return kernel
        .build(last)
        .withAttrs(Map.of("library", "relaxvm.matmul", "library.args", arguments));
  }

  private static Tensor numbers(long... shape) {
    Shape whole = Shape.of(shape);
    float[] values = new float[(int) whole.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + shape.length);
    }
    return Tensor.of(values, whole);
  }

  private static CallArgs args(List<Tensor> tensors) {
    return CallArgs.of(tensors.toArray());
  }

  private static void same(PrimFunc kernel, LibraryCall call, List<Tensor> inputs, Tensor output) {
    List<Tensor> args = new ArrayList<>(inputs);
    args.add(output);
    new Evaluator().run(kernel, args);
    double[] expected = output.toDoubleArray();
    List<Tensor> again = new ArrayList<>(inputs);
    Tensor written = Tensor.zeros(output.dtype(), output.shape());
    again.add(written);
    call.call(args(again), new CallResult());
    assertThat(written.toDoubleArray()).containsExactly(expected, within(1e-5));
  }

  @ParameterizedTest
  @EnumSource(Activation.class)
  void productsTakeWhatStandsBehindThem(Activation activation) {
    for (Behind behind : Behind.values()) {
      PrimFunc kernel = matmul(behind, x -> apply(activation, x), MATMUL);
      LibraryCall call =
          LibraryCall.of(KernelAnalysis.of(kernel), LibraryCallTest::library).orElseThrow();
      boolean adds = behind == Behind.RESIDUAL || behind == Behind.BIAS_AND_RESIDUAL;
      assertThat(call.name()).isEqualTo(adds ? "relaxvm.matmul_residual" : "relaxvm.matmul");
      same(
          kernel,
          call,
          List.of(numbers(5, 7), numbers(7, 9), numbers(9), numbers(5, 9)),
          Tensor.zeros(F32, Shape.of(5, 9)));
    }
  }

  @Test
  void aProductOfOneRowTakesBiasAndResidual() {
    // Both lie along the columns; only one of them has the shape of the product.
    PrimFunc kernel =
        matmul(new KernelBuilder("fused"), IntImm.of(1), Behind.BIAS_AND_RESIDUAL, x -> x, MATMUL);
    LibraryCall call =
        LibraryCall.of(KernelAnalysis.of(kernel), LibraryCallTest::library).orElseThrow();
    assertThat(call.name()).isEqualTo("relaxvm.matmul_residual");
    same(
        kernel,
        call,
        List.of(numbers(1, 7), numbers(7, 9), numbers(9), numbers(1, 9)),
        Tensor.zeros(F32, Shape.of(1, 9)));
  }

  @Test
  void convolutionsTakeABiasOfChannels() {
    KernelBuilder kernel = new KernelBuilder("conv");
    List<PrimExpr> shape = List.of(IntImm.of(1), IntImm.of(3), IntImm.of(4), IntImm.of(4));
    TensorExpr x =
        kernel.input("X", F32, List.of(IntImm.of(1), IntImm.of(2), IntImm.of(4), IntImm.of(4)));
    TensorExpr w =
        kernel.input("W", F32, List.of(IntImm.of(3), IntImm.of(2), IntImm.of(1), IntImm.of(1)));
    TensorExpr bias = kernel.input("bias", F32, List.of(IntImm.of(3)));
    TensorExpr c =
        kernel.reduce(
            "C",
            shape,
            List.of(IntImm.of(2)),
            Reducer.SUM,
            (i, r) ->
                Exprs.mul(
                    x.at(i.get(0), r.get(0), i.get(2), i.get(3)),
                    w.at(i.get(1), r.get(0), IntImm.of(0), IntImm.of(0))));
    TensorExpr y =
        kernel.compute("Y", shape, i -> Exprs.max(Exprs.add(c.at(i), bias.at(i.get(1))), f(0)));
    PrimFunc fused =
        kernel
            .build(y)
            .withAttrs(
                Map.of(
                    "library",
                    "relaxvm.conv2d",
                    "library.args",
                    "X, W, null, [1;1], [0;0;0;0], [1;1], 1, 'none', C"));
    LibraryCall call =
        LibraryCall.of(KernelAnalysis.of(fused), LibraryCallTest::library).orElseThrow();
    List<Tensor> inputs = List.of(numbers(1, 2, 4, 4), numbers(3, 2, 1, 1), numbers(3));
    same(fused, call, inputs, Tensor.zeros(F32, Shape.of(1, 3, 4, 4)));
    List<Tensor> all = new ArrayList<>(inputs);
    all.add(Tensor.zeros(F32, Shape.of(1, 3, 4, 4)));
    assertThat(call.isWorthIt(args(all))).isTrue();
  }

  private static PrimFunc pool(boolean mean, boolean ceilMode, String layout, DType dtype) {
    KernelBuilder k = new KernelBuilder("pool");
    TensorExpr x =
        k.input("X", dtype, List.of(k.extent("n"), IntImm.of(3), k.extent("h"), IntImm.of(7)));
    PoolAttrs attrs =
        PoolAttrs.of(List.of(3L, 2L))
            .with(List.of(2L, 1L), List.of(1L, 0L, 1L, 1L), List.of(1L, 2L))
            .withOutside(ceilMode, false)
            .withLayout(layout);
    return k.build(mean ? PoolOps.avgPool(k, "Y", x, attrs) : PoolOps.maxPool(k, "Y", x, attrs));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void poolsAreThoseOfTheLibrary(boolean mean) {
    PrimFunc kernel = pool(mean, false, "NCHW", F32);
    LibraryCall call =
        LibraryCall.of(KernelAnalysis.of(kernel), LibraryCallTest::library).orElseThrow();
    assertThat(call.name()).isEqualTo(mean ? "relaxvm.avg_pool2d" : "relaxvm.max_pool2d");
    assertThat(call.mayNotBeWorthIt()).isFalse();
    for (int height : List.of(1, 2, 8)) {
      Shape out = Shape.of(2, 3, (height + 2 - 3) / 2 + 1, 6);
      same(kernel, call, List.of(numbers(2, 3, height, 7)), Tensor.zeros(F32, out));
    }
  }

  @Test
  void otherPoolsAreNot() {
    assertThat(LibraryHint.of(pool(false, true, "NCHW", F32))).isEmpty();
    assertThat(LibraryHint.of(pool(false, false, "NHWC", F32))).isEmpty();
    assertThat(LibraryHint.of(pool(false, false, "NCHW", DType.INT8))).isPresent();
  }

  @Test
  void smallProductsAreNotWorthIt() {
    PrimFunc kernel = matmul(Behind.BIAS, x -> x, MATMUL);
    LibraryCall call =
        LibraryCall.of(KernelAnalysis.of(kernel), LibraryCallTest::library).orElseThrow();
    assertThat(call.isWorthIt(ofSize(8))).isFalse();
    assertThat(call.isWorthIt(ofSize(64))).isTrue();
    assertThat(call.mayBeWorthIt()).isTrue();
    assertThat(call.mayNotBeWorthIt()).isTrue();
  }

  @Test
  void sizesThatAreKnownDecideForAllCalls() {
    for (int size : List.of(4, 64)) {
      List<PrimExpr> square = List.of(IntImm.of(size), IntImm.of(size));
      KernelBuilder kernel = new KernelBuilder("matmul");
      TensorExpr a = kernel.input("A", F32, square);
      TensorExpr b = kernel.input("B", F32, square);
      PrimFunc matmul = kernel.build(LinearOps.matmul(kernel, "C", a, b, null));
      LibraryCall call =
          LibraryCall.of(KernelAnalysis.of(matmul), LibraryCallTest::library).orElseThrow();
      assertThat(call.mayBeWorthIt()).isEqualTo(size == 64);
      assertThat(call.mayNotBeWorthIt()).isEqualTo(size == 4);
    }
  }

  @Test
  void batchesOfBothOperandsCount() {
    ProductSize plain = new ProductSize(false);
    assertThat(plain.isWorthIt(Shape.of(2, 1, 32, 32), Shape.of(32, 32, 32))).isTrue();
    assertThat(plain.isWorthIt(Shape.of(1, 32, 32), Shape.of(1, 32, 32))).isFalse();
    assertThat(plain.isWorthIt(Shape.of(0, 512, 512), Shape.of(512, 512))).isFalse();
    assertThat(plain.isWorthIt(Shape.of(64, 64), Shape.of(64, 15))).isFalse();
    assertThat(new ProductSize(true).isWorthIt(Shape.of(64, 64), Shape.of(16, 64))).isTrue();
    assertThat(new ProductSize(true).isWorthIt(Shape.of(64, 64), Shape.of(15, 64))).isFalse();
  }

  private static CallArgs ofSize(long n) {
    return args(List.of(numbers(n, n), numbers(n, n), numbers(n), numbers(n, n), numbers(n, n)));
  }

  @Test
  void otherStagesAreNotReplaced() {
    List<PrimFunc> kernels =
        List.of(
            matmul(Behind.BIAS, x -> Exprs.call(Intrinsic.EXP, x), MATMUL),
            matmul(Behind.BIAS, x -> Exprs.mul(x, x), MATMUL),
            matmul(Behind.BIAS, x -> Exprs.add(apply(Activation.RELU, x), x), MATMUL),
            matmul(Behind.BIAS, x -> x, "A,B,bias,false,false,'none',C"),
            matmul(Behind.NOTHING, x -> apply(Activation.RELU, x), "A,B,null,false,false,'tanh',C"),
            matmul(Behind.BIAS, x -> x, "A,X,null,false,false,'none',C"),
            matmul(Behind.BIAS, x -> x, "A,B,null,false,'none',C"),
            matmul(Behind.BIAS, x -> x, MATMUL).withAttrs(Map.of()));
    for (PrimFunc kernel : kernels) {
      assertThat(LibraryCall.of(KernelAnalysis.of(kernel), LibraryCallTest::library)).isEmpty();
    }
    PrimFunc fits = matmul(Behind.BIAS, x -> x, MATMUL);
    assertThat(LibraryCall.of(KernelAnalysis.of(fits), name -> Optional.empty())).isEmpty();
  }

  @Test
  void argumentsThatCannotBeReadAreNamed() {
    PrimFunc kernel = matmul(Behind.BIAS, x -> x, "A,B,null,false,false,[1;x],C");
    assertThatThrownBy(() -> LibraryCall.of(KernelAnalysis.of(kernel), LibraryCallTest::library))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "'[1;x]' in the library arguments \"A,B,null,false,false,[1;x],C\" of the kernel fused"
                + " is none: expected a name, true, false, null, a number, 'text' or [1;2]");
  }
}
