package org.relaxvm.backendcpu.substitution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.fuse.CallOutput;
import org.relaxvm.tir.fuse.KernelFusion;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.ConvAttrs;
import org.relaxvm.tir.op.ConvOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** Kernels of operators, fused, still become one call of the library. */
class FusedKernelsTest {
  private static final DType F32 = DType.FLOAT32;

  private final KernelFusion fusion = new KernelFusion("fused_matmul");
  private final Var n = Var.index("n");

  private static PrimFunc matmul() {
    KernelBuilder k = new KernelBuilder("matmul");
    Var i = Var.index("i");
    Var j = Var.index("j");
    return k.build(
        LinearOps.matmul(
            k,
            "matmul",
            k.input("A", F32, List.of(i, j)),
            k.input("B", F32, List.of(j, IntImm.of(9))),
            null));
  }

  private static PrimFunc add(List<PrimExpr> a, List<PrimExpr> b) {
    KernelBuilder k = new KernelBuilder("add");
    return k.build(BinaryOps.add(k, "T_add", k.input("A", F32, a), k.input("B", F32, b)));
  }

  private static PrimFunc relu() {
    KernelBuilder k = new KernelBuilder("relu");
    List<PrimExpr> shape = List.of(Var.index("i"), IntImm.of(9));
    return k.build(ActivationOps.relu(k, "T_relu", k.input("A", F32, shape)));
  }

  private Buffer call(PrimFunc callee, Buffer... tensors) {
    List<PrimExpr> shape = List.of(n, IntImm.of(9));
    return fusion
        .call(callee, List.of(tensors), List.of(), List.of(CallOutput.fresh(F32, shape)))
        .getFirst();
  }

  private static Tensor numbers(long... shape) {
    Shape whole = Shape.of(shape);
    float[] values = new float[(int) whole.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + shape.length);
    }
    return Tensor.of(values, whole);
  }

  private static Optional<PackedFunc> library(String name) {
    return ServiceLoader.load(BackendProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals("cpu"))
        .findFirst()
        .flatMap(cpu -> cpu.open().devices().getFirst().library().find(name));
  }

  private static void requireSame(PrimFunc kernel, LibraryCall call, List<Tensor> inputs) {
    requireSame(kernel, call, inputs, Shape.of(5, 9));
  }

  private static void requireSame(
      PrimFunc kernel, LibraryCall call, List<Tensor> inputs, Shape result) {
    Verifier.verify(kernel);
    Tensor expected = Tensor.zeros(F32, result);
    Tensor got = Tensor.zeros(F32, result);
    List<Tensor> args = new ArrayList<>(inputs);
    args.add(expected);
    new Evaluator().run(kernel, args);
    args.set(inputs.size(), got);
    call.call(CallArgs.of(args.toArray()), new CallResult());
    assertThat(DoubleStream.of(expected.toDoubleArray())).anyMatch(value -> value != 0);
    assertThat(got.toDoubleArray()).containsExactly(expected.toDoubleArray(), within(1e-5));
  }

  /** The arguments that the library function gets. */
  private static List<Object> arguments(PrimFunc kernel, List<Tensor> args) {
    List<Object> seen = new ArrayList<>();
    PackedFunc recording =
        (given, result) -> {
          for (Object value : given.toArray()) {
            seen.add(value == null ? "nothing" : value);
          }
        };
    LibraryCall.of(KernelAnalysis.of(kernel), name -> Optional.of(recording))
        .orElseThrow()
        .call(CallArgs.of(args.toArray()), new CallResult());
    return seen;
  }

  @Test
  void aProductWithBiasAndActivationIsOneCall() {
    Buffer x = fusion.input("x", F32, List.of(n, IntImm.of(7)));
    Buffer w = fusion.input("w", F32, List.of(IntImm.of(7), IntImm.of(9)));
    Buffer bias = fusion.input("b", F32, List.of(IntImm.of(9)));
    Buffer product = call(matmul(), x, w);
    Buffer biased =
        call(add(List.of(Var.index("i"), IntImm.of(9)), List.of(IntImm.of(9))), product, bias);
    PrimFunc fused = fusion.build(List.of(call(relu(), biased)), List.of());
    LibraryCall call =
        LibraryCall.of(KernelAnalysis.of(fused), FusedKernelsTest::library).orElseThrow();
    assertThat(call.name()).isEqualTo("relaxvm.matmul");
    List<Tensor> inputs = List.of(numbers(5, 7), numbers(7, 9), numbers(9));
    requireSame(fused, call, inputs);
    List<Tensor> all = new ArrayList<>(inputs);
    all.add(Tensor.zeros(F32, Shape.of(5, 9)));
    assertThat(arguments(fused, all))
        .containsExactly(all.get(0), all.get(1), all.get(2), false, false, "relu", all.get(3));
  }

  @Test
  void aProductWithAResidualIsOneCall() {
    Buffer residual = fusion.input("r", F32, List.of(n, IntImm.of(9)));
    Buffer x = fusion.input("x", F32, List.of(n, IntImm.of(7)));
    Buffer w = fusion.input("w", F32, List.of(IntImm.of(7), IntImm.of(9)));
    List<PrimExpr> shape = List.of(Var.index("i"), IntImm.of(9));
    Buffer sum = call(add(shape, shape), residual, call(matmul(), x, w));
    PrimFunc fused = fusion.build(List.of(call(relu(), sum)), List.of());
    LibraryCall call =
        LibraryCall.of(KernelAnalysis.of(fused), FusedKernelsTest::library).orElseThrow();
    assertThat(call.name()).isEqualTo("relaxvm.matmul_residual");
    requireSame(fused, call, List.of(numbers(5, 9), numbers(5, 7), numbers(7, 9)));
  }

  @Test
  void aConvolutionTakesABiasPerChannelWithAllAxes() {
    List<PrimExpr> data = dims(1, 3, 8, 8);
    List<PrimExpr> result = dims(1, 4, 8, 8);
    KernelBuilder k = new KernelBuilder("conv2d");
    ConvAttrs same =
        ConvAttrs.plain(2).with(List.of(1L, 1L), List.of(1L, 1L, 1L, 1L), List.of(1L, 1L), 1);
    TensorExpr weight = k.input("B", F32, dims(4, 3, 3, 3));
    PrimFunc conv = k.build(ConvOps.conv(k, "conv2d", k.input("A", F32, data), weight, same));
    Buffer bias = fusion.input("b", F32, dims(1, 4, 1, 1));
    List<Buffer> operands =
        List.of(fusion.input("w", F32, dims(4, 3, 3, 3)), fusion.input("x", F32, data));
    List<CallOutput> one = List.of(CallOutput.fresh(F32, result));
    Buffer product = fusion.call(conv, operands, List.of(), one).getFirst();
    PrimFunc add = add(result, dims(1, 4, 1, 1));
    Buffer biased = fusion.call(add, List.of(product, bias), List.of(), one).getFirst();
    PrimFunc fused = fusion.build(List.of(biased), List.of());
    LibraryCall call =
        LibraryCall.of(KernelAnalysis.of(fused), FusedKernelsTest::library).orElseThrow();
    assertThat(call.name()).isEqualTo("relaxvm.conv2d");
    List<Tensor> inputs = List.of(numbers(1, 4, 1, 1), numbers(4, 3, 3, 3), numbers(1, 3, 8, 8));
    requireSame(fused, call, inputs, Shape.of(1, 4, 8, 8));
  }

  private static List<PrimExpr> dims(long... dims) {
    return LongStream.of(dims).<PrimExpr>mapToObj(IntImm::of).toList();
  }

  @Test
  void aProductThatIsAnOutputTooIsNotReplaced() {
    Buffer x = fusion.input("x", F32, List.of(n, IntImm.of(7)));
    Buffer w = fusion.input("w", F32, List.of(IntImm.of(7), IntImm.of(9)));
    Buffer product = call(matmul(), x, w);
    PrimFunc fused = fusion.build(List.of(call(relu(), product), product), List.of());
    assertThat(LibraryCall.of(KernelAnalysis.of(fused), FusedKernelsTest::library)).isEmpty();
  }

  @Test
  void aProductThatIsChangedInPlaceIsNotReplaced() {
    PrimFunc halve =
        TirText.parse(
                """
                @T.prim_func(private=True)
                def halve(A: T.Buffer((n, 9), "float32")):
                    n = T.int64()
                    with T.block("root"):
                        for i, j in T.grid(n, 9):
                            with T.block("halve"):
                                v_i = T.axis.spatial(n, i)
                                v_j = T.axis.spatial(9, j)
                                A[v_i, v_j] = A[v_i, v_j] * T.float32(0.5)
                """,
                "test")
            .getFirst();
    Buffer x = fusion.input("x", F32, List.of(n, IntImm.of(7)));
    Buffer w = fusion.input("w", F32, List.of(IntImm.of(7), IntImm.of(9)));
    Buffer product = call(matmul(), x, w);
    fusion.call(halve, List.of(product), List.of(), List.of(CallOutput.inPlace(0)));
    PrimFunc fused = fusion.build(List.of(product), List.of());
    assertThat(LibraryCall.of(KernelAnalysis.of(fused), FusedKernelsTest::library)).isEmpty();
  }
}
