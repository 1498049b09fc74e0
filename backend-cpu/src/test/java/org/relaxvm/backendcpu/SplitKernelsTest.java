package org.relaxvm.backendcpu;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.backendcpu.SplitCases.Case;
import org.relaxvm.backendcpu.jit.CodeOptions;
import org.relaxvm.backendcpu.substitution.SplitKernel;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** The device computes a part of a kernel with the library, and gives what the evaluator gives. */
class SplitKernelsTest {
  /** The functions of the library that were called, and on how many threads each could run. */
  private final ConcurrentLinkedQueue<String> called = new ConcurrentLinkedQueue<>();

  private Module library() {
    Module all = new CpuDevice(CpuFacts.read(), VectorChoice.get()).library();
    Map<String, PackedFunc> functions = new HashMap<>();
    for (String name : all.functionNames()) {
      PackedFunc function = all.find(name).orElseThrow();
      functions.put(
          name,
          (args, result) -> {
            VmContext context = args.contextOrNull();
            called.add(name + (context == null ? "" : " on " + context.workers().parallelism()));
            function.call(args, result);
          });
    }
    return Module.of("library", functions);
  }

  private PackedFunc loaded(PrimFunc kernel) {
    Verifier.verify(kernel);
    byte[] text = TirText.print(kernel).getBytes(UTF_8);
    ModuleImage image = new ModuleImage("tir", List.of(kernel.name()), MemorySegment.ofArray(text));
    return new TirKernels(
            library(),
            VectorChoice.get(),
            CodeOptions.of(BackendOptions.none()),
            BackendOptions.none())
        .load(image)
        .find(kernel.name())
        .orElseThrow();
  }

  private static Tensor numbers(Shape shape, int phase) {
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + phase);
    }
    return Tensor.of(values, shape);
  }

  private static List<Tensor> inputs(Case kernel) {
    List<Tensor> inputs = new ArrayList<>();
    for (Shape shape : kernel.inputs()) {
      inputs.add(numbers(shape, inputs.size()));
    }
    return inputs;
  }

  private static List<Tensor> outputs(Case kernel) {
    return kernel.outputs().stream().map(shape -> Tensor.zeros(DType.FLOAT32, shape)).toList();
  }

  private static Object[] joined(List<Tensor> inputs, List<Tensor> outputs) {
    return Stream.concat(inputs.stream(), outputs.stream()).toArray();
  }

  private static List<Tensor> expected(Case kernel, List<Tensor> inputs) {
    List<Tensor> outputs = outputs(kernel);
    new Evaluator().run(kernel.kernel(), List.of(joined(inputs, outputs)));
    return outputs;
  }

  private static void run(
      PackedFunc function, @Nullable VmContext context, List<Tensor> inputs, List<Tensor> outputs) {
    function.call(CallArgs.of(context, joined(inputs, outputs)), new CallResult());
  }

  private static void requireSame(List<Tensor> got, List<Tensor> expected) {
    for (int i = 0; i < expected.size(); i++) {
      double[] a = got.get(i).toDoubleArray();
      double[] b = expected.get(i).toDoubleArray();
      assertThat(a).hasSameSizeAs(b);
      for (int j = 0; j < b.length; j++) {
        assertThat(Math.abs(a[j] - b[j])).isLessThanOrEqualTo(1e-5 * Math.max(1, Math.abs(b[j])));
      }
    }
  }

  static Stream<Case> large() {
    List<Case> cases = new ArrayList<>();
    for (boolean symbolic : List.of(false, true)) {
      cases.addAll(SplitCases.products(45, 37, 41, symbolic));
      cases.addAll(SplitCases.convolutions(2, 9, symbolic));
      cases.add(SplitCases.attention(2, 5, 7, symbolic));
    }
    return cases.stream();
  }

  static Stream<Case> small() {
    List<Case> cases = new ArrayList<>();
    for (boolean symbolic : List.of(false, true)) {
      for (long size : new long[] {0, 1}) {
        cases.addAll(SplitCases.products(size, 5, 3, symbolic));
        cases.addAll(SplitCases.products(4, size, 3, symbolic));
        cases.addAll(SplitCases.products(4, 5, size, symbolic));
        cases.addAll(SplitCases.convolutions(size, 5, symbolic));
        cases.add(SplitCases.attention(size, 2, 3, symbolic));
        cases.add(SplitCases.attention(2, size, 3, symbolic));
      }
      cases.addAll(SplitCases.products(1, 1, 1, symbolic));
      cases.addAll(SplitCases.convolutions(1, 3, symbolic));
      cases.add(SplitCases.attention(1, 1, 1, symbolic));
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("large")
  void theLibraryComputesWhatItCan(Case kernel) {
    List<Tensor> inputs = inputs(kernel);
    List<Tensor> outputs = outputs(kernel);
    run(loaded(kernel.kernel()), null, inputs, outputs);
    requireSame(outputs, expected(kernel, inputs));
    assertThat(called).containsExactly(kernel.function());
  }

  @ParameterizedTest
  @MethodSource("small")
  void smallAndEmptyTensorsAreComputedToo(Case kernel) {
    List<Tensor> inputs = inputs(kernel);
    List<Tensor> outputs = outputs(kernel);
    run(loaded(kernel.kernel()), null, inputs, outputs);
    requireSame(outputs, expected(kernel, inputs));
    boolean product = kernel.function().startsWith("relaxvm.matmul");
    assertThat(called).hasSize(product ? 0 : 1);
  }

  @Test
  void oneKernelOfSymbolicShapesTakesEitherWay() {
    Case large = SplitCases.products(45, 37, 41, true).getFirst();
    Case small = SplitCases.products(3, 4, 5, true).getFirst();
    PackedFunc function = loaded(large.kernel());
    for (Case kernel : List.of(small, large, small)) {
      List<Tensor> inputs = inputs(kernel);
      List<Tensor> outputs = outputs(kernel);
      run(function, null, inputs, outputs);
      requireSame(outputs, expected(kernel, inputs));
    }
    assertThat(called).containsExactly("relaxvm.matmul");
  }

  /** Compares all tensors, as kernels may change inputs too. */
  private void requireSameInPlace(Case kernel) {
    List<Tensor> expectedInputs = inputs(kernel);
    List<Tensor> expected = expected(kernel, expectedInputs);
    List<Tensor> inputs = inputs(kernel);
    List<Tensor> outputs = outputs(kernel);
    run(loaded(kernel.kernel()), null, inputs, outputs);
    requireSame(outputs, expected);
    requireSame(inputs, expectedInputs);
  }

  @Test
  void productsThatAreChangedInPlaceAreGenerated() {
    requireSameInPlace(SplitCases.changedProduct(false));
    requireSameInPlace(SplitCases.changedProduct(true));
    assertThat(called).isEmpty();
  }

  @Test
  void inputsThatAreChangedInPlaceCountAsTheyAreAtTheProduct() {
    for (boolean symbolic : List.of(false, true)) {
      requireSameInPlace(SplitCases.changedInput(true, symbolic));
      requireSameInPlace(SplitCases.changedInput(false, symbolic));
    }
    assertThat(called).hasSize(4);
  }

  @Test
  void biasAndActivationGoIntoTheCall() {
    PrimFunc kernel = SplitCases.products(45, 37, 41, false).get(2).kernel();
    SplitKernel split = SplitKernel.of(KernelAnalysis.of(kernel), library()::find).orElseThrow();
    assertThat(TirText.print(split.kernel()))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True)
            def fused(x: T.Buffer((45, 37), "float32"), w: T.Buffer((37, 41), "float32"), bias: T.Buffer((41,), "float32"), p_output0: T.Buffer((1845,), "float32")):
                with T.block("root"):
                    T_relu_intermediate = T.alloc_buffer((45, 41), "float32")
                    with T.block("T_relu"):
                        T.reads(x[0:45, 0:37], w[0:37, 0:41], bias[0:41])
                        T.writes(T_relu_intermediate[0:45, 0:41])
                        T.call_packed("library", x, w, bias, T_relu_intermediate)
                    for i0 in range(1845):
                        with T.block("T_flatten"):
                            v_i0 = T.axis.spatial(1845, i0)
                            T.reads(T_relu_intermediate[v_i0 // 41, v_i0 % 41])
                            T.writes(p_output0[v_i0])
                            p_output0[v_i0] = T_relu_intermediate[v_i0 // 41, v_i0 % 41]
            """);
  }

  @Test
  void functionsThatAreNotThereLeaveAKernelWhole() {
    PrimFunc kernel = SplitCases.products(45, 37, 41, false).getFirst().kernel();
    assertThat(SplitKernel.of(KernelAnalysis.of(kernel), name -> Optional.empty())).isEmpty();
    assertThat(SplitKernel.of(KernelAnalysis.of(kernel.withAttrs(Map.of())), library()::find))
        .isEmpty();
  }

  @Test
  void weightsMayBeConstants() {
    Case kernel = SplitCases.products(45, 37, 41, false).getFirst();
    List<Tensor> inputs = inputs(kernel);
    inputs.forEach(Tensor::markConstant);
    List<Tensor> outputs = outputs(kernel);
    run(loaded(kernel.kernel()), null, inputs, outputs);
    requireSame(outputs, expected(kernel, inputs));
    assertThat(called).containsExactly("relaxvm.matmul");
  }

  @ParameterizedTest
  @MethodSource("large")
  void theLibraryRunsOnTheWorkersOfTheVm(Case kernel) {
    List<Tensor> inputs = inputs(kernel);
    List<Tensor> outputs = outputs(kernel);
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      run(loaded(kernel.kernel()), new PoolContext(pool), inputs, outputs);
    }
    requireSame(outputs, expected(kernel, inputs));
    assertThat(called).containsExactly(kernel.function() + " on 2");
  }

  @Test
  void callsAtTheSameTimeDoNotMeet() throws InterruptedException, ExecutionException {
    Case kernel = SplitCases.products(45, 37, 41, true).getFirst();
    PackedFunc function = loaded(kernel.kernel());
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        List<Tensor> inputs = inputs(kernel);
        List<Tensor> expected = expected(kernel, inputs);
        running.add(
            threads.submit(
                () -> {
                  for (int turn = 0; turn < 20; turn++) {
                    List<Tensor> outputs = outputs(kernel);
                    run(function, null, inputs, outputs);
                    requireSame(outputs, expected);
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertThat(called).hasSize(80);
  }

  @Test
  void preparedKernelsGiveTheSame() {
    for (boolean symbolic : List.of(false, true)) {
      Case kernel = SplitCases.products(45, 37, 41, symbolic).getFirst();
      PackedFunc function = loaded(kernel.kernel());
      ((Preparable) function).prepare();
      List<Tensor> inputs = inputs(kernel);
      List<Tensor> outputs = outputs(kernel);
      run(function, null, inputs, outputs);
      requireSame(outputs, expected(kernel, inputs));
    }
    assertThat(called).hasSize(2);
  }
}
